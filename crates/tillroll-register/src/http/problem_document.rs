//! Problems on the wire: RFC 9457.
//!
//! A handler's [`Problem`] travels inside its response until the request is complete; only then is it
//! written out, with the request's id. Whatever else ends as an error is given a problem by its status.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tillroll_domain::print_job::JobState;
use utoipa::ToSchema;

use crate::problem::{Code, FaultView, Problem};

/// The media type of problem documents.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// A problem document.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProblemDocument {
    /// `urn:tillroll:problem:` and the code.
    #[serde(rename = "type")]
    pub problem_type: String,
    /// The code in short words.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// The stable code.
    #[schema(value_type = Code)]
    pub code: String,
    /// What happened, what is safe, what to do.
    pub detail: String,
    /// Everything wrong with the body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultView>,
    /// Fingerprint of what was recorded under the id before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_fingerprint: Option<String>,
    /// Fingerprint of what was offered now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_fingerprint: Option<String>,
    /// The state that forbids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub state: Option<JobState>,
    /// The request's id, as it stands in the log.
    pub request_id: String,
}

impl ProblemDocument {
    fn of(problem: &Problem, request_id: &str) -> Self {
        let (status, title) = problem.code.status();
        let fingerprints = problem.fingerprints.clone();
        let (recorded, offered) = fingerprints.unzip();
        Self {
            problem_type: format!("urn:tillroll:problem:{}", problem.code.as_str()),
            title: title.to_owned(),
            status,
            code: problem.code.as_str().to_owned(),
            detail: problem.detail.clone(),
            faults: problem.faults.clone(),
            recorded_fingerprint: recorded,
            offered_fingerprint: offered,
            state: problem.state,
            request_id: request_id.to_owned(),
        }
    }
}

/// A problem inside a response that is not complete.
#[derive(Clone)]
struct Carried(Arc<Problem>);

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = status_of(self.code).into_response();
        if self.code == Code::Unauthorized {
            let challenge = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response.extensions_mut().insert(Carried(Arc::new(self)));
        response
    }
}

/// The problem a response ended with; `None` for one that is no error.
pub(super) fn problem_of(response: &Response) -> Option<Arc<Problem>> {
    if let Some(Carried(problem)) = response.extensions().get() {
        return Some(Arc::clone(problem));
    }
    by_status(response.status()).map(Arc::new)
}

/// The response with the problem written out; headers such as `Allow` stay.
pub(super) fn written_out(response: Response, problem: &Problem, request_id: &str) -> Response {
    let document = ProblemDocument::of(problem, request_id);
    let (mut parts, _) = response.into_parts();
    parts.status = status_of(problem.code);
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    // A document of texts and numbers has a JSON form.
    Response::from_parts(parts, Body::from(serde_json::to_vec(&document).unwrap_or_default()))
}

fn status_of(code: Code) -> StatusCode {
    StatusCode::from_u16(code.status().0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Errors of the layers below the handlers, which know nothing of problems.
fn by_status(status: StatusCode) -> Option<Problem> {
    let (code, detail) = match status.as_u16() {
        404 => (Code::NotFound, "there is no such address: see /v1/openapi.json"),
        405 => (Code::MethodNotAllowed, "this address does not know the method: see Allow"),
        408 => (Code::TimedOut, "the request took too long; ask again with the same id"),
        413 => (Code::TooLarge, "the body is too large"),
        415 => (Code::Unsupported, "the media type must be application/json"),
        400..500 => (Code::InvalidValue, "the request cannot be read"),
        500.. => (Code::Internal, "the register met a fault; its log says more"),
        _ => return None,
    };
    Some(Problem::new(code, detail))
}
