//! The database of a register is replaced by an older copy: what went with it is named, nothing prints again.

use std::fs;

use anyhow::Result;

use crate::head_office::{HeadOffice, kitchen};
use crate::till::Till;

#[tokio::test(flavor = "multi_thread")]
async fn sales_that_went_with_an_older_copy_are_named_on_the_managers_list() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "front").await?;
    till.sell(1).await?;
    till.until_days_are_equal().await?;
    let closed = till.close().await;
    let database = closed.data().join("register.db");
    let older = fs::read(&database)?;

    let till = closed.open().await?;
    let lost = till.sell(2).await?;
    let order = office.order(&kitchen("A-1")).await?;
    office.until(&order, "printed").await?;
    till.until_days_are_equal().await?;
    let closed = till.close().await;
    fs::write(&database, older)?;

    let till = closed.open().await?;
    till.until_named(&lost).await?;
    assert!(till.register.job(&order).await.is_err(), "what came down is history, never work");
    assert_eq!(office.job(&order).await?["state"], "printed");
    till.until_difference("cloud").await?;
    let new = till.sell(3).await?;
    till.until_job(&new, "printed").await?;
    Ok(())
}
