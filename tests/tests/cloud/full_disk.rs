//! A register on a disk that is full.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use tillroll_register::SystemClock;
use tillroll_register::problem::{Code, Problem};
use tillroll_testkit::SmallDisk;

use crate::head_office::HeadOffice;
use crate::till::Till;

/// A register whose data lie on that disk, with so many KiB of it taken away.
async fn till_on(disk: &SmallDisk, office: &HeadOffice, kib: usize) -> Result<Till> {
    let folder = tempfile::tempdir_in(disk.path())?;
    let code = office.code_for("R1").await?;
    let clock = Arc::new(SystemClock);
    let till = Till::within(folder, office, ("S1", "R1"), "front", &code, clock).await?;
    std::fs::write(ballast(disk), vec![0; kib << 10])?;
    Ok(till)
}

fn ballast(disk: &SmallDisk) -> PathBuf {
    disk.path().join("ballast")
}

/// Sells until a sale is refused for want of space; its number.
async fn sell_until_full(till: &Till) -> Result<usize> {
    for n in 1..5_000 {
        if let Err(refused) = till.sell(n).await {
            let problem: &Problem = refused.downcast_ref().context("no problem")?;
            ensure!(problem.code == Code::DiskFull, "sale {n}: {problem:?}");
            return Ok(n);
        }
    }
    anyhow::bail!("the disk never filled")
}

/// A sale that cannot be stored does not count, and nothing is sent that cannot be marked as sent
/// (victronenergy/venus#402).
#[tokio::test(flavor = "multi_thread")]
async fn full_disk_refuses_the_sale_doubles_nothing_and_goes_on_once_there_is_space() -> Result<()>
{
    let mount = tempfile::tempdir()?;
    let Some(disk) = SmallDisk::mount(&mount.path().join("disk"), 2) else { return Ok(()) };
    let office = HeadOffice::open(&["S1"]).await?;
    let till = till_on(&disk, &office, 512).await?;
    let refused = sell_until_full(&till).await?;
    assert!(refused > 5, "{refused}");
    assert!(till.sell(refused).await.is_err(), "still");
    assert_eq!(till.day().await?.register.receipts, refused as i64 - 1);

    std::fs::remove_file(ballast(&disk))?;
    till.sell(refused).await?;
    let day = till.until_days_are_equal().await?;
    let sold = refused as i64;
    assert_eq!((day.register.receipts, day.register.gross_minor), (sold, sold * 1_250));
    Ok(())
}
