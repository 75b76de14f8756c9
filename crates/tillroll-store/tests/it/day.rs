//! The day from the register's own rows: totals, papers, sessions, the close and what comes after it.

use jiff::civil::date;
use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Minor;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_domain::receipt::{Receipt, Tender};
use tillroll_domain::reconciliation::{Cash, PaperCounts, Totals, differences};
use tillroll_store::{CashMovement, Closing, DayView, MovementKind, SessionView, StoreError};
use tillroll_testkit::receipts;

use crate::support::{Till, settings};

fn sale(number: u32, total: i64, tenders: &[(&str, i64)], change: i64) -> Receipt {
    let mut receipt = Receipt::new(format!("{number:06}").parse().unwrap(), JobKind::Receipt);
    receipt.total_minor = Some(Minor(total));
    receipt.change_minor = Some(Minor(change));
    receipt.tenders = tenders
        .iter()
        .map(|(name, amount)| Tender {
            tender_type: name.parse().unwrap(),
            amount_minor: Minor(*amount),
        })
        .collect();
    receipt
}

async fn today(till: &Till) -> DayView {
    till.store.day(till.today()).await.unwrap()
}

async fn close(till: &Till, z_no: i64) -> Result<(), StoreError> {
    let closing = Closing {
        day: till.today(),
        z_no: Some(z_no),
        count: None,
        client: None,
        register: "R1".into(),
    };
    let figures = |_: &DayView, _: &SessionView| Ok((r#"{"gross_minor":1250}"#.to_owned(), ()));
    till.store.close_session(closing, figures, till.now()).await
}

/// A day is cut in the shop's own zone (odoo/odoo#2115).
#[tokio::test]
async fn evening_sale_is_of_its_own_day_and_the_days_add_up_to_the_sales() {
    let sao_paulo = tillroll_store::RegisterSettings {
        zone: "America/Sao_Paulo".into(),
        cutoff: "00:00".into(),
        ..settings()
    };
    let till = Till::with(sao_paulo, Default::default()).await;
    let mut sum = Minor::ZERO;
    for (n, at) in (1..).zip([
        "2026-03-14T00:00:00-03:00",
        "2026-03-14T23:30:00-03:00",
        "2026-03-14T23:59:59.999-03:00",
        "2026-03-15T00:00:00-03:00",
    ]) {
        let at: jiff::Timestamp = at.parse().unwrap();
        till.clock.jump(at.duration_since(till.now()));
        let receipt = sale(n, 1_000 + i64::from(n), &[("card", 1_000 + i64::from(n))], 0);
        sum = sum + receipt.takings();
        till.record(till.new_receipt(&receipt)).await;
    }
    let fourteenth = till.store.day(date(2026, 3, 14)).await.unwrap().register;
    let fifteenth = till.store.day(date(2026, 3, 15)).await.unwrap().register;
    assert_eq!((fourteenth.receipts, fifteenth.receipts), (3, 1));
    assert_eq!(fourteenth.gross_minor + fifteenth.gross_minor, sum);
}

#[tokio::test]
async fn change_is_not_takings_and_the_drawer_holds_float_and_cash_sales() {
    let till = Till::new().await;
    let float = CashMovement {
        kind: MovementKind::Float,
        amount: Minor(20_000),
        reason: None,
        moved_at: till.now(),
    };
    till.store.record_cash(till.today(), float, None).await.unwrap();
    let drawer = |view: &DayView| Cash {
        float_minor: view.sessions[0].cash[0].amount,
        sales_minor: view.register.tenders["cash"],
        ..Cash::default()
    };
    let cash = sale(1, 6_000, &[("cash", 10_000)], 4_000);
    till.record(till.new_receipt(&cash)).await;
    let view = today(&till).await;
    assert_eq!(view.register.tenders["cash"], Minor(6_000));
    assert_eq!(drawer(&view).expected(), Minor(26_000));

    let mixed = sale(2, 5_000, &[("card", 3_000), ("cash", 2_500)], 500);
    till.record(till.new_receipt(&mixed)).await;
    let view = today(&till).await;
    assert_eq!(view.register.tenders["cash"], Minor(8_000));
    assert_eq!(view.register.tenders["card"], Minor(3_000));
    assert_eq!(drawer(&view).expected(), Minor(28_000));
}

#[tokio::test]
async fn totals_of_a_day_are_the_sum_of_its_receipts() {
    let till = Till::new().await;
    let mut expected = Totals::default();
    let mut recorded = 0;
    for (_, receipt) in receipts::samples() {
        expected.add(&receipt);
        recorded += i64::from(receipt.kind.moves_money());
        till.record(till.new_receipt(&receipt)).await;
    }
    till.store.declare_pos_totals(till.today(), Totals::default(), till.now()).await.unwrap();
    till.store.declare_pos_totals(till.today(), expected.clone(), till.now()).await.unwrap();
    let view = today(&till).await;
    assert_eq!(view.register, expected);
    assert_eq!(view.pos, Some(expected), "the last word counts");
    assert_eq!((view.paper.recorded, view.paper.waiting), (recorded, recorded));
    let samples = i64::try_from(receipts::samples().len()).unwrap();
    assert!(
        view.flow_numbers.into_iter().map(|flow| flow.number).eq(1..=samples),
        "every kind has a flow number"
    );
}

#[tokio::test]
async fn every_receipt_is_counted_once_by_what_became_of_its_paper() {
    let till = Till::new().await;
    let mut n = 0;
    for state in JobState::ALL {
        n += 1;
        till.job_in(n, state).await;
    }
    let by_clerk = till.job_in(n + 1, JobState::Sent).await;
    till.ask(&by_clerk, Verb::OnPaper).await.unwrap();
    let again = till.job_in(n + 2, JobState::Unconfirmed).await;
    till.ask(&again, Verb::NotOnPaper).await.unwrap();
    till.print(again.printer).await;
    let view = today(&till).await;
    let expected = PaperCounts {
        recorded: 10,
        printed: 2,
        confirmed_by_clerk: 1,
        skipped: 1,
        unconfirmed: 2,
        failed: 1,
        waiting: 3,
        reprinted: 1,
        ..PaperCounts::default()
    };
    assert_eq!(view.paper, expected);
    let listed = differences(None, &view.register, &view.paper, view.flow_numbers);
    assert_eq!(listed.len(), 3, "unconfirmed, failed and waiting, and none unaccounted");
}

#[tokio::test]
async fn copies_are_counted_apart() {
    let till = Till::new().await;
    let job = till.job_in(1, JobState::Printed).await;
    till.ask(&job, Verb::Copy).await.unwrap();
    assert_eq!(today(&till).await.paper.copies, 0, "not before it is printed");
    till.print(job.printer).await;
    let view = today(&till).await;
    assert_eq!((view.paper.recorded, view.paper.printed, view.paper.copies), (1, 1, 1));
    assert_eq!((view.register.receipts, view.register.gross_minor), (1, Minor(1_250)));
}

#[tokio::test]
async fn session_is_closed_once_and_a_later_sale_opens_the_next_of_the_same_day() {
    let till = Till::new().await;
    till.sell(1).await;
    close(&till, 1).await.unwrap();
    let twice = close(&till, 1).await;
    assert!(matches!(twice, Err(StoreError::Forbidden(_))), "{twice:?}");
    let nothing_open = close(&till, 2).await;
    assert!(matches!(nothing_open, Err(StoreError::Forbidden(_))), "{nothing_open:?}");

    till.sell(2).await;
    let stale = close(&till, 1).await;
    assert!(
        matches!(stale, Err(StoreError::Forbidden(_))),
        "the shown session is not the open one"
    );
    let view = today(&till).await;
    let sessions: Vec<_> = view.sessions.iter().map(|s| (s.z_no, s.closed_at.is_some())).collect();
    assert_eq!(sessions, [(1, true), (2, false)]);
    assert_eq!(view.sessions[0].closing.as_deref(), Some(r#"{"gross_minor":1250}"#));
    assert!(view.sessions.iter().all(|session| session.totals.receipts == 1));
    assert_eq!(view.register.receipts, 2, "the day has both");
    let record: String =
        till.value("SELECT request_id || ' ' || body FROM outbox WHERE kind = 'close'");
    assert_eq!(record, r#"R1:2026-10-12:z1/close/e1/r1 {"gross_minor":1250}"#);
}

#[tokio::test]
async fn close_counts_and_sums_in_one_transaction_or_not_at_all() {
    let till = Till::new().await;
    till.sell(1).await;
    let count = CashMovement {
        kind: MovementKind::Count,
        amount: Minor(1_200),
        reason: None,
        moved_at: till.now(),
    };
    let closing = |z_no| Closing {
        day: till.today(),
        z_no: Some(z_no),
        count: Some(count.clone()),
        client: None,
        register: "R1".into(),
    };
    let seen = |_: &DayView, session: &SessionView| {
        Ok((String::from("{}"), (session.totals.gross_minor, session.cash.clone())))
    };
    let refused = till.store.close_session(closing(2), seen, till.now()).await;
    assert!(matches!(refused, Err(StoreError::Forbidden(_))), "{refused:?}");
    assert_eq!(today(&till).await.sessions[0].cash, [], "a refused close counts nothing");
    let closed = till.store.close_session(closing(1), seen, till.now()).await.unwrap();
    assert_eq!(closed, (Minor(1_250), vec![count.clone()]));
}

#[tokio::test]
async fn report_on_a_closed_session_opens_none() {
    let till = Till::new().await;
    till.sell(1).await;
    close(&till, 1).await.unwrap();
    let report = Receipt::new("z1".parse().unwrap(), JobKind::Report);
    till.record(till.new_receipt(&report)).await;
    let view = today(&till).await;
    let numbers: Vec<_> = view.flow_numbers.iter().map(|flow| flow.number).collect();
    assert_eq!((view.sessions.len(), numbers), (1, vec![1, 2]));
}

#[tokio::test]
async fn session_numbers_go_on_over_the_days() {
    let till = Till::new().await;
    till.sell(1).await;
    close(&till, 1).await.unwrap();
    till.clock.advance(std::time::Duration::from_secs(86_400));
    till.sell(2).await;
    assert_eq!(today(&till).await.sessions[0].z_no, 2);
    close(&till, 2).await.unwrap();
}

#[tokio::test]
async fn answer_after_the_close_is_a_correction_and_the_closed_figures_stay() {
    let till = Till::new().await;
    let job = till.job_in(1, JobState::Unconfirmed).await;
    close(&till, 1).await.unwrap();
    till.ask(&job, Verb::OnPaper).await.unwrap();
    till.ask(&job, Verb::OnPaper).await.unwrap();
    let view = today(&till).await;
    let session = &view.sessions[0];
    assert_eq!(session.closing.as_deref(), Some(r#"{"gross_minor":1250}"#));
    assert_eq!(session.corrections.len(), 1, "the same answer twice is one");
    let correction = &session.corrections[0];
    assert_eq!((correction.was, correction.became), (JobState::Unconfirmed, JobState::Printed));
    assert_eq!(correction.job_id, job.job_id.to_string());
    let story = till.store.story(job.job_id.to_string()).await.unwrap();
    let records: Vec<_> = story.records.iter().map(|record| record.request_id.as_str()).collect();
    let version = till.job(&job).await.row_version;
    let made = |kind: &str, version| format!("{}/{kind}/e1/r{version}", job.job_id);
    assert_eq!(records, [made("receipt", 1), made("print", version), made("correction", version)]);
}

#[tokio::test]
async fn job_that_was_settled_before_the_close_needs_no_correction() {
    let till = Till::new().await;
    let job = till.job_in(1, JobState::Printed).await;
    let kitchen = till.record(till.new_receipt(&receipts::kitchen_order())).await;
    close(&till, 1).await.unwrap();
    till.ask(&job, Verb::Copy).await.unwrap();
    till.print(job.printer).await;
    till.print(kitchen.printer).await;
    let view = today(&till).await;
    assert!(view.sessions[0].corrections.is_empty(), "copies and kitchen orders move no money");
}

#[tokio::test]
async fn records_for_the_head_office_are_counted_with_the_age_of_the_oldest() {
    let till = Till::new().await;
    assert_eq!(till.store.outbox_counts().await.unwrap(), Default::default());
    let oldest = till.now();
    till.sell(1).await;
    till.clock.advance(std::time::Duration::from_secs(60));
    till.print(till.front).await;
    let counts = till.store.outbox_counts().await.unwrap();
    assert_eq!((counts.waiting, counts.oldest_at), (2, Some(oldest)));
}
