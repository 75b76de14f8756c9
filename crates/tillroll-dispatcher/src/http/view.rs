//! Answers of the API that the wire does not know.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_wire::Code;
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::{CloudJobView, CloudState};
use tillroll_wire::record::Fate;
use utoipa::ToSchema;

use crate::store::{ClockDrift, Register, RejectedRecord, StoreDay};

/// Jobs of a store, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobList {
    /// The jobs.
    pub jobs: Vec<CloudJobView>,
    /// `before` of the next page; none on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What became of request ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fates {
    /// One for each id, in the order asked.
    pub requests: Vec<Fate>,
}

/// A store's day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoreDayView {
    /// The day.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// Every register of the store, one without records of that day too.
    pub registers: Vec<RegisterDay>,
    /// Print jobs taken between midnight and midnight in UTC, by state.
    #[schema(value_type = BTreeMap<String, i64>)]
    pub jobs: BTreeMap<CloudState, i64>,
}

/// A register's part of a store's day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RegisterDay {
    /// Its records of that day.
    #[serde(flatten)]
    pub day: CloudDay,
    /// How far its wall clock is ahead of the dispatcher's; negative when it is behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_ms: Option<i64>,
    /// When that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub drift_measured_at: Option<Timestamp>,
}

impl StoreDayView {
    /// Every register's part.
    pub(super) fn of(
        day: Date,
        mut stored: StoreDay,
        registers: &[Register],
        drifts: &[ClockDrift],
    ) -> Self {
        let registers = registers.iter().map(|register| {
            let name = register.name.as_str();
            let at = stored.registers.iter().position(|day| day.register == name);
            let empty = || CloudDay { register: name.to_owned(), ..CloudDay::default() };
            let day = at.map_or_else(empty, |at| stored.registers.swap_remove(at));
            let drift = drifts.iter().find(|drift| drift.register == register.no);
            RegisterDay {
                day,
                drift_ms: drift.map(|drift| drift.drift_ms),
                drift_measured_at: drift.map(|drift| drift.measured_at),
            }
        });
        Self { day, registers: registers.collect(), jobs: stored.jobs }
    }
}

/// Refused records of a store, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RejectedList {
    /// The records.
    pub records: Vec<RejectedView>,
    /// `before` of the next page; none on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

/// A record that is refused: a person must look. It leaves the list when it is taken after all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RejectedView {
    /// Its number in the store; grows with time.
    pub seq: i64,
    /// The register that sent it.
    pub register: String,
    /// Its id.
    pub request_id: String,
    /// What it is about.
    pub kind: String,
    /// The fingerprint it came with.
    pub fingerprint: String,
    /// The receipt it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow_no: Option<i64>,
    /// Epoch of the installation that made it.
    pub epoch: u32,
    /// The register's stored time of the fact.
    #[schema(value_type = String, format = DateTime)]
    pub recorded_at: Timestamp,
    /// When it was refused last.
    #[schema(value_type = String, format = DateTime)]
    pub judged_at: Timestamp,
    /// Why: `conflict` for another body or sale under a known id, `parked_behind` for what waits.
    pub code: Code,
    /// Why, for people.
    pub detail: String,
    /// The day in whose books it counts as refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub day: Option<Date>,
}

impl From<RejectedRecord> for RejectedView {
    fn from(record: RejectedRecord) -> Self {
        Self {
            seq: record.seq,
            register: record.register,
            request_id: record.request_id,
            kind: record.kind,
            fingerprint: record.fingerprint.to_string(),
            flow_no: record.flow_no,
            epoch: record.epoch,
            recorded_at: record.recorded_at,
            judged_at: record.judged_at,
            code: record.code,
            detail: record.detail,
            day: record.day,
        }
    }
}

/// The dispatcher can take jobs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HealthView {
    /// Registers connected.
    pub connected: usize,
}
