//! For those who watch the register: its health, its figures, and the API's own description.

use std::sync::LazyLock;

use axum::Json as Answered;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::metrics::Reading;
use crate::http::openapi::openapi_json;
use crate::problem::Problem;
use crate::view::HealthView;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(get_health))
        .routes(routes!(get_metrics))
        .routes(routes!(get_openapi))
}

/// Whether the register can take receipts
///
/// 200 as long as it answers at all; `degraded` while its database takes no writes, or fonts are missing.
#[utoipa::path(
    get, path = "/healthz", tag = "health",
    responses((status = 200, description = "Its health", body = HealthView))
)]
async fn get_health(State(api): State<Api>) -> Answered<HealthView> {
    Answered(api.register().health())
}

/// Figures for Prometheus
#[utoipa::path(
    get, path = "/metrics", tag = "health",
    responses((status = 200, description = "The figures", body = String, content_type = "text/plain"))
)]
async fn get_metrics(State(api): State<Api>) -> Result<impl IntoResponse, Problem> {
    let register = api.register();
    let reading = Reading {
        jobs: register.open_jobs().await?,
        printers: register.printers().await?,
        health: register.store().health(),
        cloud: register.cloud().await?,
    };
    let media = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, media)], api.metrics().render(&reading)))
}

/// This description
#[utoipa::path(
    get, path = "/v1/openapi.json", tag = "health",
    responses((status = 200, description = "OpenAPI 3.1", body = Object, content_type = "application/json"))
)]
async fn get_openapi() -> impl IntoResponse {
    static DESCRIPTION: LazyLock<String> = LazyLock::new(openapi_json);
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION.as_str())
}
