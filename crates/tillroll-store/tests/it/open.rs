//! Making and opening the data folder.

use tillroll_store::{Store, StoreError, StoreOptions};

use crate::support::{Till, settings};

fn create(folder: &std::path::Path) -> Result<Store, StoreError> {
    Store::create(folder, &settings(), StoreOptions::default())
}

#[tokio::test]
async fn settings_read_back_and_the_first_epoch_is_one() {
    let till = Till::new().await;
    assert_eq!(till.store.settings().unwrap(), settings());
    assert_eq!(till.store.epoch(), 1);
    let (till, opened) = till.reopen();
    assert_eq!(till.store.settings().unwrap(), settings());
    assert_eq!((till.store.epoch(), opened.new_epoch), (1, None));
    assert!(till.store.notices().await.unwrap().is_empty());
}

#[tokio::test]
async fn folder_that_holds_a_register_is_not_made_anew() {
    let till = Till::new().await;
    till.sell(1).await;
    let closed = till.close();
    let again = create(closed.folder.path());
    assert!(matches!(again, Err(StoreError::AlreadyInitialised)));
    assert_eq!(closed.open().0.store.jobs(None, 9).await.unwrap().len(), 1);
}

#[test]
fn folder_without_a_register_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let opened = Store::open(folder.path(), StoreOptions::default(), jiff::Timestamp::UNIX_EPOCH);
    assert!(matches!(opened, Err(StoreError::NotInitialised)));
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "and nothing is made");
}

#[tokio::test]
async fn making_that_was_cut_off_can_be_done_again() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path()).unwrap().close().unwrap();
    std::fs::remove_file(folder.path().join("installation.json")).unwrap();
    let store = create(folder.path()).unwrap();
    assert_eq!((store.epoch(), store.settings().unwrap()), (1, settings()));
}

#[tokio::test]
async fn database_in_use_is_not_made_anew_although_the_installation_file_is_lost() {
    let till = Till::new().await;
    till.sell(1).await;
    let closed = till.close();
    std::fs::remove_file(closed.folder.path().join("installation.json")).unwrap();
    let again = create(closed.folder.path());
    assert!(matches!(again, Err(StoreError::AlreadyInitialised)));
}

#[tokio::test]
async fn installation_file_that_cannot_be_read_is_named() {
    let closed = Till::new().await.close();
    std::fs::write(closed.folder.path().join("installation.json"), b"{").unwrap();
    let opened =
        Store::open(closed.folder.path(), StoreOptions::default(), jiff::Timestamp::UNIX_EPOCH);
    assert!(matches!(opened, Err(StoreError::Unreadable(_))));
}

#[tokio::test]
async fn every_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let till = Till::new().await;
    till.sell(1).await;
    let files: Vec<_> =
        std::fs::read_dir(till.folder.path()).unwrap().map(Result::unwrap).collect();
    assert!(files.len() >= 5, "database, its log and index, mark, installation: {files:?}");
    for file in files {
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{file:?}");
    }
}
