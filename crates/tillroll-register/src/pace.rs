//! Keeping house: a jump of the wall clock is noticed, and due times it left far ahead are pulled in.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::clock::wall_jump;

use crate::register::WeakRegister;

/// How often the clocks are compared.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// A smaller difference is drift, not a jump.
const JUMP: SignedDuration = SignedDuration::from_secs(2);

/// Runs until the register ends.
pub(crate) async fn keep(register: WeakRegister) {
    let mut last: Option<(Timestamp, Duration)> = None;
    loop {
        let Some(register) = register.upgrade() else { return };
        let clock = register.clock();
        let reading = (clock.now(), clock.boot());
        if let Some(before) = last {
            let jumped = wall_jump(before, reading);
            if jumped.abs() > JUMP {
                register.after_jump(jumped).await;
            }
        }
        last = Some(reading);
        drop(register);
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

impl crate::Register {
    async fn after_jump(&self, jumped: SignedDuration) {
        tracing::warn!(jump_ms = %jumped.as_millis(), "the wall clock jumped");
        match self.store().clamp_due_times(self.clock().now()).await {
            Ok(_) => self.wake_all().await,
            Err(error) => tracing::warn!(%error, "due times could not be pulled in"),
        }
    }
}
