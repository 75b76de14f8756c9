//! Questions for limits and their answers.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::limits::{Action, Answer, PROMOTION_LASTS, PROMOTION_PERCENT};
use utoipa::ToSchema;

use super::problem::Refusal;
use crate::store::Promotion;

/// Most calls that are asked for at once.
const CALLS: u32 = 1_000;
/// The longest promotion, in seconds.
const LASTS_S: u64 = 86_400;

/// Calls of a register that a business system asks for.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CallsOfRegister {
    /// The register's name.
    pub register: String,
    /// How many calls, 1 to 1000; one without it. All of them are allowed, or none.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1000)]
    pub calls: Option<u32>,
}

/// Calls that a register asks for.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Calls {
    /// How many calls, 1 to 1000; one without it. All of them are allowed, or none.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1000)]
    pub calls: Option<u32>,
}

/// The answer to "may I?".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LimitAnswer {
    /// Whether the calls may be done; only then they counted.
    pub allowed: bool,
    /// Calls left.
    pub remaining: u32,
    /// Fewer than 20 % are left.
    pub low: bool,
    /// After how many milliseconds refused calls may be tried again. More calls than the limit are never
    /// allowed.
    pub retry_after_ms: u64,
}

impl From<Answer> for LimitAnswer {
    fn from(answer: Answer) -> Self {
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

/// An action in an address.
pub(super) fn action_of(text: &str) -> Result<Action, Refusal> {
    text.parse().map_err(|error| Refusal::value("action", error))
}

/// How many calls are asked for.
pub(super) fn calls_of(asked: Option<u32>) -> Result<u32, Refusal> {
    let calls = asked.unwrap_or(1);
    if (1..=CALLS).contains(&calls) {
        return Ok(calls);
    }
    Err(Refusal::value("calls", format!("must be from 1 to {CALLS}")))
}

/// A promotion that widens the limits of a store's actions for a while.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PromotionBody {
    /// The limits in percent of the usual ones, 100 to 1000; 150 without it.
    #[serde(default)]
    #[schema(minimum = 100, maximum = 1000)]
    pub percent: Option<u32>,
    /// How long, in seconds, at most a day; two hours without it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 86400)]
    pub lasts_s: Option<u64>,
}

impl PromotionBody {
    /// The promotion that begins now.
    pub fn begun(&self, now: Timestamp) -> Result<Promotion, Refusal> {
        let percent = self.percent.unwrap_or(PROMOTION_PERCENT);
        if !(100..=1_000).contains(&percent) {
            return Err(Refusal::value("percent", "must be from 100 to 1000"));
        }
        let lasts_s = self.lasts_s.unwrap_or(PROMOTION_LASTS.as_secs());
        if !(1..=LASTS_S).contains(&lasts_s) {
            return Err(Refusal::value("lasts_s", format!("must be from 1 to {LASTS_S}")));
        }
        let until = now.checked_add(std::time::Duration::from_secs(lasts_s));
        let until = until.map_err(|error| Refusal::default().caused_by(error))?;
        Ok(Promotion { percent, until })
    }
}

/// The promotion of a store that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PromotionView {
    /// The limits in percent of the usual ones; 100 when no promotion runs.
    pub percent: u32,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
}

impl PromotionView {
    /// What counts at an instant.
    pub(super) fn of(promotion: Option<Promotion>, now: Timestamp) -> Self {
        match promotion.filter(|promotion| now < promotion.until) {
            Some(Promotion { percent, until }) => Self { percent, until: Some(until) },
            None => Self { percent: 100, until: None },
        }
    }
}
