//! Webhooks: business systems are told how their jobs ended, signed after Standard Webhooks 1.0.
//!
//! Invariants:
//! - At least once: a delivery is settled only after its receiver answered 2xx, so one may come twice,
//!   with the same `webhook-id`.
//! - A slow or broken receiver holds up its own deliveries alone.
//! - Where webhooks go is `https`, or `http` on the loopback; redirects are not followed.

mod address;
mod retry;
mod run;
mod send;
mod signature;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

pub use self::address::{InvalidAddress, check_address};
pub(crate) use self::run::Deliveries;
pub use self::send::Sender;
pub use self::signature::{InvalidSecret, Signer};

/// How business systems are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookSettings {
    /// Deliveries under way at the same time.
    pub at_once: usize,
    /// Of these, to one receiver.
    pub to_one: usize,
    /// Time a receiver has for its answer.
    pub timeout: Duration,
    /// How often is looked for new ones.
    pub look_every: Duration,
}

impl Default for HookSettings {
    fn default() -> Self {
        Self {
            at_once: 32,
            to_one: 8,
            timeout: Duration::from_secs(15),
            look_every: Duration::from_millis(100),
        }
    }
}

/// What became of the tries.
#[derive(Debug, Default)]
pub(crate) struct HookFigures {
    delivered: AtomicU64,
    failed: AtomicU64,
    given_up: AtomicU64,
}

/// The figures at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HookCounts {
    pub delivered: u64,
    /// To be tried again.
    pub failed: u64,
    pub given_up: u64,
}

impl HookFigures {
    pub fn counts(&self) -> HookCounts {
        HookCounts {
            delivered: self.delivered.load(Relaxed),
            failed: self.failed.load(Relaxed),
            given_up: self.given_up.load(Relaxed),
        }
    }
}
