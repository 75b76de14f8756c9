//! All routes with what stands before them, outermost first: observed and let in, panics caught, web
//! pages told what they may, origin checked and answered in time, token checked.

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;

use super::api::Api;
use super::{HttpSettings, deadline, guard, handlers, observe};
use crate::Register;

/// The API of a register, for a server of one's own. Any port is right in a Host header; see
/// [`super::serve`] for the server that belongs to it.
pub fn router(register: Register, settings: HttpSettings) -> Router {
    assemble(Api::new(register, settings, None))
}

/// The routes for clients with a token, and those open to all on this computer. Each carries its own
/// description.
pub(super) fn routes() -> (OpenApiRouter<Api>, OpenApiRouter<Api>) {
    (handlers::for_clients(), handlers::open())
}

pub(super) fn assemble(api: Api) -> Router {
    let (for_clients, open) = routes();
    let token = from_fn_with_state(api.clone(), guard::check_token);
    guarded(Router::from(for_clients).layer(token).merge(Router::from(open)), api)
}

/// Puts what stands before all routes before these. Few layers: each copies, at every request, all that
/// is behind it.
fn guarded(routes: Router<Api>, api: Api) -> Router {
    let before_all = ServiceBuilder::new()
        .layer(from_fn_with_state(api.clone(), observe::observe))
        .layer(CatchPanicLayer::custom(observe::panicked))
        .layer(guard::cors(api.settings().allowed_origins.clone()))
        .layer(from_fn_with_state(api.clone(), deadline::answer_in_time));
    routes.fallback(|| async { StatusCode::NOT_FOUND }).layer(before_all).with_state(api)
}

#[cfg(test)]
mod tests;
