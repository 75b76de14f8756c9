//! Splits: a day's numbers, and what a manager does about those left to people.

use axum::extract::State;
use axum::{Extension, Json as Answered};
use jiff::civil::Date;
use tillroll_domain::splits::Verb;
use utoipa::openapi::path::Paths;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use crate::Access;
use crate::http::api::Api;
use crate::http::extract::{Json, Path};
use crate::problem::Problem;
use crate::view::{ManualSplitView, SplitBody, SplitsView};

pub(super) fn routes() -> OpenApiRouter<Api> {
    let fixed = OpenApiRouter::default().routes(routes!(get_splits));
    Verb::ALL.into_iter().fold(fixed, |router, verb| router.routes(answering(verb)))
}

/// The route that answers a split with one verb.
fn answering(verb: Verb) -> UtoipaMethodRouter<Api> {
    let (schemas, described, router) = routes!(answer_split);
    let mut item = described.paths.into_values().next().unwrap_or_default();
    if let Some(operation) = &mut item.post {
        operation.operation_id = Some(format!("{verb}_split"));
        operation.summary = Some(format!("Answer a split that waits for a manager: {verb}"));
    }
    let mut paths = Paths::new();
    paths.paths.insert(format!("/v1/splits/{{id}}/{verb}"), item);
    (schemas, paths, router.layer(Extension(verb)))
}

/// A day's splits of the store
///
/// How many and how much succeeded, are pending, wait for a manager, were canceled, as the head office has them; or
/// as it told them last, and when.
#[utoipa::path(
    get, path = "/v1/days/{date}/splits", tag = "days",
    params(("date" = String, Path, format = Date, description = "The business day")),
    responses((status = 200, description = "The day's splits", body = SplitsView))
)]
async fn get_splits(
    State(api): State<Api>,
    Path(date): Path<Date>,
) -> Result<Answered<SplitsView>, Problem> {
    Ok(Answered(api.register().splits(date).await?))
}

/// Answer a split that waits for a manager
///
/// `retry` gives it its whole time again, and the channel is asked first; `settle` needs the evidence that it is
/// paid; `cancel` needs a reason, and is refused where it may be paid.
#[utoipa::path(
    post, path = "/v1/splits/{id}/verb", tag = "days",
    params(("id" = String, Path, description = "The split's id")),
    request_body = SplitBody,
    responses((status = 200, description = "As it stands now", body = ManualSplitView))
)]
async fn answer_split(
    State(api): State<Api>,
    Extension(verb): Extension<Verb>,
    access: Access,
    Path(id): Path<String>,
    Json(body): Json<SplitBody>,
) -> Result<Answered<ManualSplitView>, Problem> {
    Ok(Answered(api.register().answer_split(&access, &id, verb, &body).await?))
}
