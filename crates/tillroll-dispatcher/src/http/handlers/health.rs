//! For those who watch the dispatcher: its health, its figures, and the API's own description.

use std::sync::LazyLock;
use std::time::Duration;

use axum::Json as Answered;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use tillroll_wire::Code;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::metrics::Reading;
use crate::http::openapi::openapi_json;
use crate::http::problem::Refusal;
use crate::http::view::HealthView;
use crate::store::{DispatcherStore as _, Splits as _};

/// Jobs that ended unconfirmed are counted for so long.
const UNCONFIRMED_FOR: Duration = Duration::from_secs(86_400);

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(get_health))
        .routes(routes!(get_metrics))
        .routes(routes!(get_openapi))
}

/// Whether the dispatcher can take jobs
///
/// A problem of status 503 while nothing can be stored.
#[utoipa::path(
    get, path = "/healthz", tag = "health",
    responses((status = 200, description = "It can", body = HealthView))
)]
async fn get_health(State(api): State<Api>) -> Result<Answered<HealthView>, Refusal> {
    if !api.is_healthy().await {
        return Err(Refusal::new(Code::Unavailable, "nothing can be stored now"));
    }
    Ok(Answered(HealthView { connected: api.scheduler().snapshot().connected }))
}

/// Figures for Prometheus
#[utoipa::path(
    get, path = "/metrics", tag = "health",
    responses((status = 200, description = "The figures", body = String, content_type = "text/plain"))
)]
async fn get_metrics(State(api): State<Api>) -> Result<impl IntoResponse, Refusal> {
    let now = api.now();
    let open = api.store().open_counts().await?.into_iter().map(|(state, count, oldest)| {
        let age = Duration::try_from(now.duration_since(oldest)).unwrap_or_default();
        (state, count, age)
    });
    let unconfirmed = match now.checked_sub(UNCONFIRMED_FOR) {
        Ok(since) => api.store().unconfirmed_since(since).await?,
        Err(_) => 0,
    };
    let reading = Reading {
        open: open.collect(),
        schedule: api.scheduler().snapshot(),
        hooks: api.hooks().counts(),
        splits: api.store().open_splits().await?,
        payments: api.payments().counts(),
        unconfirmed,
        audit: api.audit().counts(),
        sharing: api.limits().sharing(),
        database: api.store().health(),
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
