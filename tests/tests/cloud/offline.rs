//! Days without a network, and what is equal afterwards.

use anyhow::Result;
use tillroll_register::view::CloudSource;

use crate::head_office::HeadOffice;
use crate::till::Till;

#[tokio::test(flavor = "multi_thread")]
async fn store_sells_offline_and_both_days_are_equal_when_it_is_back() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "front").await?;
    till.sell(1).await?;
    till.until_days_are_equal().await?;
    till.cut_network().await?;
    let mut last = String::new();
    for n in 2..20 {
        last = till.sell(n).await?;
    }
    till.until_job(&last, "printed").await?;
    let day = till.day().await?;
    assert_eq!(day.cloud.source, Some(CloudSource::Acknowledged), "it cannot be asked");
    assert_eq!(day.cloud.totals.map(|totals| totals.receipts), Some(1), "what was told before");
    assert_eq!(day.register.receipts, 19);
    let told = serde_json::to_value(&day.differences)?;
    assert_eq!(told[0]["code"], "unsent", "{told}");

    till.restore_network().await?;
    let day = till.until_days_are_equal().await?;
    assert_eq!((day.register.receipts, day.register.gross_minor), (19, 19 * 1_250));
    assert_eq!(day.cloud.unsent, 0);
    let theirs = office.day(till.today()).await?;
    let ours = &theirs["registers"][0];
    assert_eq!(
        (&ours["receipts"], &ours["gross_minor"]),
        (&19.into(), &(19 * 1_250).into()),
        "{theirs}"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn close_of_the_day_goes_up_too() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "front").await?;
    till.sell(1).await?;
    till.register.close_day(&till.access, till.today(), &Default::default()).await?;
    till.until("told everything", |cloud| cloud.unsent == 0).await?;
    let theirs = office.day(till.today()).await?;
    assert_eq!(theirs["registers"][0]["closed"], 1, "{theirs}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn dispatcher_that_restarts_in_the_middle_of_a_drain_has_everything_once() -> Result<()> {
    let mut office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "front").await?;
    till.cut_network().await?;
    for n in 0..60 {
        till.sell(n).await?;
    }
    till.restore_network().await?;
    office.restart().await?;
    let day = till.until_days_are_equal().await?;
    assert_eq!(day.register.receipts, 60);
    Ok(())
}
