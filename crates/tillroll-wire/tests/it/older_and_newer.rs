//! A version that leaves fields out, and one that says more.

use serde_json::json;
use tillroll_wire::channel::{Down, Up};
use tillroll_wire::job::{AfterDeadline, Scheduling};
use tillroll_wire::record::{RecordVerdict, Verdict};
use tillroll_wire::{Code, Problem};

fn reads_up(message: serde_json::Value) -> Up {
    serde_json::from_value(message).unwrap()
}

#[test]
fn fields_without_a_value_are_left_out_and_may_be_missing() {
    let push = json!({
        "type": "push", "id": "S1:0001:kitchen:v1", "fingerprint": "00".repeat(32),
        "body": {}, "printer": "kitchen",
    });
    let Down::Push(read) = serde_json::from_value(push.clone()).unwrap() else { panic!() };
    assert_eq!((read.remaining_ms, read.held), (None, None));
    assert_eq!(serde_json::to_value(Down::Push(read)).unwrap(), push);

    let bye = json!({"type": "bye", "code": "replaced", "detail": ""});
    let read: Down = serde_json::from_value(bye.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), bye);
}

#[test]
fn hello_without_routes_has_none() {
    let Up::Hello(hello) = reads_up(json!({
        "type": "hello", "protocol": 1, "installation": "ab", "epoch": 1, "program": "",
        "clock": {"now": "2026-10-12T10:00:00Z", "boot_ms": 1}, "printers": [],
    })) else {
        panic!()
    };
    assert!(hello.routes.is_empty());
}

/// A number that only a newer version speaks must be readable, or it could not be refused politely.
#[test]
fn hello_of_another_protocol_is_read() {
    let Up::Hello(hello) = reads_up(json!({
        "type": "hello", "protocol": 99, "installation": "ab", "epoch": 1, "program": "",
        "clock": {"now": "2026-10-12T10:00:00Z", "boot_ms": 1}, "printers": [],
    })) else {
        panic!()
    };
    assert_eq!(hello.protocol, 99);
}

/// What then happens is the reader's: a register leaves it out, a dispatcher ends the channel.
#[test]
fn message_of_an_unknown_kind_is_an_error() {
    assert!(serde_json::from_value::<Up>(json!({"type": "sing"})).is_err());
    assert!(serde_json::from_value::<Down>(json!({"type": "sing"})).is_err());
}

#[test]
fn job_without_scheduling_is_held_after_its_deadline() {
    let scheduling: Scheduling = serde_json::from_value(json!({})).unwrap();
    assert_eq!(scheduling, Scheduling { deadline_s: None, after_deadline: AfterDeadline::Hold });
}

#[test]
fn verdict_with_an_unknown_code_still_parks_the_record() {
    let verdict =
        json!({"request_id": "r", "verdict": "rejected", "code": "teapot", "detail": "no"});
    let read: RecordVerdict = serde_json::from_value(verdict).unwrap();
    let rejected = Verdict::Rejected { code: Code::Unknown, detail: "no".into() };
    assert_eq!(read.verdict, rejected);
    assert!(!read.verdict.is_stored());
}

/// The dispatcher's documents have the members of RFC 9457 and more; a register reads four of them.
#[test]
fn problem_is_read_from_a_whole_problem_document() {
    let problem: Problem = serde_json::from_value(json!({
        "type": "urn:tillroll:problem:conflict", "title": "conflict", "status": 409,
        "code": "conflict", "detail": "order_no", "request_id": "0-1", "stored_fingerprint": "00",
    }))
    .unwrap();
    assert_eq!(problem, Problem::new(Code::Conflict, "order_no"));
}
