//! Refused receipts.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::{Json, Path};
use crate::problem::Problem;
use crate::view::{RejectedAnswer, RejectedListView};

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(list_rejected)).routes(routes!(answer_rejected))
}

/// The refused receipts nobody has dealt with, oldest first
#[utoipa::path(
    get, path = "/v1/rejected", tag = "to do",
    responses((status = 200, description = "The list", body = RejectedListView))
)]
async fn list_rejected(State(api): State<Api>) -> Result<Answered<RejectedListView>, Problem> {
    Ok(Answered(RejectedListView { rejected: api.register().rejected().await? }))
}

/// Say what was done about a refused receipt
#[utoipa::path(
    post, path = "/v1/rejected/{id}/answer", tag = "to do",
    params(("id" = i64, Path, description = "Its number on the list")),
    request_body = RejectedAnswer,
    responses((status = 204, description = "It is off the list"))
)]
async fn answer_rejected(
    State(api): State<Api>,
    Path(id): Path<i64>,
    Json(body): Json<RejectedAnswer>,
) -> Result<StatusCode, Problem> {
    api.register().answer_rejected(id, &body.answer).await?;
    Ok(StatusCode::NO_CONTENT)
}
