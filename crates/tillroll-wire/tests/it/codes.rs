//! Words that never change their meaning.

use serde_json::json;
use tillroll_domain::printer::StopReason;
use tillroll_wire::job::{CloudState, TimeOutReason};
use tillroll_wire::{Code, Problem};

#[test]
fn word_of_every_code_is_its_json_and_reads_back() {
    for code in Code::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), json!(code.as_str()));
        assert_eq!(serde_json::from_value::<Code>(json!(code.as_str())).unwrap(), code);
        assert_eq!(Code::of(code.as_str()), code);
    }
}

#[test]
fn code_of_a_newer_version_is_unknown_and_no_error() {
    assert_eq!(Code::of("teapot"), Code::Unknown);
    let problem = json!({"code": "teapot", "detail": "", "status": 418});
    let problem: Problem = serde_json::from_value(problem).unwrap();
    assert_eq!((problem.code, problem.status), (Code::Unknown, 418));
}

#[test]
fn every_code_has_the_status_of_an_error() {
    for code in Code::ALL {
        assert!((400..600).contains(&code.status()), "{code}: {}", code.status());
        assert_eq!(Problem::new(code, "").status, code.status());
    }
}

#[test]
fn word_of_every_job_state_is_its_json_and_reads_back() {
    for state in CloudState::ALL {
        assert_eq!(serde_json::to_value(state).unwrap(), json!(state.as_str()));
        assert_eq!(serde_json::from_value::<CloudState>(json!(state.as_str())).unwrap(), state);
        assert_eq!(CloudState::of(state.as_str()), Some(state));
    }
    assert_eq!(CloudState::of("lost"), None);
}

#[test]
fn reason_of_a_stopped_printer_stands_behind_a_colon() {
    let stopped = TimeOutReason::PrinterStopped(Some(StopReason::CoverOpen));
    assert_eq!(stopped.code(), "printer_stopped:cover_open");
    assert_eq!(TimeOutReason::PrinterStopped(None).code(), "printer_stopped");
}

#[test]
fn protocol_page_names_every_code_with_its_status() {
    let page = include_str!("../../../../docs/protocol.md");
    for code in Code::ALL {
        let row = format!("| `{code}` | {} |", code.status());
        assert!(page.contains(&row), "docs/protocol.md has no row {row}");
    }
}
