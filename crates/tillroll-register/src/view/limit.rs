//! Answers of the limits.

use serde::{Deserialize, Serialize};
use tillroll_domain::limits::Answer;
use utoipa::ToSchema;

/// The answer to "may I?".
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LimitAnswer {
    /// Whether the call may be done; only then it counted.
    pub allowed: bool,
    /// Calls left in the window.
    pub remaining: u32,
    /// Fewer than 20 % are left.
    pub low: bool,
    /// After how many milliseconds a refused call may be tried again.
    pub retry_after_ms: u64,
}

impl LimitAnswer {
    pub(crate) fn of(answer: Answer) -> Self {
        // Up, so that a caller who waits that long is not early.
        let retry_after_ms = answer.retry_after.as_micros().div_ceil(1_000);
        Self {
            allowed: answer.allowed,
            remaining: answer.remaining,
            low: answer.low,
            retry_after_ms: u64::try_from(retry_after_ms).unwrap_or(u64::MAX),
        }
    }
}

/// A promotion that widens the limits for a while.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PromotionBody {
    /// The limits in percent of the usual ones; 150 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<u32>,
    /// How long, in seconds; two hours without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasts_s: Option<u64>,
}
