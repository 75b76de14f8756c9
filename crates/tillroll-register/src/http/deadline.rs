//! A request is answered within a limit, and one that changes something runs to its end, whether its
//! client waits, went away, or was told that it took too long.

use std::future::Future;
use std::panic::resume_unwind;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::timeout;
use tracing::Instrument as _;

use super::api::Api;
use super::guard;
use crate::problem::{Code, Problem};

/// Answers in time, unless a foreign web page asks for a change. A change that takes longer is made
/// nevertheless; the bodies it reads and the devices it asks have limits of their own.
pub(super) async fn answer_in_time(
    State(api): State<Api>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    guard::check_origin(&api, &request)?;
    let limit = api.settings().request_timeout;
    let answered = if request.method().is_safe() {
        timeout(limit, async { Ok(next.run(request).await) }).await
    } else {
        timeout(limit, on_its_own(&api, next.run(request))).await
    };
    answered.unwrap_or_else(|_| Err(too_long()))
}

fn too_long() -> Problem {
    let detail = "the answer took too long; what was asked may still be done: look, or ask again";
    Problem::new(Code::TimedOut, detail)
}

async fn on_its_own(
    api: &Api,
    answering: impl Future<Output = Response> + Send + 'static,
) -> Result<Response, Problem> {
    match api.running().spawn(answering.in_current_span()).await {
        Ok(response) => Ok(response),
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Err(_) => Err(Problem::new(Code::Stopping, "the register is stopping")),
    }
}
