//! What goes over the wire to a channel and back: JSON, each a POST.
//!
//! | path | body | answer |
//! | --- | --- | --- |
//! | `/v1/pay` | [`PayRequest`] | [`PaymentStatus`]; 409 when its id has another amount |
//! | `/v1/query` | [`Query`] | [`QueryAnswer`], in the order asked |
//! | `/v1/statement` | [`StatementRequest`] | [`StatementAnswer`] |
//!
//! 429 and 503 say that nothing was done. 400 and 422 say that the request can never be taken. Whatever else is
//! no answer: the payment may have been made.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::money::Minor;
use tillroll_domain::splits::PartyAmount;

/// Most payments of one query or page.
pub const PAGE: u32 = 500;

/// A payment to be made, once for its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayRequest {
    /// Its id.
    pub id: String,
    /// The payment a refund takes back from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The amount.
    pub amount_minor: Minor,
    /// Its currency.
    pub currency: String,
    /// To whom, or from whom; adds up to the amount.
    pub parts: Vec<PartyAmount>,
    /// Counts the tries, from 1.
    #[serde(rename = "try")]
    pub try_no: u32,
    /// Whether accounts and balances are checked at once; else it is only queued.
    pub live: bool,
}

/// What became of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is made.
    Paid,
    /// It will be made.
    Queued,
    /// It is not made, for a reason that a person must end.
    Refused,
    /// Its id is not known.
    Unknown,
}

/// Why a payment is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// An account is frozen.
    Frozen,
    /// There is no balance.
    NoBalance,
    /// Anything else.
    #[serde(other)]
    Rejected,
}

/// A payment as the channel has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentStatus {
    /// Its id.
    pub id: String,
    /// What became of it.
    pub status: Status,
    /// Why it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Its amount, where it is paid or queued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_minor: Option<Minor>,
}

/// Payments asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// Their ids, at most 500; none asks whether the channel is there.
    pub ids: Vec<String>,
}

/// What became of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryAnswer {
    /// One for each, in the order asked.
    pub payments: Vec<PaymentStatus>,
}

/// Payments made in a stretch of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementRequest {
    /// Made from then on ...
    pub from: Timestamp,
    /// ... and before then.
    pub until: Timestamp,
    /// Past this line of the channel's.
    pub past: i64,
    /// At most so many.
    pub limit: u32,
}

/// One page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementAnswer {
    /// Its lines, in their order.
    pub lines: Vec<StatementLine>,
}

/// A payment that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementLine {
    /// Its number at the channel; grows.
    pub no: i64,
    /// The payment's id.
    pub id: String,
    /// Its amount.
    pub amount_minor: Minor,
}
