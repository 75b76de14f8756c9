//! A day as the head office has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /v1/sync/days/{date}` for a register, and each register's part of
/// `GET /v1/stores/{store}/days/{date}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct CloudDay {
    /// The register's name.
    pub register: String,
    /// Receipts of sales.
    pub receipts: i64,
    /// Refunds.
    pub refunds: i64,
    /// Sum of the sales.
    pub gross_minor: i64,
    /// Sum given back, positive.
    pub refunded_minor: i64,
    /// Net takings by tender type.
    pub tenders: BTreeMap<String, i64>,
    /// Receipts known to be on paper, a clerk's word included.
    pub printed: i64,
    /// Sessions closed.
    pub closed: i64,
    /// Records refused for good.
    pub rejected: i64,
}
