//! How splits are paid.

use serde::{Deserialize, Serialize};

use super::{InvalidConfig, count};
use crate::hooks::check_address;
use crate::payments::{PaymentSecret, PaymentSettings};

/// How splits are paid; see [`PaymentSettings`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Splits {
    /// Where the channel is; empty for none, then splits are recorded and wait.
    pub channel: String,
    /// The secret shared with it.
    pub secret: PaymentSecret,
    /// Calls under way at the same time.
    pub at_once: u32,
    /// Calls begun in a second.
    pub per_s: u32,
}

impl Default for Splits {
    fn default() -> Self {
        let (channel, secret) = (String::new(), PaymentSecret::default());
        Self { channel, secret, at_once: 100, per_s: 500 }
    }
}

impl Splits {
    pub(super) fn check(&self) -> Result<(), InvalidConfig> {
        let invalid =
            |key: &str, must: String| InvalidConfig { key: format!("splits.{key}"), must };
        if self.channel.is_empty() {
            return Ok(());
        }
        check_address(&self.channel).map_err(|error| invalid("channel", error.to_string()))?;
        match self.secret.seal() {
            Some(_) => Ok(()),
            None => Err(invalid("secret", "must be set where a channel is".to_owned())),
        }
    }

    /// The figures.
    #[must_use]
    pub fn settings(&self) -> PaymentSettings {
        PaymentSettings {
            at_once: count(self.at_once),
            per_s: self.per_s,
            ..PaymentSettings::default()
        }
    }
}
