//! Whether the register can take receipts and print them.

use serde::{Deserialize, Serialize};
use tillroll_sqlite::Condition;
use utoipa::ToSchema;

/// The register's health.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HealthView {
    /// `ok`, or `degraded` where there is a cause.
    pub status: String,
    /// `healthy`, `disk_full`, `rewriting`, `damaged` or `closed`.
    pub database: String,
    /// Why it is degraded: the state of a database that takes no writes, or `fonts_missing`, where lines a printer
    /// has no characters for cannot be printed.
    pub causes: Vec<String>,
}

impl HealthView {
    pub(crate) fn of(condition: Condition, has_fonts: bool) -> Self {
        let database = (condition != Condition::Healthy).then_some(word(condition));
        let fonts = (!has_fonts).then_some("fonts_missing");
        let causes: Vec<String> =
            [database, fonts].into_iter().flatten().map(str::to_owned).collect();
        let status = if causes.is_empty() { "ok" } else { "degraded" };
        Self { status: status.to_owned(), database: word(condition).to_owned(), causes }
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
