//! The database file replaced by a copy of an hour ago: nothing prints again by itself.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tillroll_tests::api::{Api, job_id, receipt};
use tillroll_tests::paper_program::PaperProgram;
use tillroll_tests::register_program::RegisterProgram;

/// Copies the database as a careless backup does: file by file.
fn copy_database(from: &Path, to: &Path) -> anyhow::Result<()> {
    for name in ["register.db", "register.db-wal"] {
        let _ = fs::remove_file(to.join(name));
        if from.join(name).exists() {
            fs::copy(from.join(name), to.join(name))?;
        }
    }
    let _ = fs::remove_file(to.join("register.db-shm"));
    Ok(())
}

async fn sell(api: &Api, numbers: std::ops::Range<usize>) -> anyhow::Result<()> {
    for number in numbers {
        let (status, answer) = api.post("/v1/receipts", &receipt(number)).await?;
        assert!(status.is_success(), "{answer}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_prints_again_by_itself_from_an_older_copy() -> anyhow::Result<()> {
    let paper = PaperProgram::start("token", &[]).await?;
    let mut register = RegisterProgram::init()?;
    let backup = tempfile::tempdir()?;

    // The printer is away while the backup is made, so that the copy holds open jobs.
    let api = register.serve().await?;
    api.add_printer("front", "tcp://127.0.0.1:1", "token").await?;
    sell(&api, 0..5).await?;
    register.kill().await?;
    copy_database(&register.data(), backup.path())?;

    // An hour goes by: the open jobs print, and more are sold.
    let api = register.serve().await?;
    api.move_printer("front", &paper.uri()).await?;
    sell(&api, 5..9).await?;
    api.wait_until_quiet(Duration::from_secs(60)).await?;
    let before = paper.tickets()?.len();
    assert_eq!(before, 9);
    register.kill().await?;

    // The copy comes back.
    copy_database(backup.path(), &register.data())?;
    let api = register.serve().await?;
    api.move_printer("front", &paper.uri()).await?;
    sell(&api, 100..102).await?;
    api.wait_until_quiet(Duration::from_secs(60)).await?;

    let held = api.ids_in("held").await?;
    assert_eq!(held.len(), 5, "the copy's open jobs wait for an answer: {held:?}");
    let story = api.get(&format!("/v1/jobs/{}", job_id(0))).await?;
    assert_eq!(story["reason"], "restored");
    let notices = api.get("/v1/todo").await?;
    assert_eq!(notices["notices"][0]["code"], "restored", "a person is told");
    let newest = api.get(&format!("/v1/jobs/{}", job_id(100))).await?;
    assert!(newest["flow_no"].as_i64() > Some(9), "numbers go on above the mark: {newest}");
    register.kill().await?;
    assert_eq!(paper.end().await?.len(), before + 2, "only the new sales printed");
    Ok(())
}
