//! Jobs: lists, one job's story, and the answers of people.

use axum::extract::State;
use axum::{Extension, Json as Answered};
use serde::Deserialize;
use tillroll_domain::print_job::{JobState, Verb};
use utoipa::IntoParams;
use utoipa::openapi::path::Paths;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use crate::Access;
use crate::http::api::Api;
use crate::http::extract::{Json, OptionalJson, Path, Query};
use crate::problem::Problem;
use crate::view::{AnswerBody, JobView, JobsView, ManyAnswered, ManyBody, StoryView};

pub(super) fn routes() -> OpenApiRouter<Api> {
    let one = OpenApiRouter::default()
        .routes(routes!(list_jobs))
        .routes(routes!(get_job))
        .routes(routes!(answer_job));
    Verb::ALL.into_iter().fold(one, |router, verb| router.routes(many(verb)))
}

/// The route that answers many jobs with one verb: each verb has its own address, beside which no job
/// id can stand.
fn many(verb: Verb) -> UtoipaMethodRouter<Api> {
    let (schemas, described, router) = routes!(answer_jobs);
    let mut item = described.paths.into_values().next().unwrap_or_default();
    if let Some(operation) = &mut item.post {
        operation.operation_id = Some(format!("{verb}_jobs"));
        operation.summary = Some(format!("Answer many jobs at once: {verb}"));
    }
    let mut paths = Paths::new();
    paths.paths.insert(format!("/v1/jobs/{verb}"), item);
    (schemas, paths, router.layer(Extension(verb)))
}

/// Which jobs.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only those in this state.
    #[param(
        value_type = Option<String>,
        pattern = "^(pending|held|printing|printed|sent|unconfirmed|failed|skipped)$"
    )]
    state: Option<JobState>,
    /// At most so many, 1 to 500; 100 without it.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// List the newest jobs
#[utoipa::path(get, path = "/v1/jobs", tag = "jobs", params(Which), responses((status = 200, description = "The jobs", body = JobsView)))]
async fn list_jobs(
    State(api): State<Api>,
    Query(which): Query<Which>,
) -> Result<Answered<JobsView>, Problem> {
    let limit = which.limit.unwrap_or(100);
    if !(1..=500).contains(&limit) {
        return Err(Problem::value("limit", "must be from 1 to 500"));
    }
    let jobs = api.register().jobs(which.state, limit).await?;
    Ok(Answered(JobsView { jobs }))
}

/// Where is this receipt?
///
/// State, reason, proof, every attempt with its cause, every answer, its copies and its records.
#[utoipa::path(
    get, path = "/v1/jobs/{id}", tag = "jobs",
    params(("id" = String, Path, description = "The job's id")),
    responses((status = 200, description = "Everything known about it", body = StoryView))
)]
async fn get_job(
    State(api): State<Api>,
    Path(id): Path<String>,
) -> Result<Answered<StoryView>, Problem> {
    Ok(Answered(api.register().job(&id).await?))
}

/// Answer a job
///
/// What its state allows stands in the job itself.
#[utoipa::path(
    post, path = "/v1/jobs/{id}/{verb}", tag = "jobs",
    params(
        ("id" = String, Path, description = "The job's id"),
        ("verb" = String, Path, pattern = "^(retry|on_paper|not_on_paper|print|skip|reroute|copy)$", description = "What is asked")
    ),
    request_body = Option<AnswerBody>,
    responses((status = 200, description = "The job as it stands", body = JobView))
)]
async fn answer_job(
    State(api): State<Api>,
    access: Access,
    Path((id, verb)): Path<(String, String)>,
    OptionalJson(body): OptionalJson<AnswerBody>,
) -> Result<Answered<JobView>, Problem> {
    let verb = verb.parse::<Verb>().map_err(|error| Problem::value("verb", error.to_string()))?;
    Ok(Answered(api.register().answer(&access, &id, verb, &body).await?))
}

/// Answer many jobs at once
///
/// Each for itself: one that refuses does not keep the others.
#[utoipa::path(
    post, path = "/v1/jobs/verb", tag = "jobs",
    request_body = ManyBody,
    responses((status = 200, description = "What became of each", body = ManyAnswered))
)]
async fn answer_jobs(
    State(api): State<Api>,
    Extension(verb): Extension<Verb>,
    access: Access,
    Json(many): Json<ManyBody>,
) -> Result<Answered<ManyAnswered>, Problem> {
    let body = AnswerBody { reason: many.reason, printer: many.printer };
    Ok(Answered(api.register().answer_many(&access, &many.ids, verb, &body).await?))
}
