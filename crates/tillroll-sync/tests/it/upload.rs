//! Records go up: once each, whatever happens to the request, and no refused one stands in the others' way.

use std::time::Duration;

use jiff::SignedDuration;
use tillroll_store::CloudRow;
use tillroll_sync::Connectivity;
use tillroll_wire::record::ReceiptFact;
use tillroll_wire::{Code, Problem};

use crate::support::{Fault, Office, Till, start, status, unreachable, until, without_repair};

async fn till_and_office() -> (Till, Office) {
    let till = Till::new().await;
    let office = Office::new(&till.clock);
    (till, office)
}

async fn until_sent(till: &Till) {
    until("everything is sent", async || till.waiting().await, |waiting| *waiting == 0).await;
}

fn receipt_record(n: u32) -> String {
    format!("S1:R1-{n:06}:receipt:v1/receipt/e1/r1")
}

#[tokio::test]
async fn sale_and_its_paper_go_up_in_order_and_wait_no_more() {
    let (till, office) = till_and_office().await;
    till.sell(1).await;
    till.print().await;
    let cloud = start(&till, &office, without_repair()).await;
    until_sent(&till).await;
    let paper = receipt_record(1).replace("/receipt/e1/r1", "/print/e1/r3");
    assert_eq!(office.state().stored, [receipt_record(1), paper]);
    let fact = office.state().books[&receipt_record(1)].body.clone();
    let fact: ReceiptFact = serde_json::from_value(fact).unwrap();
    assert_eq!(
        (fact.takings_minor, fact.z_no, fact.day.to_string().as_str()),
        (1_250, 1, "2026-10-12")
    );
    assert_eq!(fact.receipt.unwrap()["order_no"], "R1-000001");
    till.sell(2).await;
    until_sent(&till).await;
    assert_eq!(office.books().len(), 3, "woken by the commit");
    cloud.stop().await;
}

#[tokio::test]
async fn answer_lost_after_the_commit_makes_one_sale() {
    let (till, office) = till_and_office().await;
    till.sell(1).await;
    office.fail([Fault::AnswerLost, Fault::AnswerLost, Fault::AnswerLost]);
    let _cloud = start(&till, &office, without_repair()).await;
    until_sent(&till).await;
    let state = office.state();
    assert_eq!(state.stored, [receipt_record(1)]);
    assert_eq!(state.replayed, [receipt_record(1), receipt_record(1), receipt_record(1)]);
}

#[tokio::test]
async fn answer_that_is_late_is_asked_for_again_with_the_same_ids() {
    let (till, office) = till_and_office().await;
    till.sell(1).await;
    office.fail([Fault::Slow(Duration::from_secs(8))]);
    let _cloud = start(&till, &office, without_repair()).await;
    until_sent(&till).await;
    assert_eq!(office.state().stored, [receipt_record(1)]);
    assert_eq!(office.state().requests.len(), 2, "repeated on another connection");
}

/// The line drops again in the middle of sending (odoo/odoo#261096).
#[tokio::test]
async fn line_that_drops_in_the_middle_leaves_the_rest_waiting_and_they_follow_unasked() {
    let (till, office) = till_and_office().await;
    for n in 1..=10 {
        till.sell(n).await;
    }
    office.fail([Fault::Judges(4)]);
    office.fail((0..100).map(|_| Fault::Unreachable));
    office.state().channel_fault = Some(unreachable);
    let _cloud = start(&till, &office, without_repair()).await;
    until("four are acknowledged", async || till.waiting().await, |waiting| *waiting == 6).await;
    assert_eq!(office.books().len(), 4);
    // The network is back: nobody asks for it, and the next try by the schedule may be minutes away.
    office.state().faults.clear();
    office.state().channel_fault = None;
    let _session = office.session().await;
    until_sent(&till).await;
    assert_eq!(office.books().len(), 10);
    assert_eq!(office.state().stored.len(), 10);
}

#[tokio::test]
async fn refused_sale_is_on_the_managers_list_and_the_others_go_on() {
    let (till, office) = till_and_office().await;
    office.state().refuses.insert("R1-000002".into());
    for n in 1..=5 {
        till.sell(n).await;
        till.print().await;
    }
    let _cloud = start(&till, &office, without_repair()).await;
    until_sent(&till).await;
    assert_eq!(office.books().len(), 8, "the sales 1, 3, 4 and 5 with their papers");
    let parked = till.store.parked_records(9).await.unwrap();
    let codes: Vec<_> =
        parked.iter().map(|record| (record.kind.as_str(), record.code.as_str())).collect();
    assert_eq!(codes, [("receipt", "invalid_receipt"), ("print", "parked_behind")]);
    assert_eq!(till.store.outbox_counts().await.unwrap().parked, 2);

    office.state().refuses.clear();
    assert_eq!(till.store.send_again(parked[0].id).await.unwrap(), 2);
    until_sent(&till).await;
    assert_eq!(office.books().len(), 10);
    assert_eq!(till.store.parked_records(9).await.unwrap(), []);
}

#[tokio::test]
async fn given_up_record_leaves_the_list_and_takes_what_follows_with_it() {
    let (till, office) = till_and_office().await;
    office.state().refuses.insert("R1-000001".into());
    till.sell(1).await;
    let _cloud = start(&till, &office, without_repair()).await;
    let list = async || till.store.parked_records(9).await.unwrap();
    let parked = until("it is parked", list, |parked| parked.len() == 1).await;
    assert!(till.store.give_up(parked[0].id, " ".into(), till.now()).await.is_err(), "no reason");
    till.store.give_up(parked[0].id, "test sale".into(), till.now()).await.unwrap();
    till.print().await;
    until_sent(&till).await;
    assert_eq!(till.store.parked_records(9).await.unwrap(), []);
    assert!(till.store.give_up(parked[0].id, "again".into(), till.now()).await.is_err());
}

#[tokio::test]
async fn same_id_with_another_body_is_a_conflict_and_changes_nothing() {
    let (till, office) = till_and_office().await;
    till.sell(1).await;
    let due = till.store.due_records(tillroll_store::RecordId(0), 1, 1, till.now()).await.unwrap();
    let mut other = due[0].record.clone();
    other.fingerprint = tillroll_domain::fingerprint::Fingerprint::of(b"other");
    office.state().books.insert(receipt_record(1), other.clone());
    let _cloud = start(&till, &office, without_repair()).await;
    let list = async || till.store.parked_records(9).await.unwrap();
    let parked = until("it is parked", list, |parked| parked.len() == 1).await;
    assert_eq!(parked[0].code, "conflict");
    assert_eq!(office.state().books[&receipt_record(1)], other);
}

#[tokio::test]
async fn verdict_on_a_record_that_was_not_sent_changes_nothing() {
    let (till, office) = till_and_office().await;
    till.sell(1).await;
    office.fail([Fault::SlipsIn("S2:R9-000001:receipt:v1/receipt/e1/r1".into())]);
    let _cloud = start(&till, &office, without_repair()).await;
    until_sent(&till).await;
    let hours = till.store.cloud_digests(0, i64::MAX).await.unwrap();
    assert_eq!(hours.iter().map(|hour| hour.count).sum::<u64>(), 1);
}

#[tokio::test]
async fn revoked_credential_is_shown_and_no_storm() {
    let (till, office) = till_and_office().await;
    till.sell(1).await;
    office.fail([Fault::Refuses(Problem::new(Code::Unauthorized, "revoked"))]);
    let cloud = start(&till, &office, without_repair()).await;
    let refused = |status: &tillroll_sync::CloudStatus| {
        matches!(status.connection, Connectivity::Refused { code: Code::Unauthorized, .. })
    };
    status(&cloud, "it is refused", refused).await;
    for n in 2..20 {
        till.sell(n).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(office.state().requests.len(), 1, "sales go on, requests do not");
    cloud.retry();
    until_sent(&till).await;
    assert_eq!(office.books().len(), 19);
}

#[tokio::test]
async fn head_office_that_wants_to_be_left_alone_is() {
    let (till, office) = till_and_office().await;
    till.sell(1).await;
    let busy = Problem { retry_after_ms: Some(400), ..Problem::new(Code::RateLimited, "busy") };
    office.fail([Fault::Refuses(busy), Fault::NotNow(300)]);
    let cloud = start(&till, &office, without_repair()).await;
    cloud.retry();
    until_sent(&till).await;
    let requests = office.state().requests.clone();
    assert_eq!(requests.len(), 3, "{requests:?}");
    assert!(requests[1] - requests[0] >= Duration::from_millis(400), "{requests:?}");
    assert!(requests[2] - requests[1] >= Duration::from_millis(300), "{requests:?}");
}

/// The till's clock is wrong, and is set right while a retry waits (odoo/odoo#271581).
#[tokio::test]
async fn clock_three_days_off_is_told_and_loses_nothing() {
    let (till, office) = till_and_office().await;
    till.clock.set(SignedDuration::from_hours(-72));
    till.sell(1).await;
    till.sell(2).await;
    office.fail([Fault::Unreachable, Fault::Unreachable]);
    let cloud = start(&till, &office, without_repair()).await;
    // Set right while a retry waits: it comes neither at once in a storm nor in three days.
    let mut session = office.unwelcomed().await;
    session.hello().await;
    session.welcome(till.clock.truth()).await;
    until_sent(&till).await;
    let drift = cloud.status().drift.unwrap();
    let hours = |drift: SignedDuration| (drift.as_mins() + 30) / 60;
    assert_eq!(hours(drift), 72, "{drift:?}");
    let notices = async || till.store.notices().await.unwrap();
    let told = until("a person is told", notices, |notices| notices.len() == 1).await;
    assert_eq!(told[0].code, "clock_drift");
    assert!(told[0].detail.contains("72h"), "{}", told[0].detail);
    let CloudRow { drift, .. } = till.store.cloud().await.unwrap().unwrap();
    assert_eq!(hours(drift.unwrap()), 72);

    till.clock.set(SignedDuration::from_hours(72));
    till.sell(3).await;
    until_sent(&till).await;
    until("it is put away", notices, Vec::is_empty).await;
    let recorded: Vec<_> = office.state().books.values().map(|record| record.recorded_at).collect();
    let later = |at: jiff::Timestamp| at.duration_since(recorded[0]).as_hours();
    let hours: Vec<_> = recorded.iter().copied().map(later).collect();
    assert_eq!(hours, [0, 0, 72], "each as the register had it");
    assert!(office.state().requests.len() < 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn backlog_drains_while_new_sales_are_recorded_at_once() {
    const BACKLOG: u32 = 2_000;
    let (till, office) = till_and_office().await;
    let till = std::sync::Arc::new(till);
    for from in (1..=BACKLOG).step_by(200) {
        let mut sales = tokio::task::JoinSet::new();
        for n in from..from + 200 {
            let till = std::sync::Arc::clone(&till);
            sales.spawn(async move { till.sell(n).await });
        }
        sales.join_all().await;
    }
    assert_eq!(till.waiting().await, i64::from(BACKLOG));
    let cloud = start(&till, &office, without_repair()).await;
    let mut slowest = Duration::ZERO;
    let mut n = BACKLOG;
    while till.waiting().await > 0 {
        n += 1;
        let began = tokio::time::Instant::now();
        till.sell(n).await;
        slowest = slowest.max(began.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(slowest < Duration::from_secs(1), "a sale took {slowest:?}");
    assert_eq!(office.books().len(), usize::try_from(n).unwrap());
    assert_eq!(office.state().stored.len(), usize::try_from(n).unwrap(), "each once");
    assert!(office.state().requests.len() < 200, "in batches: {}", office.state().requests.len());
    cloud.stop().await;
}

#[tokio::test]
async fn record_that_spoils_every_batch_is_parked_alone() {
    let (till, office) = till_and_office().await;
    office.state().chokes_on = Some("R1-000003".into());
    for n in 1..=5 {
        till.sell(n).await;
    }
    let _cloud = start(&till, &office, without_repair()).await;
    let list = async || till.store.parked_records(9).await.unwrap();
    let parked = until("it is parked", list, |parked| parked.len() == 1).await;
    assert_eq!(parked[0].request_id, receipt_record(3));
    assert_eq!(parked[0].code, "too_large");
    until_sent(&till).await;
    assert_eq!(office.books().len(), 4);
}

#[tokio::test]
async fn try_that_hangs_is_given_up_when_the_connection_is_back() {
    let (till, office) = till_and_office().await;
    till.sell(1).await;
    office.fail((0..5).map(|_| Fault::Unreachable));
    office.fail([Fault::Slow(Duration::from_secs(3_600)), Fault::Slow(Duration::from_secs(3_600))]);
    office.state().channel_fault = Some(unreachable);
    let slow = tillroll_sync::Timings { upload: Duration::from_secs(3_600), ..without_repair() };
    let cloud = start(&till, &office, slow).await;
    let tries = async || office.state().requests.len();
    until("five tries failed", tries, |tries| *tries == 5).await;
    cloud.retry();
    until("the sixth hangs", tries, |tries| *tries >= 6).await;
    office.state().channel_fault = None;
    let _session = office.session().await;
    until_sent(&till).await;
    assert_eq!(office.state().stored.len(), 1);
}
