//! What must hold between the values.

use super::Config;

/// A value that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {must}")]
pub struct InvalidConfig {
    /// The key.
    pub key: String,
    /// What it must be.
    pub must: String,
}

impl Config {
    /// Whether the values go together.
    ///
    /// # Errors
    /// [`InvalidConfig`] naming the first key that is wrong.
    pub fn check(&self) -> Result<(), InvalidConfig> {
        if !self.listen.ip().is_loopback() && !self.behind_tls_proxy {
            return Err(invalid(
                "listen",
                "must be a loopback address, unless behind_tls_proxy says that a proxy speaks TLS",
            ));
        }
        self.schedule().check().map_err(|setting| {
            let key = format!("schedule.{}", key_of(setting.field));
            InvalidConfig { key, must: setting.because.to_owned() }
        })?;
        self.redis.check().map_err(|error| invalid("redis", &error.to_string()))?;
        self.splits.check()?;
        self.check_ranges()
    }

    fn check_ranges(&self) -> Result<(), InvalidConfig> {
        let ranges = [
            ("pairing_code_s", self.pairing_code_s, 60, 86_400),
            ("schedule.deadline_s", self.schedule.deadline_s, 1, 604_800),
            ("schedule.window", self.schedule.window, 1, 10_000),
            ("http.connections", self.http.connections, 1, 100_000),
            ("http.channels", self.http.channels, 1, 200_000),
            ("http.request_timeout_s", self.http.request_timeout_s, 1, 300),
            ("limits.store_per_s", self.limits.store_per_s, 1, 100_000),
            ("limits.register_per_s", self.limits.register_per_s, 1, 100_000),
            ("webhooks.at_once", self.webhooks.at_once, 1, 1_024),
            ("webhooks.timeout_s", self.webhooks.timeout_s, 1, 60),
            ("splits.at_once", self.splits.at_once, 1, 100),
            ("splits.per_s", self.splits.per_s, 1, 500),
            ("retention.days", self.retention.days, 1, 3_650),
        ];
        match ranges.into_iter().find(|(_, value, least, most)| !(least..=most).contains(&value)) {
            None => Ok(()),
            Some((key, _, least, most)) => {
                Err(invalid(key, &format!("must be from {least} to {most}")))
            }
        }
    }
}

fn invalid(key: &str, must: &str) -> InvalidConfig {
    InvalidConfig { key: key.to_owned(), must: must.to_owned() }
}

/// The key of a setting: durations say their unit.
fn key_of(field: &str) -> String {
    match field {
        "push_cap" | "deadline" => format!("{field}_s"),
        "push_step" | "recovery_every" => format!("{field}_ms"),
        _ => field.to_owned(),
    }
}
