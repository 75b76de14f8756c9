//! Splits as a store's registers see them: the day's numbers, and what waits for a manager.

use axum::Json as Answered;
use axum::extract::State;
use tillroll_domain::splits::SplitState;
use tillroll_wire::split::{SplitAction, SplitDayView, SplitList, SplitView};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{asked, day_of};
use crate::http::api::Api;
use crate::http::extract::{Json, Path};
use crate::http::guard::Device;
use crate::http::problem::Refusal;
use crate::http::split::{check_action, split_day_view, split_list};
use crate::store::Splits as _;

/// Splits of a list.
const LIST: u32 = 100;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(get_split_day_of_register))
        .routes(routes!(list_manual_splits))
        .routes(routes!(act_on_split_of_register))
}

/// A business day's splits of the register's store
#[utoipa::path(
    get, path = "/v1/sync/split-days/{date}", tag = "sync",
    params(("date" = String, Path, description = "The day, as 2026-10-09")),
    responses((status = 200, description = "The day", body = SplitDayView))
)]
async fn get_split_day_of_register(
    State(api): State<Api>,
    device: Device,
    Path(date): Path<String>,
) -> Result<Answered<SplitDayView>, Refusal> {
    let day = day_of(&date)?;
    let totals = api.store().split_day(device.credential.store.no, day).await?;
    Ok(Answered(split_day_view(day, totals)))
}

/// Splits of the register's store that wait for a person
///
/// The newest 100.
#[utoipa::path(
    get, path = "/v1/sync/splits", tag = "sync",
    responses((status = 200, description = "Newest first", body = SplitList))
)]
async fn list_manual_splits(
    State(api): State<Api>,
    device: Device,
) -> Result<Answered<SplitList>, Refusal> {
    let store = device.credential.store.no;
    let splits = api.store().splits(store, Some(SplitState::Manual), None, LIST).await?;
    Ok(Answered(split_list(splits, LIST)))
}

/// Settle a split of the register's store as its manager
///
/// As for business systems; the register's name stands before the person's.
#[utoipa::path(
    post, path = "/v1/sync/splits/{split}/{action}", tag = "sync",
    params(
        ("split" = String, Path, description = "The split's id"),
        ("action" = String, Path, pattern = "^(retry|settle|cancel)$", description = "What to do")
    ),
    request_body = SplitAction,
    responses((status = 200, description = "Done", body = SplitView))
)]
async fn act_on_split_of_register(
    State(api): State<Api>,
    device: Device,
    Path((split, action)): Path<(String, String)>,
    Json(body): Json<SplitAction>,
) -> Result<Answered<SplitView>, Refusal> {
    let verb = check_action(&action, &body)?;
    let by = format!("{}/{}", device.credential.register.name, body.by);
    asked(&api, device.credential.store.no, &split, verb, SplitAction { by, ..body }).await
}
