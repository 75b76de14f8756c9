//! The paper of a job as it would print now.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::{Path, Query};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(get_paper))
}

/// What the paper is drawn as.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    #[default]
    Text,
    Svg,
    Png,
}

/// The bytes of a picture.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "a shape to describe, never a value")]
struct Png(Vec<u8>);

/// How the paper is wanted.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// What it is drawn as; text without it.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// The paper of a job, as it would print now
///
/// Drawn from the very bytes its printer would get.
#[utoipa::path(
    get, path = "/v1/jobs/{id}/paper", tag = "jobs",
    params(("id" = String, Path, description = "The job's id"), Wanted),
    responses((status = 200, description = "The paper", content(
        (String = "text/plain"), (String = "image/svg+xml"), (Png = "image/png")
    )))
)]
async fn get_paper(
    State(api): State<Api>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Problem> {
    let paper = api.register().paper(&id).await?;
    let (media, drawn) = match wanted.format {
        Format::Text => ("text/plain; charset=utf-8", paper.text().into_bytes()),
        Format::Svg => ("image/svg+xml", paper.svg()?.into_bytes()),
        Format::Png => ("image/png", paper.png().await?),
    };
    Ok(([(header::CONTENT_TYPE, media)], drawn).into_response())
}
