//! A manager's rights at this desk, for a while.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_register::Access;

/// How long the rights hold: long enough to add a printer, too short to be forgotten over a shift.
pub(super) const HOLDS: Duration = Duration::from_secs(10 * 60);

/// Rights that were unlocked.
#[derive(Clone)]
pub(super) struct Manager {
    pub access: Access,
    /// On the clock of the machine's own running time, which nobody sets.
    pub until_boot: Duration,
    /// The same on the wall clock, to be shown.
    pub until: Timestamp,
}

impl Manager {
    /// The rights of `access` from now on.
    pub(super) fn from_now(access: Access, now: Timestamp, boot: Duration) -> Self {
        let until = now.checked_add(HOLDS).unwrap_or(Timestamp::MAX);
        Self { access, until_boot: boot.saturating_add(HOLDS), until }
    }

    /// Whether they hold.
    pub(super) fn holds(&self, boot: Duration) -> bool {
        boot < self.until_boot
    }
}
