//! Around every request: its id, its span in the log, how long it took, and its problem written out.
//! Bodies and tokens never reach the log.

use std::any::Any;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderValue;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tillroll_http::{Panicked, REQUEST_ID, causes};
use tracing::Instrument as _;

use super::api::Api;
use super::guard;
use super::problem_document::{problem_of, written_out};
use crate::problem::{Code, Problem};

/// Gives a request its id, lets it in if it is for this computer, and completes its answer.
pub(super) async fn observe(State(api): State<Api>, request: Request, next: Next) -> Response {
    let id = api.next_request_id();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or("unmatched", MatchedPath::as_str);
    let method = request.method().clone();
    let span = tracing::info_span!("request", request.id = %id, %method, route);
    let began = Instant::now();
    let answered = guard::let_in(&api, request, next).instrument(span.clone()).await;
    let mut response = span.in_scope(|| complete(answered.into_response(), &id));
    api.metrics().request(route, &method, response.status(), began.elapsed());
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

fn complete(response: Response, request_id: &str) -> Response {
    let Some(problem) = problem_of(&response) else { return response };
    let code = problem.code.as_str();
    if response.status().is_server_error() {
        tracing::error!(code, cause = causes(&*problem), "the request failed: {}", problem.detail);
    } else {
        tracing::debug!(code, "the request was refused");
    }
    written_out(response, &problem, request_id)
}

/// A panic is a fault of the register; the request ends with it and nothing else does.
pub(super) fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let source = Panicked::from(panic);
    let detail = "the register met a fault; its log says more";
    Problem { source: Some(Box::new(source)), ..Problem::new(Code::Internal, detail) }
        .into_response()
}

#[cfg(test)]
mod tests {
    use tillroll_store::StoreError;

    use super::*;

    #[test]
    fn log_names_every_source_that_the_answer_keeps_back() {
        let source = std::io::Error::other("disk on fire");
        let path = "/data/mark".to_owned();
        let problem = Problem::from(StoreError::File { action: "write", path, source });
        assert_eq!(causes(&problem), "cannot write /data/mark: disk on fire: disk on fire");
        assert!(!problem.detail.contains("fire"));
    }
}
