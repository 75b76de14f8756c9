//! All routes with what stands before them, outermost first: observed, panics caught, answered in time,
//! secret checked. What registers are answered may be packed.

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn_with_state, map_response};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;

use super::api::Api;
use super::{coding, deadline, guard, handlers, observe};

pub(super) fn assemble(api: Api) -> Router {
    let key = from_fn_with_state(api.clone(), guard::check_key);
    let credential = from_fn_with_state(api.clone(), guard::check_credential);
    let for_registers = Router::from(handlers::for_registers())
        .route_layer(credential)
        .layer(coding::packed())
        .layer(map_response(coding::offered));
    let routes = Router::from(handlers::for_business_systems())
        .route_layer(key)
        .merge(for_registers)
        .merge(Router::from(handlers::open()));
    let before_all = ServiceBuilder::new()
        .layer(from_fn_with_state(api.clone(), observe::observe))
        .layer(CatchPanicLayer::custom(observe::panicked))
        .layer(from_fn_with_state(api.clone(), deadline::answer_in_time));
    routes.fallback(async || StatusCode::NOT_FOUND).layer(before_all).with_state(api)
}
