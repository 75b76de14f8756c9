//! All routes with what stands before them, outermost first: observed, panics caught, answered in time,
//! secret checked.

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;

use super::api::Api;
use super::{deadline, guard, handlers, observe};

pub(super) fn assemble(api: Api) -> Router {
    let key = from_fn_with_state(api.clone(), guard::check_key);
    let credential = from_fn_with_state(api.clone(), guard::check_credential);
    let routes = Router::from(handlers::for_business_systems())
        .route_layer(key)
        .merge(Router::from(handlers::for_registers()).route_layer(credential))
        .merge(Router::from(handlers::open()));
    let before_all = ServiceBuilder::new()
        .layer(from_fn_with_state(api.clone(), observe::observe))
        .layer(CatchPanicLayer::custom(observe::panicked))
        .layer(from_fn_with_state(api.clone(), deadline::answer_in_time));
    routes.fallback(async || StatusCode::NOT_FOUND).layer(before_all).with_state(api)
}
