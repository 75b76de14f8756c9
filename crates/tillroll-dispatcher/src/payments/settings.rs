//! What the channel is, and how it is used.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Seal;

/// How splits are paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentSettings {
    /// Calls under way at the same time.
    pub at_once: usize,
    /// Calls begun in a second.
    pub per_s: u32,
    /// How often is looked for what is due.
    pub look_every: Duration,
    /// Faults in a row after which the channel counts as gone.
    pub gone_after: u32,
    /// How often a channel that is gone is looked for.
    pub probe_every: Duration,
    /// How often both sides are compared ...
    pub compare_every: Duration,
    /// ... over what time ...
    pub compare_over: Duration,
    /// ... but for what is so new.
    pub compare_after: Duration,
    /// So many repairs of one comparison are an alarm.
    pub alarm_over: u64,
}

impl Default for PaymentSettings {
    fn default() -> Self {
        Self {
            at_once: 100,
            per_s: 500,
            look_every: Duration::from_millis(50),
            gone_after: 20,
            probe_every: Duration::from_secs(1),
            compare_every: Duration::from_secs(5 * 60),
            compare_over: Duration::from_secs(72 * 3_600),
            compare_after: Duration::from_secs(60),
            alarm_over: 50,
        }
    }
}

/// The secret shared with the channel: `whsec_` and base64, or empty where there is no channel. It is not shown.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PaymentSecret(String);

/// The text is no secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("splits.secret: must be whsec_ and the base64 of 24 to 64 bytes")]
pub struct InvalidSecret;

impl PaymentSecret {
    /// The seal made with it; `None` where it is empty.
    #[must_use]
    pub fn seal(&self) -> Option<Seal> {
        Seal::of(&self.0).ok()
    }
}

impl TryFrom<String> for PaymentSecret {
    type Error = InvalidSecret;

    fn try_from(text: String) -> Result<Self, InvalidSecret> {
        if text.is_empty() || Seal::of(&text).is_ok() { Ok(Self(text)) } else { Err(InvalidSecret) }
    }
}

impl From<PaymentSecret> for String {
    fn from(secret: PaymentSecret) -> Self {
        secret.0
    }
}

impl fmt::Debug for PaymentSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "none" } else { "..." })
    }
}
