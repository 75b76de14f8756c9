//! The configuration: one TOML file, and environment variables over it.
//!
//! Invariants:
//! - Every value has a default; [`DEFAULT`] is the whole file with them, and a test holds it to
//!   [`Config::default`].
//! - An unknown key or variable is an error that names it, never ignored.

mod check;
mod database;
mod load;
mod splits;

use std::net::SocketAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use self::check::InvalidConfig;
pub use self::database::{Database, InvalidDatabase, PostgresAddress};
pub use self::load::{ConfigError, ENV_PREFIX};
pub use self::splits::Splits;
use crate::hooks::HookSettings;
use crate::http::HttpSettings;
use crate::limits::Rates;
use crate::redis::RedisAddresses;
use crate::schedule::ScheduleSettings;

/// The default configuration, as a file with comments.
pub const DEFAULT: &str = include_str!("config/default.toml");

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Where the API listens.
    pub listen: SocketAddr,
    /// A proxy in front of it speaks TLS, so that it may listen beyond this machine.
    pub behind_tls_proxy: bool,
    /// Where the rows are.
    pub database: Database,
    /// Redis, which nodes share.
    pub redis: RedisAddresses,
    /// How long a pairing code counts.
    pub pairing_code_s: u32,
    /// How jobs are pushed.
    pub schedule: Schedule,
    /// Bounds of the API.
    pub http: Http,
    /// Calls a second.
    pub limits: Limits,
    /// Telling business systems.
    pub webhooks: Webhooks,
    /// How splits are paid.
    pub splits: Splits,
    /// What goes with time.
    pub retention: Retention,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 9320)),
            behind_tls_proxy: false,
            database: Database::Sqlite,
            redis: RedisAddresses::default(),
            pairing_code_s: 900,
            schedule: Schedule::default(),
            http: Http::default(),
            limits: Limits::default(),
            webhooks: Webhooks::default(),
            splits: Splits::default(),
            retention: Retention::default(),
        }
    }
}

/// How jobs are pushed, repeated and recovered; see [`ScheduleSettings`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Schedule {
    /// A job's deadline where its sender names none.
    pub deadline_s: u32,
    /// Wait after the first push; after the second twice as long, and so on.
    pub push_step_ms: u32,
    /// Longest such wait; below the deadline.
    pub push_cap_s: u32,
    /// Most pushes to a printer without an answer.
    pub unanswered: u32,
    /// Most recovered jobs to one printer ...
    pub recovery_jobs: u32,
    /// ... in so long.
    pub recovery_every_ms: u32,
    /// Most recovered jobs a second, all printers together.
    pub recovery_per_s: u32,
    /// Most waiting jobs of a printer in memory.
    pub window: u32,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            deadline_s: 90,
            push_step_ms: 2_000,
            push_cap_s: 30,
            unanswered: 5,
            recovery_jobs: 5,
            recovery_every_ms: 2_000,
            recovery_per_s: 500,
            window: 64,
        }
    }
}

/// Bounds of the API; see [`HttpSettings`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Http {
    /// Connections that ask, at the same time.
    pub connections: u32,
    /// Registers connected at the same time.
    pub channels: u32,
    /// Time for an answer.
    pub request_timeout_s: u32,
}

impl Default for Http {
    fn default() -> Self {
        Self { connections: 1_024, channels: 20_000, request_timeout_s: 30 }
    }
}

/// Calls a second; see [`Rates`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Of all business systems to one store.
    pub store_per_s: u32,
    /// Of one register.
    pub register_per_s: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { store_per_s: 1_000, register_per_s: 100 }
    }
}

/// Telling business systems; see [`HookSettings`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Webhooks {
    /// Deliveries under way at the same time.
    pub at_once: u32,
    /// Time a receiver has for its answer.
    pub timeout_s: u32,
}

impl Default for Webhooks {
    fn default() -> Self {
        Self { at_once: 32, timeout_s: 15 }
    }
}

/// What goes with time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Retention {
    /// Bodies of ended jobs and settled webhooks are kept so long; ids and books for good.
    pub days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self { days: 30 }
    }
}

impl Config {
    /// The figures of the schedule.
    #[must_use]
    pub fn schedule(&self) -> ScheduleSettings {
        let set = &self.schedule;
        ScheduleSettings {
            deadline: seconds(set.deadline_s),
            push_step: Duration::from_millis(set.push_step_ms.into()),
            push_cap: seconds(set.push_cap_s),
            unanswered: count(set.unanswered),
            recovery_jobs: count(set.recovery_jobs),
            recovery_every: Duration::from_millis(set.recovery_every_ms.into()),
            recovery_per_s: set.recovery_per_s,
            window: count(set.window),
            ..ScheduleSettings::default()
        }
    }

    /// The bounds of the API.
    #[must_use]
    pub fn http(&self) -> HttpSettings {
        HttpSettings {
            connections: count(self.http.connections),
            channels: count(self.http.channels),
            request_timeout: seconds(self.http.request_timeout_s),
            ..HttpSettings::default()
        }
    }

    /// Calls a second.
    #[must_use]
    pub fn rates(&self) -> Rates {
        let Limits { store_per_s, register_per_s } = self.limits;
        Rates { store_per_s, register_per_s }
    }

    /// How business systems are told.
    #[must_use]
    pub fn hooks(&self) -> HookSettings {
        HookSettings {
            at_once: count(self.webhooks.at_once),
            timeout: seconds(self.webhooks.timeout_s),
            ..HookSettings::default()
        }
    }

    /// How long what ended is kept.
    #[must_use]
    pub fn kept(&self) -> Duration {
        Duration::from_secs(u64::from(self.retention.days) * 86_400)
    }
}

fn seconds(count: u32) -> Duration {
    Duration::from_secs(count.into())
}

fn count(figure: u32) -> usize {
    usize::try_from(figure).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
