//! The one list of what waits for a person.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::Path;
use crate::problem::Problem;
use crate::view::TodoView;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(get_todo)).routes(routes!(read_notice))
}

/// What waits for a person
///
/// Jobs that ask or wait too long, refused receipts and records, and what the register itself has to tell.
#[utoipa::path(get, path = "/v1/todo", tag = "to do", responses((status = 200, description = "The list", body = TodoView)))]
async fn get_todo(State(api): State<Api>) -> Result<Answered<TodoView>, Problem> {
    Ok(Answered(api.register().todo().await?))
}

/// A person has read a notice
#[utoipa::path(
    post, path = "/v1/notices/{id}/read", tag = "to do",
    params(("id" = i64, Path, description = "The notice's number")),
    responses((status = 204, description = "It is off the list"))
)]
async fn read_notice(State(api): State<Api>, Path(id): Path<i64>) -> Result<StatusCode, Problem> {
    api.register().answer_notice(id).await?;
    Ok(StatusCode::NO_CONTENT)
}
