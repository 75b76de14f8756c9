//! Printers, their routes, and what becomes of jobs when one is removed.

use tillroll_domain::ids::JobKind;
use tillroll_domain::print_job::{JobCause, JobState, Verb};
use tillroll_store::{NewPrinter, StoreError};

use crate::support::{Till, printer};

#[tokio::test]
async fn first_printer_is_the_route_of_every_kind_until_another_is_set() {
    let till = Till::new().await;
    let kitchen = till.store.add_printer(printer("kitchen")).await.unwrap();
    till.store.set_route(JobKind::Kitchen, "kitchen".into()).await.unwrap();
    let routed = |kind| till.store.printer_for(kind, None);
    assert_eq!(routed(JobKind::Receipt).await.unwrap().id, till.front);
    assert_eq!(routed(JobKind::Kitchen).await.unwrap().id, kitchen);
    let named = till.store.printer_for(JobKind::Kitchen, Some("front".into())).await.unwrap();
    assert_eq!(named.id, till.front);
    assert_eq!(till.store.routes().await.unwrap().len(), JobKind::ALL.len());
}

#[tokio::test]
async fn name_of_a_printer_is_its_own_and_free_again_once_removed() {
    let till = Till::new().await;
    let taken = till.store.add_printer(printer("front")).await;
    assert!(matches!(&taken, Err(StoreError::Taken { name, .. }) if name == "front"), "{taken:?}");
    till.store.remove_printer(till.front, till.now()).await.unwrap();
    let again = till.store.add_printer(printer("front")).await.unwrap();
    assert_ne!(again, till.front);
    assert_eq!(till.store.printers().await.unwrap().len(), 1);
    assert_eq!(till.store.printer_named("front".into()).await.unwrap().id, again);
}

#[tokio::test]
async fn routes_of_a_removed_printer_go_to_the_oldest_that_is_left() {
    let till = Till::new().await;
    let bar = till.store.add_printer(printer("bar")).await.unwrap();
    let kitchen = till.store.add_printer(printer("kitchen")).await.unwrap();
    till.store.set_route(JobKind::Kitchen, "kitchen".into()).await.unwrap();
    till.store.remove_printer(till.front, till.now()).await.unwrap();
    let routed = |kind| till.store.printer_for(kind, None);
    assert_eq!(routed(JobKind::Receipt).await.unwrap().id, bar);
    assert_eq!(routed(JobKind::Kitchen).await.unwrap().id, kitchen);
}

#[tokio::test]
async fn settings_change_and_pause_are_kept() {
    let till = Till::new().await;
    let changed = NewPrinter { columns: Some(32), drawer_pin: 1, ..printer("front") };
    till.store.change_printer(changed.clone()).await.unwrap();
    till.store.pause_printer(till.front, true).await.unwrap();
    let found = till.store.printer_named("front".into()).await.unwrap();
    assert_eq!((found.settings, found.paused), (changed, true));
    let unknown = till.store.change_printer(printer("attic")).await;
    assert!(matches!(unknown, Err(StoreError::NotFound { what: "printer", .. })));
}

#[tokio::test]
async fn jobs_waiting_for_a_removed_printer_fail_and_the_others_stay() {
    let till = Till::new().await;
    let mut jobs = Vec::new();
    for (n, state) in (1..).zip(JobState::ALL) {
        let job = till.job_in(n, state).await;
        let removed = till.store.remove_printer(job.printer, till.now()).await;
        if state == JobState::Printing {
            assert!(matches!(removed, Err(StoreError::Forbidden(_))), "{removed:?}");
        } else {
            removed.unwrap();
        }
        jobs.push((state, till.job(&job).await));
    }
    for (state, job) in jobs {
        let waited = matches!(state, JobState::Pending | JobState::Held);
        assert_eq!(job.state, if waited { JobState::Failed } else { state });
        if waited {
            assert_eq!(job.reason, Some(JobCause::PrinterRemoved.into()));
        }
    }
}

#[tokio::test]
async fn nothing_is_queued_for_a_printer_that_was_removed() {
    let till = Till::new().await;
    till.store.add_printer(printer("spare")).await.unwrap();
    for (n, state, verb) in
        [(1, JobState::Failed, Verb::Retry), (2, JobState::Unconfirmed, Verb::NotOnPaper)]
    {
        let job = till.job_in(n, state).await;
        till.store.remove_printer(job.printer, till.now()).await.unwrap();
        let refused = till.ask(&job, verb).await;
        assert!(matches!(refused, Err(StoreError::Forbidden(_))), "{verb}: {refused:?}");
        assert_eq!(till.job(&job).await.state, state);
        assert_eq!(till.ask(&job, Verb::Reroute).await.unwrap().job.state, JobState::Pending);
    }
    let sale = till.sale(3);
    till.store.remove_printer(till.front, till.now()).await.unwrap();
    let refused = till.store.record_receipt(sale).await;
    assert!(matches!(refused, Err(StoreError::NotFound { what: "printer", .. })), "{refused:?}");
}

#[tokio::test]
async fn copy_of_what_a_removed_printer_printed_goes_the_way_of_its_kind() {
    let till = Till::new().await;
    let job = till.job_in(1, JobState::Printed).await;
    till.store.remove_printer(job.printer, till.now()).await.unwrap();
    assert_eq!(till.ask(&job, Verb::Copy).await.unwrap().job.printer, till.front);
}

#[tokio::test]
async fn next_sale_sees_a_route_or_printer_that_changed_since_the_last() {
    let till = Till::new().await;
    let routed = || till.store.printer_for(JobKind::Receipt, None);
    let named = |name: &str| till.store.printer_for(JobKind::Receipt, Some(name.into()));
    assert_eq!(routed().await.unwrap().id, till.front);
    assert!(named("back").await.is_err());
    let back = till.store.add_printer(printer("back")).await.unwrap();
    assert_eq!(named("back").await.unwrap().id, back);
    till.store.set_route(JobKind::Receipt, "back".into()).await.unwrap();
    assert_eq!(routed().await.unwrap().id, back);
    till.store.pause_printer(back, true).await.unwrap();
    assert!(routed().await.unwrap().paused);
    till.store.remove_printer(back, till.now()).await.unwrap();
    assert!(named("back").await.is_err());
    assert_eq!(routed().await.unwrap().id, till.front, "the printer that is left");
    till.store.remove_printer(till.front, till.now()).await.unwrap();
    assert!(routed().await.is_err());
}
