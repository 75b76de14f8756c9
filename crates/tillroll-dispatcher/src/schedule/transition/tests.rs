use std::collections::BTreeSet;

use tillroll_domain::print_job::{HoldReason, JobCause, JobState};
use tillroll_domain::printer::StopReason;
use tillroll_wire::job::AfterDeadline;

use super::*;
use crate::schedule::slot::fixture::job;

const REGISTER: RegisterNo = RegisterNo { store: crate::job::StoreNo(1), no: 1 };

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn in_state(state: CloudState) -> Job {
    let fresh = job(1);
    let is_timed = matches!(state, CloudState::Scheduled | CloudState::Pushed);
    Job { state, next_push_at: fresh.next_push_at.filter(|_| is_timed), ..fresh }
}

fn pushed_in(state: CloudState) -> Job {
    Job { pushes: 1, register: Some(REGISTER), installation: Some("a/1".into()), ..in_state(state) }
}

fn report(state: JobState, version: i64) -> Event {
    Event::Result(Report { state, reason: None, version })
}

fn push() -> Event {
    Event::PushSent { register: REGISTER, incarnation: "a/1".into(), next: Some(at(2)) }
}

fn every_job() -> Vec<Job> {
    let mut jobs = Vec::new();
    for state in CloudState::ALL {
        for pushes in [0, 1] {
            for hold_at_return in [false, true] {
                let always = matches!(
                    state,
                    CloudState::Pushed | CloudState::Accepted | CloudState::CancelRequested
                );
                if pushes == 0 && always {
                    continue;
                }
                jobs.push(Job { pushes, hold_at_return, result_version: 5, ..in_state(state) });
            }
        }
    }
    jobs
}

fn every_event() -> Vec<Event> {
    let reasons = [
        TimeOutReason::DeviceOffline,
        TimeOutReason::NoAck,
        TimeOutReason::PrinterStopped(Some(StopReason::PaperEnd)),
        TimeOutReason::RecoveryBacklog,
    ];
    let reports = JobState::ALL.iter().flat_map(|state| [report(*state, 4), report(*state, 6)]);
    [
        push(),
        Event::Accepted,
        Event::Refused(Code::Conflict),
        Event::Unknown { now: at(9) },
        Event::Parked,
        Event::Returned { now: at(9) },
        Event::Replaced,
        Event::CancelAsked,
    ]
    .into_iter()
    .chain(reasons.map(Event::DeadlinePassed))
    .chain(reports)
    .collect()
}

fn state_after(job: &Job, event: &Event) -> Option<CloudState> {
    transition(job, event).ok().map(|change| change.state)
}

#[test]
fn diagram_has_exactly_the_arrows_of_the_machine() {
    let mut arrows = BTreeSet::new();
    for job in every_job() {
        for event in every_event() {
            if let Some(to) = state_after(&job, &event) {
                arrows.insert((job.state.to_string(), to.to_string()));
            }
        }
    }
    let drawn: BTreeSet<_> = include_str!("states.md")
        .lines()
        .filter_map(|line| line.trim().split_once(" --> "))
        .map(|(from, to)| (from.to_owned(), to.split(':').next().unwrap_or_default().to_owned()))
        .filter(|(from, to)| from != "[*]" && to != "[*]")
        .collect();
    let missing: Vec<_> = arrows.difference(&drawn).collect();
    let invented: Vec<_> = drawn.difference(&arrows).collect();
    assert!(
        missing.is_empty() && invented.is_empty(),
        "missing {missing:?}, invented {invented:?}"
    );
}

#[test]
fn every_change_keeps_the_rules_of_its_state() {
    for job in every_job() {
        for event in every_event() {
            let Ok(change) = transition(&job, &event) else { continue };
            let what = format!("{} {event:?}", job.state);
            assert_eq!((change.key, change.row_version), (job.key, job.row_version), "{what}");
            assert!(change.pushes >= job.pushes, "{what}");
            assert!(change.result_version >= job.result_version, "{what}");
            if change.state.is_final() || change.state == CloudState::Parked {
                assert_eq!(change.next_push_at, None, "{what}");
            }
            if change.hold_at_return {
                let holds = matches!(
                    change.state,
                    CloudState::Scheduled
                        | CloudState::Pushed
                        | CloudState::Parked
                        | CloudState::TimedOut
                );
                assert!(holds, "{what}");
            }
        }
    }
}

#[test]
fn printed_is_never_left() {
    let printed = pushed_in(CloudState::Printed);
    for event in every_event() {
        assert!(transition(&printed, &event).is_err(), "{event:?}");
    }
}

#[test]
fn paper_settles_every_state_of_a_pushed_job() {
    for state in CloudState::ALL.into_iter().filter(|state| *state != CloudState::Printed) {
        let job = Job { result_version: 9, ..pushed_in(state) };
        let change = transition(&job, &report(JobState::Printed, 3)).unwrap();
        assert_eq!((change.state, change.late), (CloudState::Printed, state.is_final()), "{state}");
        assert_eq!(change.result_version, 9, "{state}");
    }
}

#[test]
fn nothing_a_register_says_moves_a_job_that_was_never_pushed() {
    let said = [Event::Accepted, Event::Refused(Code::Conflict), Event::Unknown { now: at(1) }]
        .into_iter()
        .chain(JobState::ALL.map(|state| report(state, 6)));
    for event in said {
        for job in every_job().iter().filter(|job| job.pushes == 0) {
            assert!(transition(job, &event).is_err(), "{} {event:?}", job.state);
        }
    }
}

#[test]
fn push_counts_and_names_whom_it_went_to() {
    let change = transition(&in_state(CloudState::Scheduled), &push()).unwrap();
    assert_eq!((change.state, change.pushes), (CloudState::Pushed, 1));
    assert_eq!((change.register, change.installation.as_deref()), (Some(REGISTER), Some("a/1")));
    assert_eq!(change.next_push_at, Some(at(2)));
}

#[test]
fn older_and_repeated_results_change_nothing() {
    let failed = Job { result_version: 5, ..pushed_in(CloudState::Failed) };
    assert!(transition(&failed, &report(JobState::Unconfirmed, 4)).is_err());
    assert!(transition(&failed, &report(JobState::Failed, 5)).is_err());
    let newer = transition(&failed, &report(JobState::Unconfirmed, 6)).unwrap();
    assert_eq!((newer.state, newer.late), (CloudState::Unconfirmed, true));
}

#[test]
fn newer_result_of_the_same_state_is_not_told_again() {
    let failed = Job { result_version: 5, ..pushed_in(CloudState::Failed) };
    let change = transition(&failed, &report(JobState::Failed, 6)).unwrap();
    assert_eq!((change.late, change.result_version), (false, 6));
}

#[test]
fn job_the_device_cannot_confirm_is_unconfirmed_with_that_reason() {
    let change = transition(&pushed_in(CloudState::Accepted), &report(JobState::Sent, 2)).unwrap();
    assert_eq!(change.state, CloudState::Unconfirmed);
    assert_eq!(change.reason.as_deref(), Some(JobReason::from(JobCause::CannotConfirm).as_str()));
}

#[test]
fn deadline_reason_tells_where_the_job_was() {
    let paper_end = Place::Stopped(Some(StopReason::PaperEnd));
    let code = |job: &Job, place| deadline_reason(job, place).code();
    let waiting = in_state(CloudState::Scheduled);
    assert_eq!(code(&in_state(CloudState::Parked), Place::Away), "device_offline");
    assert_eq!(code(&waiting, paper_end), "printer_stopped:paper_end");
    assert_eq!(code(&waiting, Place::Stopped(None)), "printer_stopped");
    assert_eq!(code(&in_state(CloudState::Parked), Place::Ready), "recovery_backlog");
    assert_eq!(code(&pushed_in(CloudState::Pushed), Place::Ready), "no_ack");
    assert_eq!(code(&pushed_in(CloudState::Parked), Place::Away), "no_ack");
    assert_eq!(code(&pushed_in(CloudState::Pushed), paper_end), "no_ack");
    assert_eq!(code(&pushed_in(CloudState::Accepted), Place::Ready), "no_ack");
    assert_eq!(code(&pushed_in(CloudState::Accepted), Place::Away), "no_ack");
    assert_eq!(code(&pushed_in(CloudState::Accepted), paper_end), "printer_stopped:paper_end");
}

#[test]
fn only_a_job_that_never_left_is_held_at_return_and_only_if_wanted() {
    let offline = Event::DeadlinePassed(TimeOutReason::DeviceOffline);
    let parked = in_state(CloudState::Parked);
    assert!(transition(&parked, &offline).unwrap().hold_at_return);
    let dropped = Job { after_deadline: AfterDeadline::Drop, ..parked };
    assert!(!transition(&dropped, &offline).unwrap().hold_at_return);
    let no_ack = Event::DeadlinePassed(TimeOutReason::NoAck);
    assert!(!transition(&pushed_in(CloudState::Parked), &no_ack).unwrap().hold_at_return);
}

#[test]
fn job_held_at_return_stays_timed_out_until_a_late_result() {
    let timed_out = Job { hold_at_return: true, ..in_state(CloudState::TimedOut) };
    let sent = transition(&timed_out, &push()).unwrap();
    assert_eq!((sent.state, sent.hold_at_return, sent.pushes), (CloudState::TimedOut, true, 1));
    let sent = Job { pushes: 1, ..timed_out };
    let taken = transition(&sent, &Event::Accepted).unwrap();
    assert_eq!((taken.state, taken.hold_at_return), (CloudState::TimedOut, false));
    let printed = transition(&sent, &report(JobState::Printed, 7)).unwrap();
    assert_eq!((printed.state, printed.late), (CloudState::Printed, true));
}

#[test]
fn timed_out_job_is_not_pushed_to_print() {
    assert!(transition(&pushed_in(CloudState::TimedOut), &push()).is_err());
    assert!(transition(&in_state(CloudState::TimedOut), &push()).is_err());
}

#[test]
fn another_installation_gets_what_may_be_on_paper_only_held() {
    for state in [CloudState::Pushed, CloudState::Accepted, CloudState::Parked] {
        let change = transition(&pushed_in(state), &Event::Replaced).unwrap();
        assert_eq!((change.state, change.hold_at_return), (CloudState::Scheduled, true), "{state}");
    }
    let canceled = transition(&pushed_in(CloudState::CancelRequested), &Event::Replaced).unwrap();
    assert_eq!(canceled.state, CloudState::Unconfirmed);
    assert_eq!(canceled.reason.as_deref(), Some(JobReason::from(HoldReason::Restored).as_str()));
}

#[test]
fn register_that_lost_an_accepted_job_gets_it_held_and_one_that_never_had_it_again() {
    let unknown = Event::Unknown { now: at(9) };
    let lost = transition(&pushed_in(CloudState::Accepted), &unknown).unwrap();
    assert_eq!((lost.state, lost.hold_at_return), (CloudState::Scheduled, true));
    let never = transition(&pushed_in(CloudState::Pushed), &unknown).unwrap();
    assert_eq!((never.state, never.hold_at_return), (CloudState::Scheduled, false));
    assert_eq!(never.next_push_at, Some(at(9)));
}

#[test]
fn cancel_is_final_only_for_what_never_left() {
    let cancel = Event::CancelAsked;
    let after = |job: Job| state_after(&job, &cancel);
    assert_eq!(after(in_state(CloudState::Scheduled)), Some(CloudState::Canceled));
    assert_eq!(after(in_state(CloudState::Parked)), Some(CloudState::Canceled));
    assert_eq!(after(pushed_in(CloudState::Parked)), Some(CloudState::CancelRequested));
    assert_eq!(after(pushed_in(CloudState::Accepted)), Some(CloudState::CancelRequested));
    assert_eq!(after(pushed_in(CloudState::Failed)), None);
    let asked = pushed_in(CloudState::CancelRequested);
    assert_eq!(state_after(&asked, &report(JobState::Skipped, 6)), Some(CloudState::Canceled));
    assert_eq!(state_after(&asked, &report(JobState::Printed, 6)), Some(CloudState::Printed));
}
