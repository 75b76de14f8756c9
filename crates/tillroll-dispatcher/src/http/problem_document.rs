//! Problems on the wire: RFC 9457.
//!
//! A handler's [`Refusal`] travels inside its response until the request is complete; only then is it
//! written out, with the request's id. Whatever else ends as an error is given a problem by its status.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tillroll_wire::job::CloudState;
use tillroll_wire::{Code, Problem};
use utoipa::ToSchema;

use super::pay_token::PayTokenView;
use super::problem::{FieldFault, Refusal};
use crate::counters::Shortage;

/// The media type of problem documents.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// A problem document. What registers read of it is [`tillroll_wire::Problem`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProblemDocument {
    /// `urn:tillroll:problem:` and the code.
    #[serde(rename = "type")]
    pub problem_type: String,
    /// The code in short words.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// The stable code.
    pub code: Code,
    /// What happened, what is safe, what to do.
    pub detail: String,
    /// Everything wrong with the body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FieldFault>,
    /// Fingerprint of what was stored under the id before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored_fingerprint: Option<String>,
    /// Fingerprint of what was offered now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_fingerprint: Option<String>,
    /// The state that forbids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<CloudState>,
    /// The pay token it is about, as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pay_token: Option<PayTokenView>,
    /// What is short in stock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shortages: Vec<Shortage>,
    /// When to ask again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// The request's id, as it stands in the log.
    pub request_id: String,
}

impl ProblemDocument {
    fn of(refusal: &Refusal, request_id: &str) -> Self {
        let Problem { code, detail, status, retry_after_ms } = refusal.problem();
        let both = refusal.fingerprints.as_deref();
        Self {
            problem_type: format!("urn:tillroll:problem:{code}"),
            title: code.as_str().replace('_', " "),
            status,
            code,
            detail,
            faults: refusal.faults.clone(),
            stored_fingerprint: both.map(|both| both.stored.to_string()),
            offered_fingerprint: both.map(|both| both.offered.to_string()),
            state: refusal.state,
            shortages: refusal.shortages.clone(),
            pay_token: refusal.pay_token.as_deref().cloned(),
            retry_after_ms,
            request_id: request_id.to_owned(),
        }
    }
}

/// A refusal inside a response that is not complete.
#[derive(Clone)]
struct Carried(Arc<Refusal>);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = status_of(&self.problem()).into_response();
        response.extensions_mut().insert(Carried(Arc::new(self)));
        response
    }
}

/// The refusal a response ended with; `None` for one that is no error.
pub(super) fn refusal_of(response: &Response) -> Option<Arc<Refusal>> {
    if let Some(Carried(refusal)) = response.extensions().get() {
        return Some(Arc::clone(refusal));
    }
    by_status(response.status()).map(Arc::new)
}

/// The response with the refusal written out; headers such as `Allow` stay.
pub(super) fn written_out(response: Response, refusal: &Refusal, request_id: &str) -> Response {
    let document = ProblemDocument::of(refusal, request_id);
    let (mut parts, _) = response.into_parts();
    parts.status = status_of(&refusal.problem());
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    if document.code == Code::Unauthorized {
        parts.headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(ms) = document.retry_after_ms {
        // Whole seconds, never early.
        parts.headers.insert(header::RETRY_AFTER, HeaderValue::from(ms.div_ceil(1_000)));
    }
    // A document of texts and numbers has a JSON form.
    Response::from_parts(parts, Body::from(serde_json::to_vec(&document).unwrap_or_default()))
}

fn status_of(problem: &Problem) -> StatusCode {
    StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Errors of the layers below the handlers, which know nothing of problems.
fn by_status(status: StatusCode) -> Option<Refusal> {
    let (code, detail) = match status.as_u16() {
        404 => (Code::NotFound, "there is no such address: see /v1/openapi.json"),
        405 => (Code::NotAllowed, "this address does not know the method: see Allow"),
        413 => (Code::TooLarge, "the body is too large"),
        415 => (Code::Unsupported, "the media type must be application/json"),
        400..500 => (Code::InvalidBody, "the request cannot be read"),
        500.. => return Some(Refusal::default()),
        _ => return None,
    };
    Some(Problem { status: status.as_u16(), ..Problem::new(code, detail) }.into())
}
