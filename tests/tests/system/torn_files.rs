//! A copy of the files taken at a random moment, its last page torn, as a power cut on a bad disk leaves
//! them: every acknowledged sale is there, or the damage is found, set aside and told.

use std::fs::{self, OpenOptions};
use std::path::Path;

use tillroll_tests::api::{job_id, receipt};
use tillroll_tests::register_program::RegisterProgram;

const SALES: usize = 500;
const COPIES: usize = 5;
/// SQLite's page.
const PAGE: u64 = 4096;

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_file() && name != "lock" && name != "register.db-shm" {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

/// Cuts the last page of a file in half.
fn tear(path: &Path) -> anyhow::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    let length = file.metadata()?.len();
    file.set_len(length.saturating_sub(PAGE / 2))?;
    Ok(())
}

/// The power goes (couchbase/couchbase-lite-ios#1482).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_sales_survive_torn_files_or_the_damage_is_told() -> anyhow::Result<()> {
    let mut register = RegisterProgram::init()?;
    let copies = tempfile::tempdir()?;
    let api = register.serve().await?;
    api.add_printer("front", "tcp://127.0.0.1:1", "token").await?;
    for number in 0..SALES {
        let (status, answer) = api.post("/v1/receipts", &receipt(number)).await?;
        assert!(status.is_success(), "{answer}");
        if number % (SALES / COPIES) == SALES / COPIES / 2 {
            copy(&register.data(), &copies.path().join(number.to_string()))?;
        }
    }
    register.kill().await?;
    for entry in fs::read_dir(copies.path())? {
        let folder = entry?.path();
        for torn in ["register.db-wal", "register.db"] {
            survives(&folder, torn).await?;
        }
    }
    Ok(())
}

/// Everything that was acknowledged before the copy was made is there, or the damage is told.
async fn survives(folder: &Path, torn: &str) -> anyhow::Result<()> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let acknowledged: usize = name.parse::<usize>()? + 1;
    let mut register = RegisterProgram::init()?;
    fs::remove_dir_all(register.data())?;
    copy(folder, &register.data())?;
    tear(&register.data().join(torn))?;
    let api = register.serve().await?;
    let todo = api.get("/v1/todo").await?;
    let told = todo["notices"].as_array().is_some_and(|notices| !notices.is_empty());
    let mut missing = Vec::new();
    for number in 0..acknowledged {
        if api.get(&format!("/v1/jobs/{}", job_id(number))).await.is_err() {
            missing.push(number);
        }
    }
    assert!(
        missing.is_empty() || told,
        "{torn} torn: {missing:?} of {acknowledged} are gone in silence"
    );
    // A torn tail of the log is a sale in flight at most: one already answered was synced before it.
    if torn == "register.db-wal" {
        assert!(missing.len() <= 1, "{torn} torn: {missing:?} of {acknowledged} are gone");
    }
    register.kill().await
}
