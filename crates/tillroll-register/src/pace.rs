//! Keeping house: when the wall clock was set, the workers are woken, since each pulls in due times that it
//! left far ahead; bodies of old receipts are dropped.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::clock::was_set;

use crate::register::WeakRegister;

/// How often the clocks are compared.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often old bodies are looked for.
const DROP_EVERY: Duration = Duration::from_secs(60 * 60);
/// Bodies of settled receipts are kept so long.
const BODIES_KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Dropped in one transaction, so that no sale waits for it.
const DROPPED_AT_ONCE: u32 = 1_000;

/// Runs until the register ends.
pub(crate) async fn keep(register: WeakRegister) {
    let mut last: Option<(Timestamp, Duration)> = None;
    let mut drop_at = Duration::ZERO;
    loop {
        let Some(register) = register.upgrade() else { return };
        let clock = register.clock();
        let reading = (clock.now(), clock.boot());
        if last.is_some_and(|before| was_set(before, reading)) {
            tracing::warn!("the wall clock was set");
            register.wake_all().await;
        }
        last = Some(reading);
        if reading.1 >= drop_at {
            drop_at = reading.1 + DROP_EVERY;
            register.drop_old_bodies(reading.0).await;
        }
        drop(register);
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

impl crate::Register {
    async fn drop_old_bodies(&self, now: Timestamp) {
        let before = now.saturating_sub(BODIES_KEPT).unwrap_or(Timestamp::MIN);
        match self.store().drop_bodies(before, DROPPED_AT_ONCE).await {
            Ok(0) => {}
            Ok(dropped) => tracing::info!(dropped, "bodies of old receipts were dropped"),
            Err(error) => tracing::warn!(%error, "bodies of old receipts could not be dropped"),
        }
    }
}
