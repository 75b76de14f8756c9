//! A request is answered within a limit, and one that changes something runs to its end, whether its
//! client waits, went away, or was told that it took too long.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tillroll_spooler::ToItsEnd;
use tokio::time::timeout;

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
        timeout(limit, next.run(request)).await
    } else {
        let running = api.running().token();
        let change = async move {
            let _running = running;
            next.run(request).await
        };
        timeout(limit, ToItsEnd::new(change)).await
    };
    answered.map_err(|_| too_long())
}

fn too_long() -> Problem {
    let detail = "the answer took too long; what was asked may still be done: look, or ask again";
    Problem::new(Code::TimedOut, detail)
}
