//! A clock that is three days off is told, and keeps nothing from selling.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use tillroll_domain::clock::Clock;
use tillroll_register::SystemClock;

use crate::head_office::{HeadOffice, kitchen};
use crate::till::Till;

/// The machine's clock, off by so much.
struct Off(SignedDuration);

impl Clock for Off {
    fn now(&self) -> Timestamp {
        SystemClock.now().checked_add(self.0).unwrap_or(Timestamp::MAX)
    }

    fn boot(&self) -> Duration {
        SystemClock.boot()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_three_days_off_is_told_and_everything_goes_on() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let three_days = SignedDuration::from_hours(72);
    let till = Till::open_at(&office, "R1", "kitchen", Arc::new(Off(three_days))).await?;
    let cloud = till.until("told of its clock", |cloud| cloud.clock_is_wrong).await?;
    let off = cloud.drift_ms.unwrap_or_default() + 72 * 3_600_000;
    assert!(off.abs() < 60_000, "{cloud:?}");
    let id = office.order(&kitchen("A-1")).await?;
    office.until(&id, "printed").await?;
    let sold = till.sell(1).await?;
    till.until_job(&sold, "printed").await?;
    till.until("told everything", |cloud| cloud.unsent == 0).await?;
    let day = till.day().await?;
    let told = serde_json::to_value(&day.differences)?;
    assert_eq!(
        (&told[0]["code"], &told[0]["cure"]),
        (&"clock_drift".into(), &"set_clock".into()),
        "{told}"
    );
    assert_eq!(told.as_array().map(Vec::len), Some(1), "the books agree: {told}");
    let notices = till.register.todo().await?.notices;
    assert!(notices.iter().any(|notice| notice.code == "clock_drift"), "{notices:?}");
    Ok(())
}
