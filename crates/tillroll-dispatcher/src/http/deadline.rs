//! A request is answered within a limit, and one that changes something runs to its end, whether its
//! client waits, went away, or was told that it took too long.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tillroll_wire::Code;
use tokio::time::timeout;
use tracing::Instrument as _;

use super::api::Api;
use super::problem::Refusal;

/// Answers in time. A change that takes longer is made nevertheless.
pub(super) async fn answer_in_time(
    State(api): State<Api>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let limit = api.settings().request_timeout;
    if request.method().is_safe() {
        return timeout(limit, next.run(request)).await.map_err(|_| too_long());
    }
    let change = api.running().spawn(next.run(request).in_current_span());
    match timeout(limit, change).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(panicked)) => Err(Refusal::default().caused_by(panicked)),
        Err(_) => Err(too_long()),
    }
}

fn too_long() -> Refusal {
    let detail = "the answer took too long; what was asked may still be done: ask with the same id";
    Refusal::new(Code::OutcomeUnknown, detail)
}
