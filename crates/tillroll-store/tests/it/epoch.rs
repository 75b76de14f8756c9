//! A database older than what happened: a new epoch, nothing prints by itself, no number twice.

use tillroll_domain::print_job::{HoldReason, JobState, Verb};
use tillroll_store::mark::{Mark, Numbers};
use tillroll_store::{Claimed, JobRow, NewReceipt, Outcome};

use crate::support::{ClosedTill, Till, claiming, doubtful, proved, settings};

/// Opens a database that is older than its mark.
fn open_older(closed: ClosedTill, epoch: u32) -> Till {
    let (till, opened) = closed.open();
    assert_eq!(opened.new_epoch, Some(epoch));
    assert_eq!(till.store.epoch(), epoch);
    till
}

/// Opens twice more, with work in between: a new epoch begins once.
async fn assert_settled(till: Till) {
    let epoch = till.store.epoch();
    let (till, opened) = till.reopen();
    assert_eq!(opened.new_epoch, None);
    let job = till.sell(900).await;
    while till.next_claim(job.printer).await.is_some() {
        till.print(job.printer).await;
    }
    let (till, opened) = till.reopen();
    assert_eq!((opened.new_epoch, till.store.epoch()), (None, epoch));
    assert_eq!(till.job(&job).await.state, JobState::Printed);
}

#[tokio::test]
async fn what_is_open_in_an_older_copy_is_held_and_marked() {
    let till = Till::new().await;
    let mut jobs: Vec<(JobState, JobRow)> = Vec::new();
    for (n, state) in (1..).zip(JobState::ALL) {
        jobs.push((state, till.job_in(n, state).await));
    }
    let closed = till.close();
    let copy = closed.backup();
    let (till, _) = closed.open();
    till.sell(50).await;
    let closed = till.close();
    closed.restore(&copy);
    let till = open_older(closed, 2);
    for (was, job) in jobs {
        let now = till.job(&job).await;
        let becomes = match was {
            JobState::Pending => JobState::Held,
            JobState::Printing => JobState::Unconfirmed,
            JobState::Held
            | JobState::Printed
            | JobState::Sent
            | JobState::Unconfirmed
            | JobState::Failed
            | JobState::Skipped => was,
        };
        assert_eq!(now.state, becomes, "{was}");
        // Whatever a person lets print now may be on paper already.
        let printable = matches!(becomes, JobState::Held | JobState::Failed);
        let marked = printable || matches!(becomes, JobState::Sent | JobState::Unconfirmed);
        assert_eq!(now.reprint, marked, "{was}");
        if becomes != was || was == JobState::Held {
            assert_eq!(now.reason, Some(HoldReason::Restored.into()), "{was}");
        }
        assert!(till.next_claim(job.printer).await.is_none(), "{was}: prints by itself");
    }
    assert_eq!(till.store.notices().await.unwrap()[0].code, "restored");
    assert_settled(till).await;
}

#[tokio::test]
async fn job_at_the_device_in_an_older_copy_is_asked_about_and_its_evidence_is_void() {
    let till = Till::new().await;
    till.sell(1).await;
    let claimed = till.claim(till.front).await;
    let closed = till.close();
    let copy = closed.backup();
    let (till, _) = closed.open();
    till.settle(&claimed, proved()).await;
    till.sell(2).await;
    till.print(till.front).await;
    let closed = till.close();
    closed.restore(&copy);
    let till = open_older(closed, 2);

    assert!(
        till.store.interrupted(till.front).await.unwrap().is_none(),
        "nothing is left to prove"
    );
    let last = till.store.last_attempt_at(till.front).await.unwrap().unwrap();
    assert_eq!(last.job.state, JobState::Unconfirmed);
    assert_eq!(last.attempt.outcome, Some(Outcome::Unconfirmed));
    assert!(last.attempt.ended_at.is_some());
    let counted = (last.attempt.planned.lines_before, last.attempt.planned.cuts_before);
    assert_eq!(counted, (None, None), "another ticket must not prove this one");
    till.ask(&last.job, Verb::NotOnPaper).await.unwrap();
    assert!(till.print(till.front).await.reprint);
}

#[tokio::test]
async fn held_job_of_an_older_copy_prints_marked_once_a_person_says_so() {
    let till = Till::new().await;
    let job = till.sell(1).await;
    let closed = till.close();
    let copy = closed.backup();
    let (till, _) = closed.open();
    till.print(till.front).await;
    let closed = till.close();
    closed.restore(&copy);
    let till = open_older(closed, 2);
    till.ask(&job, Verb::Print).await.unwrap();
    let printed = till.print(till.front).await;
    assert_eq!((printed.state, printed.reprint), (JobState::Printed, true));
}

#[tokio::test]
async fn numbers_and_request_ids_of_the_new_epoch_were_never_given_out() {
    let till = Till::new().await;
    till.sell(1).await;
    let closed = till.close();
    let copy = closed.backup();
    let (till, _) = closed.open();
    for n in 2..=30 {
        till.sell(n).await;
        till.print(till.front).await;
    }
    let (last_flow, last_attempt): (i64, i64) = (
        till.value("SELECT max(flow_no) FROM receipts"),
        till.value("SELECT max(id) FROM attempts"),
    );
    let closed = till.close();
    closed.restore(&copy);
    let till = open_older(closed, 2);
    let job = till.sell(99).await;
    assert!(job.flow_no > last_flow, "{} after {last_flow}", job.flow_no);
    let claimed = till.claim(till.front).await;
    assert!(claimed.attempt.0 > last_attempt, "a token made of it is new");
    let next = till.sell(100).await;
    assert_eq!(next.flow_no, job.flow_no + 1, "gapless within the epoch");
    let story = till.store.story(job.job_id.to_string()).await.unwrap();
    assert_eq!(story.records[0].request_id, "S1:R1-000099:receipt:v1/receipt/e2/r1");
}

#[tokio::test]
async fn copy_made_while_running_is_recognised() {
    let till = Till::new().await;
    till.sell(1).await;
    let copy = till.folder.path().join("copy.db");
    till.connection().execute("VACUUM INTO ?1", [copy.to_str()]).unwrap();
    till.sell(2).await;
    let closed = till.close();
    closed.restore(&std::fs::read(copy).unwrap());
    let till = open_older(closed, 2);
    assert_eq!(till.store.jobs(None, 9).await.unwrap().len(), 1);
    assert_settled(till).await;
}

#[tokio::test]
async fn copy_that_lost_only_an_attempt_is_recognised() {
    let till = Till::new().await;
    let job = till.sell(1).await;
    let closed = till.close();
    let copy = closed.backup();
    let (till, _) = closed.open();
    till.print(till.front).await;
    let closed = till.close();
    closed.restore(&copy);
    let till = open_older(closed, 2);
    assert_eq!(till.job(&job).await.state, JobState::Held, "it is on paper, and not printed again");
}

#[tokio::test]
async fn copy_that_lost_only_an_answer_is_recognised() {
    let till = Till::new().await;
    let job = till.job_in(1, JobState::Unconfirmed).await;
    let closed = till.close();
    let copy = closed.backup();
    let (till, _) = closed.open();
    till.ask(&job, Verb::OnPaper).await.unwrap();
    let closed = till.close();
    closed.restore(&copy);
    let till = open_older(closed, 2);
    assert_eq!(till.job(&job).await.state, JobState::Unconfirmed, "the person is asked again");
}

#[tokio::test]
async fn copy_of_an_earlier_epoch_begins_another_one() {
    let till = Till::new().await;
    till.sell(1).await;
    let closed = till.close();
    let copy = closed.backup();
    let (till, _) = closed.open();
    till.sell(2).await;
    let closed = till.close();
    closed.restore(&copy);
    let closed = open_older(closed, 2).close();
    closed.restore(&copy);
    assert_settled(open_older(closed, 3)).await;
}

#[tokio::test]
async fn database_of_another_register_is_recognised_and_takes_this_ones_name() {
    let other = tillroll_store::RegisterSettings { store: "S2".parse().unwrap(), ..settings() };
    let foreign = Till::with(other, Default::default()).await;
    for n in 1..=9 {
        foreign.sell(n).await;
    }
    let foreign = foreign.close().backup();
    let till = Till::new().await;
    till.sell(1).await;
    let closed = till.close();
    closed.restore(&foreign);
    let till = open_older(closed, 2);
    assert_eq!(till.store.settings().unwrap(), settings());
    assert!(till.next_claim(till.front).await.is_none());
    assert!(till.sell(100).await.flow_no > 9);
    assert_settled(till).await;
}

#[tokio::test]
async fn program_killed_between_file_and_database_begins_the_epoch_anew() {
    let till = Till::new().await;
    let job = till.sell(1).await;
    let closed = till.close();
    let file = closed.folder.path().join("installation.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"epoch\":1", "\"epoch\":2")).unwrap();
    let till = open_older(closed, 3);
    assert_eq!(till.job(&job).await.state, JobState::Held);
    assert_settled(till).await;
}

#[tokio::test]
async fn mark_knows_every_number_as_soon_as_it_is_given_out() {
    let till = Till::new().await;
    let floor = || Mark::open(&till.folder.path().join("mark")).unwrap().floor();
    let numbers = |flow_no, attempt, answer| Numbers { flow_no, attempt, answer, z_no: 1 };
    till.record(NewReceipt { claiming: Some(claiming()), ..till.sale(1) }).await;
    assert_eq!(floor(), numbers(1, 1, 0));
    let open = till.store.interrupted(till.front).await.unwrap().unwrap();
    let claimed = Claimed { job: open.job.id, attempt: open.attempt.id, number: 1 };
    till.settle(&claimed, doubtful()).await;
    till.ask(&open.job, Verb::NotOnPaper).await.unwrap();
    assert_eq!(floor(), numbers(1, 1, 1));
    till.claim(till.front).await;
    assert_eq!(floor(), numbers(1, 2, 1));
}

#[tokio::test]
async fn z_number_of_an_older_copy_is_not_given_out_again() {
    let till = Till::new().await;
    till.sell(1).await;
    let day = till.today();
    let closed = till.close();
    let copy = closed.backup();
    let (till, _) = closed.open();
    assert_eq!(till.close_session().await, 1);
    till.sell(2).await;
    assert_eq!(till.close_session().await, 2);
    let closed = till.close();
    closed.restore(&copy);
    let till = open_older(closed, 2);

    let open = till.store.day(day).await.unwrap().sessions;
    let first = (open.len(), open[0].z_no, open[0].totals.receipts);
    assert_eq!(first, (1, 3, 1), "the session the copy has open takes its receipts along");
    till.sell(3).await;
    assert_eq!(till.close_session().await, 3);
    till.sell(4).await;
    assert_eq!(till.close_session().await, 4);
}

/// Overwrites a part of the mark file.
fn tear(closed: &ClosedTill, at: usize) {
    let file = closed.folder.path().join("mark");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[at..at + 9].fill(0xA5);
    std::fs::write(&file, bytes).unwrap();
}

#[tokio::test]
async fn torn_mark_falls_back_to_its_other_record() {
    for at in [0, 512] {
        let till = Till::new().await;
        till.sell(1).await;
        let closed = till.close();
        tear(&closed, at);
        let (till, opened) = closed.open();
        assert_eq!(opened.new_epoch, None, "record at {at}");
        assert_eq!(till.sell(2).await.flow_no, 2);
    }
}

#[tokio::test]
async fn lost_mark_is_no_reason_to_believe_the_database() {
    for removed in [true, false] {
        let till = Till::new().await;
        let job = till.sell(1).await;
        let closed = till.close();
        if removed {
            std::fs::remove_file(closed.folder.path().join("mark")).unwrap();
        } else {
            tear(&closed, 0);
            tear(&closed, 512);
        }
        let (till, opened) = open_older(closed, 2).reopen();
        assert_eq!(opened.new_epoch, None, "the mark is there again before anything happens");
        assert_eq!(till.job(&job).await.state, JobState::Held);
        assert!(till.sell(2).await.flow_no > tillroll_store::mark::BLOCK);
        assert_settled(till).await;
    }
}

#[tokio::test]
async fn rescued_database_begins_an_epoch_and_holds_what_could_be_read() {
    let till = Till::new().await;
    for n in 1..=200 {
        till.sell(n).await;
    }
    let closed = till.close();
    let mut damaged = closed.backup();
    let middle = damaged.len() / 2 / 4_096 * 4_096;
    damaged[middle..middle + 2 * 4_096].fill(0xA5);
    closed.restore(&damaged);
    // Not closed in order, so that the start looks through every page.
    std::fs::write(closed.folder.path().join("register.db.open"), b"").unwrap();
    let (till, opened) = closed.open();
    assert!(opened.rescue.is_some());
    assert_eq!(opened.new_epoch, Some(2));
    assert_eq!(till.store.settings().unwrap(), settings());
    assert_eq!(till.store.notices().await.unwrap()[0].code, "rescued");
    let held = till.store.jobs(Some(JobState::Held), 1_000).await.unwrap();
    assert!(held.len() > 100, "{} of 200 jobs were rescued", held.len());
    assert!(till.store.jobs(Some(JobState::Pending), 9).await.unwrap().is_empty());
    assert!(till.sell(999).await.flow_no > 200);
}

#[tokio::test]
async fn numbers_go_on_above_those_of_the_machine_before() {
    let till = Till::new().await;
    let first = till.sell(1).await;
    till.store.go_on_above(41, 7).await.unwrap();
    assert_eq!(till.sell(2).await.flow_no, 42);
    assert_eq!(till.value::<i64>("SELECT z_no FROM sessions"), 8, "the open session too");
    assert_eq!(till.job(&first).await.flow_no, 1, "what was given out stays");
    till.store.go_on_above(42, 8).await.unwrap();
    till.store.go_on_above(i64::MAX, 1).await.unwrap_err();
    assert_eq!(till.value::<i64>("SELECT z_no FROM sessions"), 8, "its own numbers");
    let (till, opened) = till.reopen();
    assert_eq!(opened.new_epoch, None);
    assert_eq!(till.sell(3).await.flow_no, 43);
}
