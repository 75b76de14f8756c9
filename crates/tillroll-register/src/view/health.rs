//! Whether the register can take receipts.

use serde::{Deserialize, Serialize};
use tillroll_sqlite::Condition;
use utoipa::ToSchema;

/// The register's health.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HealthView {
    /// `ok`, or `degraded` while the database takes no writes.
    pub status: String,
    /// `healthy`, `disk_full`, `rewriting`, `damaged` or `closed`.
    pub database: String,
}

impl HealthView {
    pub(crate) fn of(condition: Condition) -> Self {
        let status = if condition == Condition::Healthy { "ok" } else { "degraded" };
        Self { status: status.to_owned(), database: word(condition).to_owned() }
    }
}

fn word(condition: Condition) -> &'static str {
    match condition {
        Condition::Healthy => "healthy",
        Condition::DiskFull => "disk_full",
        Condition::Rewriting => "rewriting",
        Condition::Damaged => "damaged",
        Condition::Closed => "closed",
        _ => "unknown",
    }
}
