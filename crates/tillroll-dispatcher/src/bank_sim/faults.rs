//! What goes wrong at a simulated bank.

use serde::{Deserialize, Serialize};
use tillroll_domain::splits::Party;

/// What goes wrong. Shares are in percent of the requests.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BankFaults {
    /// It answers nothing at all, and does nothing.
    pub down: bool,
    /// It answers after this.
    pub delay_ms: u32,
    /// And after up to so much more.
    pub jitter_ms: u32,
    /// Requests lost on their way.
    pub lose_requests: u32,
    /// Answers lost on their way: what was asked is done.
    pub lose_answers: u32,
    /// Live payments that are queued all the same, and made late.
    pub late: u32,
    /// How late a queued payment is made.
    pub late_ms: u32,
    /// Requests it has no room for.
    pub busy: u32,
    /// Accounts that are frozen.
    pub frozen: Vec<Party>,
    /// There is no balance to pay from.
    pub no_balance: bool,
    /// It does not know an id again: whatever it is asked to pay, it pays.
    pub without_memory: bool,
}

impl BankFaults {
    /// Whether a fault of this share happens, by a number evenly drawn.
    pub(super) fn happens(percent: u32, random: u32) -> bool {
        random % 100 < percent
    }
}
