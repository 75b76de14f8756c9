//! Waits that are held against the boot clock: a timer of the runtime stands still while the machine
//! sleeps, so none is set for longer than a few seconds.

use std::time::Duration;

use tillroll_domain::clock::Clock;
use tokio::time::sleep;

/// The longest a timer is trusted.
pub(crate) const LOOK: Duration = Duration::from_secs(5);

/// Waits so long by the boot clock; never less.
pub(crate) async fn pause(clock: &dyn Clock, time: Duration) {
    let until = clock.boot().saturating_add(time);
    loop {
        let left = until.saturating_sub(clock.boot());
        if left.is_zero() {
            return;
        }
        sleep(left.min(LOOK)).await;
    }
}
