//! Orders of a delivery platform go to the right paper, once.

use std::sync::Arc;

use anyhow::Result;
use tillroll_register::SystemClock;
use tillroll_register::view::CloudState;

use crate::head_office::{HeadOffice, PATIENCE, kitchen};
use crate::till::Till;

#[tokio::test(flavor = "multi_thread")]
async fn order_prints_at_the_store_it_is_for_and_nowhere_else() -> Result<()> {
    let office = HeadOffice::open(&["S1", "S2"]).await?;
    let first = Till::open(&office, "R1", "kitchen").await?;
    let code = office.code_in(1, "R1").await?;
    let clock = Arc::new(SystemClock);
    let second = Till::with(&office, ("S2", "R1"), "kitchen", &code, clock).await?;
    let id = office.order(&kitchen("A-1")).await?;
    let job = office.until(&id, "printed").await?;
    assert_eq!(job["register"], "R1");
    let tickets = first.printer("kitchen")?.wait_for_tickets(1, PATIENCE).await?;
    assert!(tickets[0].text().contains("Beef noodles"), "{}", tickets[0].text());
    // The same number at another store is another order.
    office.order_in(1, &kitchen("A-1")).await?;
    second.printer("kitchen")?.wait_for_tickets(1, PATIENCE).await?;
    assert_eq!(first.printer("kitchen")?.cut_tickets(), 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn order_that_is_sent_again_prints_once() -> Result<()> {
    let mut office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "kitchen").await?;
    let id = office.order(&kitchen("A-1")).await?;
    office.until(&id, "printed").await?;
    office.restart().await?;
    till.until_state(CloudState::Online).await?;
    office.order(&kitchen("A-1")).await.unwrap_err();
    assert_eq!(office.job(&id).await?["state"], "printed");
    assert_eq!(till.printer("kitchen")?.cut_tickets(), 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_register_says_so_and_sells_on() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "front").await?;
    office.revoke("R1").await?;
    let cloud = till.until_state(CloudState::Refused).await?;
    assert_eq!(cloud.code.as_deref(), Some("unauthorized"));
    let id = till.sell(1).await?;
    till.until_job(&id, "printed").await?;
    assert!(till.register.cloud().await?.unsent > 0);
    // A new code, and everything is told.
    let url = cloud.url.unwrap_or_default();
    let code = office.code_for("R1").await?;
    let body = tillroll_register::view::PairCloudBody { url, code };
    till.register.pair(&till.access, &body).await?;
    till.until_days_are_equal().await?;
    Ok(())
}
