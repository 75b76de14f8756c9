//! The head office: pairing, how the register stands with it, and the manager's list of records.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json as Answered};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa::openapi::path::Paths;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use crate::Access;
use crate::http::api::Api;
use crate::http::extract::{Json, Query};
use crate::problem::Problem;
use crate::view::{
    CloudRecordsView, CloudStatusView, PairCloudBody, RecordState, RecordVerb, RecordsAnswered,
    RecordsBody,
};

pub(super) fn routes() -> OpenApiRouter<Api> {
    let fixed = OpenApiRouter::default()
        .routes(routes!(get_cloud, unpair_cloud))
        .routes(routes!(pair_cloud))
        .routes(routes!(retry_cloud))
        .routes(routes!(list_cloud_records));
    RecordVerb::ALL.into_iter().fold(fixed, |router, verb| router.routes(answering(verb)))
}

/// The route that answers records with one verb.
fn answering(verb: RecordVerb) -> UtoipaMethodRouter<Api> {
    let (schemas, described, router) = routes!(answer_cloud_records);
    let mut item = described.paths.into_values().next().unwrap_or_default();
    let word = verb.as_str();
    if let Some(operation) = &mut item.post {
        operation.operation_id = Some(format!("{word}_cloud_records"));
        operation.summary = Some(format!("Answer records of the manager's list: {word}"));
    }
    let mut paths = Paths::new();
    paths.paths.insert(format!("/v1/cloud/records/{word}"), item);
    (schemas, paths, router.layer(Extension(verb)))
}

/// How the register stands with the head office
#[utoipa::path(
    get, path = "/v1/cloud", tag = "cloud",
    responses((status = 200, description = "Connection, clocks, and what is still to be told", body = CloudStatusView))
)]
async fn get_cloud(State(api): State<Api>) -> Result<Answered<CloudStatusView>, Problem> {
    Ok(Answered(api.register().cloud().await?))
}

/// Pair with a head office
///
/// The code counts once. An earlier pairing is replaced.
#[utoipa::path(
    post, path = "/v1/cloud/pair", tag = "cloud",
    request_body = PairCloudBody,
    responses((status = 200, description = "Paired", body = CloudStatusView))
)]
async fn pair_cloud(
    State(api): State<Api>,
    access: Access,
    Json(body): Json<PairCloudBody>,
) -> Result<Answered<CloudStatusView>, Problem> {
    Ok(Answered(api.register().pair(&access, &body).await?))
}

/// End the pairing
///
/// Records wait for the next one. The head office's jobs that are here stay.
#[utoipa::path(
    delete, path = "/v1/cloud", tag = "cloud",
    responses((status = 204, description = "This register is not paired"))
)]
async fn unpair_cloud(State(api): State<Api>, access: Access) -> Result<StatusCode, Problem> {
    api.register().unpair(&access).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Try for a connection now, also after a refusal
#[utoipa::path(
    post, path = "/v1/cloud/retry", tag = "cloud",
    responses((status = 200, description = "As it stands", body = CloudStatusView))
)]
async fn retry_cloud(State(api): State<Api>) -> Result<Answered<CloudStatusView>, Problem> {
    Ok(Answered(api.register().retry_cloud().await?))
}

/// Which records.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only those that were refused, or only those the head office alone has.
    #[param(inline)]
    state: Option<RecordState>,
}

/// The manager's list of records
///
/// Those the head office refused, and those it has that went here with an older copy of the database; at
/// most 500 of each.
#[utoipa::path(
    get, path = "/v1/cloud/records", tag = "cloud", params(Which),
    responses((status = 200, description = "The list", body = CloudRecordsView))
)]
async fn list_cloud_records(
    State(api): State<Api>,
    Query(which): Query<Which>,
) -> Result<Answered<CloudRecordsView>, Problem> {
    Ok(Answered(api.register().cloud_records(which.state).await?))
}

/// Answer records of the manager's list
///
/// Records of one receipt go together.
#[utoipa::path(
    post, path = "/v1/cloud/records/verb", tag = "cloud",
    request_body = RecordsBody,
    responses((status = 200, description = "How many were answered", body = RecordsAnswered))
)]
async fn answer_cloud_records(
    State(api): State<Api>,
    Extension(verb): Extension<RecordVerb>,
    access: Access,
    Json(body): Json<RecordsBody>,
) -> Result<Answered<RecordsAnswered>, Problem> {
    Ok(Answered(api.register().answer_records(&access, verb, &body).await?))
}
