//! A full disk and a failing commit: refused before anything counts, and right when asked again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use tillroll_domain::print_job::JobState;
use tillroll_sqlite::{CommitFault, Condition, Options};
use tillroll_store::{Store, StoreError, StoreOptions};
use tillroll_testkit::{ManualClock, SmallDisk};

use crate::support::{Till, printer, proved, settings, settlement};

/// Sells until the disk refuses; the number refused.
async fn sell_until_full(till: &Till) -> u32 {
    for n in 1.. {
        match till.store.record_receipt(till.sale(n)).await {
            Ok(recorded) => assert_eq!(recorded.job.flow_no, i64::from(n)),
            Err(StoreError::DiskFull) => return n,
            Err(other) => panic!("sale {n}: {other}"),
        }
    }
    unreachable!()
}

#[tokio::test]
async fn full_disk_refuses_the_sale_and_takes_it_once_there_is_space_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 2) else { return };
    let data = tempfile::tempdir_in(disk.path()).unwrap();
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 768 << 10]).unwrap();
    let store = Store::create(data.path(), &settings(), StoreOptions::default()).unwrap();
    let front = store.add_printer(printer("front")).await.unwrap();
    let clock = ManualClock::reading("2026-10-12T10:00:00+08:00");
    let till = Till { store, clock, front, folder: data };

    let refused = sell_until_full(&till).await;
    assert!(refused > 20, "{refused}");
    for _ in 0..3 {
        let again = till.store.record_receipt(till.sale(refused)).await;
        assert!(matches!(again, Err(StoreError::DiskFull)), "{again:?}");
    }
    assert_eq!(till.store.health().condition, Condition::DiskFull);
    let day = till.store.day(till.today()).await.unwrap();
    assert_eq!(day.register.receipts, i64::from(refused) - 1, "what was refused does not count");

    std::fs::remove_file(&ballast).unwrap();
    let recorded = till.store.record_receipt(till.sale(refused)).await.unwrap();
    assert_eq!((recorded.replayed, recorded.job.flow_no), (false, i64::from(refused)));
    assert!(till.store.record_receipt(till.sale(refused)).await.unwrap().replayed);
    assert_eq!(till.store.health().condition, Condition::Healthy);
    let (till, opened) = till.reopen();
    assert_eq!(opened.new_epoch, None);
    let day = till.store.day(till.today()).await.unwrap();
    assert_eq!(day.register.receipts, i64::from(refused));
    assert!(day.flow_numbers.into_iter().map(|flow| flow.number).eq(1..=i64::from(refused)));
    till.store.close().unwrap();
}

/// A till whose commits fail while the switch is on.
async fn with_faulty_commits() -> (Till, Arc<AtomicBool>) {
    let failing = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&failing);
    let fault = CommitFault::new(move || match switch.load(SeqCst) {
        true => Err(std::io::Error::other("sync failed")),
        false => Ok(()),
    });
    let database = Options { commit_fault: Some(fault), ..Options::default() };
    (Till::with(settings(), StoreOptions { database }).await, failing)
}

#[tokio::test]
async fn receipt_whose_commit_failed_is_recorded_once_when_asked_again() {
    let (till, failing) = with_faulty_commits().await;
    till.sell(1).await;
    failing.store(true, SeqCst);
    let unknown = till.store.record_receipt(till.sale(2)).await;
    assert!(matches!(unknown, Err(StoreError::OutcomeUnknown)), "{unknown:?}");
    failing.store(false, SeqCst);
    let again = till.store.record_receipt(till.sale(2)).await.unwrap();
    assert_eq!(again.job.flow_no, 2);
    assert!(till.store.record_receipt(till.sale(2)).await.unwrap().replayed);
    let (till, opened) = till.reopen();
    assert_eq!(opened.new_epoch, None, "the mark knows acknowledged numbers only");
    assert_eq!(till.store.jobs(None, 9).await.unwrap().len(), 2);
}

#[tokio::test]
async fn settlement_whose_commit_failed_can_be_made_again() {
    let (till, failing) = with_faulty_commits().await;
    till.sell(1).await;
    till.sell(2).await;
    let claimed = till.claim(till.front).await;
    let claim = till.next_claim(till.front).await;
    let ended = Some(settlement(&claimed, proved()));
    failing.store(true, SeqCst);
    let unknown =
        till.store.settle_and_claim(till.front, ended.clone(), claim.clone(), till.now()).await;
    assert!(matches!(unknown, Err(StoreError::OutcomeUnknown)), "{unknown:?}");
    failing.store(false, SeqCst);
    let (settled, next) =
        till.store.settle_and_claim(till.front, ended, claim, till.now()).await.unwrap();
    assert_eq!(settled.unwrap().state, JobState::Printed);
    assert!(next.is_some());
}
