use std::collections::BTreeSet;

use super::*;
use crate::printer::{StopReason, Unproven};
use crate::retry::ATTEMPT_BUDGET;

const CAUSE: JobReason = JobReason::Printer(StopReason::LinkLost);

fn facts(state: JobState) -> Facts {
    Facts { state, failures: 0, reprint: false, skip_asked: false, unproven: Unproven::Ask }
}

fn events() -> Vec<Event> {
    let mut events = vec![
        Event::Claim,
        Event::BytesTaken,
        Event::LeftNothing(CAUSE),
        Event::MaybeOnPaper(CAUSE),
        Event::CannotRender,
        Event::PrinterRemoved,
        Event::Hold(HoldReason::Stale),
    ];
    events.extend(Confirmation::ALL.map(Event::Confirmed));
    events.extend(Verb::ALL.map(Event::Asked));
    events
}

/// Every combination of the facts.
fn every_facts() -> Vec<Facts> {
    let mut all = Vec::new();
    for state in JobState::ALL {
        for failures in 0..=ATTEMPT_BUDGET {
            for bits in 0..8 {
                let (reprint, skip_asked) = (bits & 1 != 0, bits & 2 != 0);
                let unproven = if bits & 4 != 0 { Unproven::Trust } else { Unproven::Ask };
                all.push(Facts { state, failures, reprint, skip_asked, unproven });
            }
        }
    }
    all
}

fn target(facts: Facts, event: Event) -> Option<JobState> {
    match transition(facts, event) {
        Ok(Step::Become(change)) => Some(change.to),
        Ok(Step::FlagSkip | Step::BeginCopy) | Err(_) => None,
    }
}

/// The table of every (state, event) pair, one row a state, columns as [`events`] gives them.
#[test]
fn every_pair_of_state_and_event_has_its_written_outcome() {
    use JobState::*;
    let none = None;
    let table: [(JobState, Vec<Option<JobState>>); 8] = [
        // claim, taken, nothing, maybe, render, removed, hold, 5 x confirmed, retry, on, not_on, print, skip, reroute, copy
        (
            Pending,
            vec![
                Some(Printing),
                none,
                none,
                none,
                Some(Failed),
                Some(Failed),
                Some(Held),
                none,
                none,
                none,
                none,
                none,
                Some(Pending),
                none,
                none,
                none,
                Some(Skipped),
                Some(Pending),
                none,
            ],
        ),
        (
            Held,
            vec![
                none,
                none,
                none,
                none,
                Some(Failed),
                Some(Failed),
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                Some(Pending),
                Some(Skipped),
                Some(Pending),
                none,
            ],
        ),
        (
            Printing,
            vec![
                none,
                Some(Sent),
                Some(Pending),
                Some(Unconfirmed),
                none,
                none,
                none,
                Some(Printed),
                Some(Printed),
                Some(Printed),
                Some(Printed),
                Some(Printed),
                none,
                none,
                none,
                none,
                none,
                none,
                none,
            ],
        ),
        (Printed, vec![none; 19]),
        (
            Sent,
            vec![
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                Some(Printed),
                Some(Printed),
                Some(Printed),
                Some(Printed),
                Some(Printed),
                none,
                Some(Printed),
                Some(Pending),
                none,
                Some(Skipped),
                Some(Pending),
                none,
            ],
        ),
        (
            Unconfirmed,
            vec![
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                Some(Printed),
                Some(Printed),
                Some(Printed),
                Some(Printed),
                Some(Printed),
                none,
                Some(Printed),
                Some(Pending),
                none,
                Some(Skipped),
                Some(Pending),
                none,
            ],
        ),
        (
            Failed,
            vec![
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                Some(Pending),
                none,
                none,
                none,
                Some(Skipped),
                Some(Pending),
                none,
            ],
        ),
        (Skipped, vec![none; 19]),
    ];
    for (state, row) in table {
        for (event, expected) in events().into_iter().zip(row) {
            assert_eq!(target(facts(state), event), expected, "{state} on {event:?}");
        }
    }
    assert_eq!(transition(facts(Printing), Event::Asked(Verb::Skip)), Ok(Step::FlagSkip));
    assert_eq!(transition(facts(Printed), Event::Asked(Verb::Copy)), Ok(Step::BeginCopy));
}

#[test]
fn what_may_be_on_paper_prints_again_only_when_a_person_asks_and_then_with_the_mark() {
    for facts in every_facts() {
        let may_be_on_paper = matches!(facts.state, JobState::Unconfirmed | JobState::Sent);
        for event in events().into_iter().filter(|_| may_be_on_paper) {
            let Ok(Step::Become(change)) = transition(facts, event) else { continue };
            if change.to == JobState::Pending {
                assert!(matches!(event, Event::Asked(Verb::NotOnPaper | Verb::Reroute)));
                assert!(change.reprint, "{event:?} must mark the next paper");
            }
        }
    }
}

#[test]
fn mark_is_never_lost_once_an_attempt_may_be_on_paper() {
    for facts in every_facts().into_iter().filter(|facts| facts.reprint) {
        for event in events() {
            if let Ok(Step::Become(change)) = transition(facts, event) {
                assert!(change.reprint, "{facts:?} on {event:?}");
            }
        }
    }
}

#[test]
fn settled_jobs_never_move() {
    for facts in every_facts().into_iter().filter(|facts| facts.state.is_settled()) {
        for event in events() {
            assert_eq!(target(facts, event), None, "{facts:?} on {event:?}");
        }
    }
}

#[test]
fn fifth_failure_fails_and_a_retry_gives_the_budget_back() {
    let mut job = Facts { state: JobState::Printing, ..facts(JobState::Printing) };
    for failures in 1..ATTEMPT_BUDGET {
        let Ok(Step::Become(change)) = transition(job, Event::LeftNothing(CAUSE)) else { panic!() };
        assert_eq!((change.to, change.due), (JobState::Pending, Due::AfterFailures(failures)));
        job.failures = change.failures;
    }
    let Ok(Step::Become(spent)) = transition(job, Event::LeftNothing(CAUSE)) else { panic!() };
    assert_eq!((spent.to, spent.reason), (JobState::Failed, Some(CAUSE)));
    let failed = Facts { state: JobState::Failed, failures: spent.failures, ..job };
    let Ok(Step::Become(again)) = transition(failed, Event::Asked(Verb::Retry)) else { panic!() };
    assert_eq!((again.to, again.failures, again.due), (JobState::Pending, 0, Due::Now));
}

#[test]
fn skip_asked_while_printing_settles_when_the_device_answers() {
    let asked = Facts { skip_asked: true, ..facts(JobState::Printing) };
    assert_eq!(target(asked, Event::Confirmed(Confirmation::Token)), Some(JobState::Printed));
    for event in [Event::BytesTaken, Event::LeftNothing(CAUSE), Event::MaybeOnPaper(CAUSE)] {
        assert_eq!(target(asked, event), Some(JobState::Skipped), "{event:?}");
    }
}

#[test]
fn held_job_of_a_restored_copy_can_be_found_on_paper() {
    assert_eq!(target(facts(JobState::Held), Event::Asked(Verb::OnPaper)), None);
    let restored = Facts { reprint: true, ..facts(JobState::Held) };
    assert_eq!(target(restored, Event::Asked(Verb::OnPaper)), Some(JobState::Printed));
}

#[test]
fn trusted_printer_settles_a_clean_job_as_assumed() {
    let trusted = Facts { unproven: Unproven::Trust, ..facts(JobState::Printing) };
    let Ok(Step::Become(change)) = transition(trusted, Event::BytesTaken) else { panic!() };
    assert_eq!((change.to, change.confirmation), (JobState::Printed, Some(Confirmation::Assumed)));
}

#[test]
fn diagram_has_exactly_the_arrows_of_the_machine() {
    let mut arrows = BTreeSet::new();
    for facts in every_facts() {
        for event in events() {
            if let Some(to) = target(facts, event) {
                arrows.insert((facts.state.to_string(), to.to_string()));
            }
        }
    }
    let drawn: BTreeSet<_> = include_str!("states.md")
        .lines()
        .filter_map(|line| line.trim().split_once(" --> "))
        .map(|(from, rest)| {
            (from.to_owned(), rest.split(':').next().unwrap_or_default().to_owned())
        })
        .filter(|(from, to)| from != "[*]" && to != "[*]")
        .collect();
    assert_eq!(arrows, drawn);
}

#[test]
fn codes_read_back_and_are_all_different() {
    let codes: BTreeSet<_> = JobReason::all().iter().map(|reason| reason.as_str()).collect();
    assert_eq!(codes.len(), JobReason::all().len());
    for reason in JobReason::all() {
        assert_eq!(reason.as_str().parse::<JobReason>(), Ok(reason));
        assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{reason}\""));
    }
}
