//! Pay tokens as they come in and go out.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::store::PayToken;

/// Who consumes a token.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ConsumeBody {
    /// Drawn by the consumer: asked again with it, the answer is the same.
    #[schema(min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9._~:/-]+$")]
    pub consume_id: String,
}

/// What a payment came to.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct CompleteBody {
    /// The id the token was consumed with.
    #[schema(min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9._~:/-]+$")]
    pub consume_id: String,
    /// The result, told to whoever asks for the token; at most 16 KiB.
    #[schema(value_type = Object)]
    pub result: Map<String, Value>,
}

/// How far a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PayTokenState {
    /// It may be consumed.
    Issued,
    /// Somebody pays: only they may complete it.
    Consumed,
    /// It has a result, for good.
    Completed,
    /// Nobody consumed it in time.
    Expired,
}

/// A token as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PayTokenView {
    /// The token.
    pub token: String,
    /// The id it was asked for with.
    pub request_id: String,
    /// The register that is paid at.
    pub register: String,
    /// What is paid.
    pub amount_minor: i64,
    /// How far it is.
    pub state: PayTokenState,
    /// When it was issued.
    #[schema(value_type = String, format = DateTime)]
    pub issued_at: Timestamp,
    /// From then on it cannot be consumed.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// When it was consumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub consumed_at: Option<Timestamp>,
    /// When its result was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub completed_at: Option<Timestamp>,
    /// Its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub result: Option<Value>,
    /// It was so before; nothing is new.
    pub replayed: bool,
}

impl PayTokenView {
    pub(super) fn of(token: PayToken, now: Timestamp, replayed: bool) -> Self {
        let state = match (&token.consumed, &token.completed) {
            (_, Some(_)) => PayTokenState::Completed,
            (Some(_), None) => PayTokenState::Consumed,
            (None, None) if now < token.expires_at => PayTokenState::Issued,
            (None, None) => PayTokenState::Expired,
        };
        let (result, completed_at) = token.completed.unzip();
        Self {
            token: token.token,
            request_id: token.request_id,
            register: token.register_name,
            amount_minor: token.amount_minor,
            state,
            issued_at: token.issued_at,
            expires_at: token.expires_at,
            consumed_at: token.consumed.map(|(_, at)| at),
            completed_at,
            // What was stored was JSON.
            result: result.map(|text| serde_json::from_str(&text).unwrap_or_default()),
            replayed,
        }
    }
}
