//! A store's books as the head office has them: its days, and what was refused.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_wire::Code;
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::CloudState;

/// Every register's day and what became of the jobs pushed on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreDay {
    /// One for each register with records of that day.
    pub registers: Vec<CloudDay>,
    /// Jobs taken on that day (UTC days of their creation cut by the caller's range), by state.
    pub jobs: BTreeMap<CloudState, i64>,
}

/// The highest numbers known of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HighWater {
    /// Epoch of its installation.
    pub epoch: u32,
    /// Flow number of a receipt.
    pub flow_no: i64,
    /// Z number of the session of the last receipt in the books; 0 without one.
    pub z_no: i64,
}

/// A record that is refused: a person must look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRecord {
    /// Its number in the store; grows with time.
    pub seq: i64,
    /// Name of the register that sent it.
    pub register: String,
    /// Its id.
    pub request_id: String,
    /// What it is about.
    pub kind: String,
    /// The fingerprint it came with.
    pub fingerprint: Fingerprint,
    /// The receipt it belongs to.
    pub flow_no: Option<i64>,
    /// Epoch of the installation that made it.
    pub epoch: u32,
    /// The register's stored time of the fact.
    pub recorded_at: Timestamp,
    /// When it was refused last.
    pub judged_at: Timestamp,
    /// Why.
    pub code: Code,
    /// Why, for people.
    pub detail: String,
    /// The day in whose books it counts as refused; none while it only waits behind another.
    pub day: Option<Date>,
}
