//! Print jobs of business systems: sent, looked at, taken back.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use tillroll_domain::ids::JobId;
use tillroll_wire::job::{CloudJobView, CloudState};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::{JobBytes, Path, Query};
use crate::http::guard::Shop;
use crate::http::print_job::{Sent, Taken, take, view, views};
use crate::http::problem::Refusal;
use crate::http::shape::PrintJobBody;
use crate::http::view::JobList;
use crate::store::DispatcherStore as _;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(submit_print_job, list_print_jobs))
        .routes(routes!(get_print_job))
        .routes(routes!(cancel_print_job))
}

/// Send a print job
///
/// Durable when it is answered; the register is not waited for. The same id with the same body is a
/// replay; with another body it is a conflict that names both fingerprints.
#[utoipa::path(
    post, path = "/v1/stores/{store}/print-jobs", tag = "print jobs",
    params(("store" = String, Path, description = "The store's uid")),
    request_body = PrintJobBody,
    responses(
        (status = 201, description = "Taken", body = CloudJobView),
        (status = 200, description = "Taken before with the same body; nothing is new", body = CloudJobView),
    )
)]
async fn submit_print_job(
    State(api): State<Api>,
    shop: Shop,
    JobBytes(body): JobBytes,
) -> Result<(StatusCode, Answered<CloudJobView>), Refusal> {
    let taken = match Sent::read(&body) {
        Ok(sent) => take(&api, &shop, sent).await,
        Err(refusal) => Err(refusal),
    };
    api.metrics().submitted(&taken);
    Ok(match taken? {
        Taken::New(job) => (StatusCode::CREATED, Answered(job)),
        Taken::Replayed(job) => (StatusCode::OK, Answered(job)),
    })
}

/// Where is this print job?
#[utoipa::path(
    get, path = "/v1/stores/{store}/print-jobs/{id}", tag = "print jobs",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("id" = String, Path, description = "The job's id")
    ),
    responses((status = 200, description = "Where it stands", body = CloudJobView))
)]
async fn get_print_job(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, id)): Path<(String, String)>,
) -> Result<Answered<CloudJobView>, Refusal> {
    let job = api.store().job(shop.store.no, id_of(&id)?).await?;
    let job = job.ok_or_else(|| Refusal::not_found("job"))?;
    Ok(Answered(view(&api, &job, false).await?))
}

/// Take a print job back
///
/// At once when it was never pushed; else its register is asked, and the job is `cancel_requested` until
/// that answers. What began to print is not taken back.
#[utoipa::path(
    post, path = "/v1/stores/{store}/print-jobs/{id}/cancel", tag = "print jobs",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("id" = String, Path, description = "The job's id")
    ),
    responses((status = 200, description = "The job as it stands", body = CloudJobView))
)]
async fn cancel_print_job(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, id)): Path<(String, String)>,
) -> Result<Answered<CloudJobView>, Refusal> {
    let job = api.scheduler().cancel(shop.store.no, id_of(&id)?).await?;
    Ok(Answered(view(&api, &job, false).await?))
}

/// Which print jobs.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only those in this state.
    #[param(inline)]
    state: Option<CloudState>,
    /// Only those older than this job.
    before: Option<String>,
    /// At most so many, 1 to 500; 100 without it.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// List the newest print jobs
#[utoipa::path(
    get, path = "/v1/stores/{store}/print-jobs", tag = "print jobs",
    params(("store" = String, Path, description = "The store's uid"), Which),
    responses((status = 200, description = "The jobs, newest first", body = JobList))
)]
async fn list_print_jobs(
    State(api): State<Api>,
    shop: Shop,
    Query(which): Query<Which>,
) -> Result<Answered<JobList>, Refusal> {
    let limit = which.limit.unwrap_or(100);
    if !(1..=500).contains(&limit) {
        return Err(Refusal::value("limit", "must be from 1 to 500"));
    }
    let store = shop.store.no;
    let before = match &which.before {
        None => None,
        Some(id) => {
            let job = api.store().job(store, id_of(id)?).await?;
            Some(job.ok_or_else(|| Refusal::value("before", "names no job of this store"))?.key)
        }
    };
    let found = api.store().jobs(store, which.state, before, limit).await?;
    let is_full = u32::try_from(found.len()).is_ok_and(|found| found == limit);
    let next = found.last().filter(|_| is_full).map(|job| job.id.to_string());
    Ok(Answered(JobList { jobs: views(&api, &found).await?, next }))
}

/// What is no job id names no job.
fn id_of(text: &str) -> Result<JobId, Refusal> {
    text.parse().map_err(|_| Refusal::not_found("job"))
}
