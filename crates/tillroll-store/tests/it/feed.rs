//! Wake-ups of the workers and hints for whoever looks.

use tillroll_domain::print_job::Verb;
use tillroll_store::{Hint, NewReceipt, PrinterId};

use crate::support::{Till, claiming, printer};

/// Whether the bell of a printer's worker rang since it was last heard.
async fn rang(till: &Till, printer: PrinterId) -> bool {
    let bell = till.store.feed().bell(printer);
    tokio::select! {
        biased;
        () = bell.notified() => true,
        () = std::future::ready(()) => false,
    }
}

#[tokio::test]
async fn commit_that_makes_work_wakes_the_worker_of_its_printer_alone() {
    let till = Till::new().await;
    let spare = till.store.add_printer(printer("spare")).await.unwrap();
    assert!(!rang(&till, till.front).await);
    till.sell(1).await;
    assert!(rang(&till, till.front).await && !rang(&till, spare).await);
    till.sell(1).await;
    assert!(!rang(&till, till.front).await, "a replay makes no work");
}

#[tokio::test]
async fn job_claimed_in_its_own_commit_wakes_nobody() {
    let till = Till::new().await;
    till.record(NewReceipt { claiming: Some(claiming()), ..till.sale(1) }).await;
    assert!(!rang(&till, till.front).await);
}

#[tokio::test]
async fn reroute_wakes_both_printers() {
    let till = Till::new().await;
    let spare = till.store.add_printer(printer("spare")).await.unwrap();
    let job = till.sell(1).await;
    assert!(rang(&till, till.front).await);
    till.ask(&job, Verb::Reroute).await.unwrap();
    assert!(rang(&till, till.front).await && rang(&till, spare).await);
}

#[tokio::test]
async fn listener_hears_of_a_job_once_recorded_and_once_settled() {
    let till = Till::new().await;
    let mut hints = till.store.feed().listen();
    till.sell(1).await;
    till.print(till.front).await;
    let expected = Hint::Job { id: "S1:R1-000001:receipt:v1".into() };
    assert_eq!(hints.try_recv().unwrap(), expected);
    assert_eq!(hints.try_recv().unwrap(), expected);
    assert!(hints.try_recv().is_err());
}
