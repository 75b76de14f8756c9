//! Around every request: its id, its span in the log, how long it took, and its problem written out.
//! Bodies and secrets never reach the log.

use std::any::Any;

use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderValue;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tillroll_http::{Panicked, REQUEST_ID, causes};
use tracing::Instrument as _;

use super::api::Api;
use super::problem::Refusal;
use super::problem_document::{refusal_of, written_out};

/// Gives a request its id and completes its answer.
pub(super) async fn observe(State(api): State<Api>, request: Request, next: Next) -> Response {
    let id = api.next_request_id();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or("unmatched", MatchedPath::as_str);
    let method = request.method().clone();
    let span = tracing::info_span!("request", request.id = %id, %method, route);
    let began = api.boot();
    let answered = next.run(request).instrument(span.clone()).await;
    let mut response = span.in_scope(|| complete(answered, &id));
    let took = api.boot().saturating_sub(began);
    api.metrics().request(route, &method, response.status(), took);
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

fn complete(response: Response, request_id: &str) -> Response {
    let Some(refusal) = refusal_of(&response) else { return response };
    let problem = refusal.problem();
    let code = problem.code.as_str();
    if response.status().is_server_error() {
        tracing::error!(code, cause = causes(&*refusal), "the request failed: {}", problem.detail);
    } else {
        tracing::debug!(code, "the request was refused");
    }
    written_out(response, &refusal, request_id)
}

/// A panic is a fault of the program; the request ends with it and nothing else does.
pub(super) fn panicked(panic: Box<dyn Any + Send>) -> Response {
    Refusal::default().caused_by(Panicked::from(panic)).into_response()
}
