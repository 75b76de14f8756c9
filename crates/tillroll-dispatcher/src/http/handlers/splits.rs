//! Splits: share tables set, splits prepared and confirmed, looked at, and settled by people.

mod of_a_register;

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use tillroll_domain::splits::{Event, SplitState, Verb};
use tillroll_wire::Code;
use tillroll_wire::split::{SplitAction, SplitDayView, SplitList, SplitView};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::books::day_of;
use crate::http::api::Api;
use crate::http::extract::{Json, Path, Query};
use crate::http::guard::Shop;
use crate::http::problem::{Fingerprints, Refusal};
use crate::http::split::{
    ActionBody, ShareTableBody, ShareTableList, ShareTableView, SplitBody, check_action,
    split_day_view, split_list, split_view, with_history,
};
use crate::job::StoreNo;
use crate::splits::{Cause, Prepared, act, confirm};
use crate::store::{Splits as _, TableSet};

pub(super) fn of_a_register() -> OpenApiRouter<Api> {
    of_a_register::routes()
}

pub(super) fn of_a_store() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(list_share_tables))
        .routes(routes!(set_share_table))
        .routes(routes!(prepare_split, list_splits))
        .routes(routes!(get_split))
        .routes(routes!(confirm_split))
        .routes(routes!(act_on_split))
        .routes(routes!(get_split_day))
}

/// Every version of a store's share table
#[utoipa::path(
    get, path = "/v1/stores/{store}/share-tables", tag = "splits",
    params(("store" = String, Path, description = "The store's uid")),
    responses((status = 200, description = "The first one first", body = ShareTableList))
)]
async fn list_share_tables(
    State(api): State<Api>,
    shop: Shop,
) -> Result<Answered<ShareTableList>, Refusal> {
    let tables = api.store().share_tables(shop.store.no).await?;
    let tables = tables.into_iter().map(ShareTableView::of).collect();
    Ok(Answered(ShareTableList { tables }))
}

/// Set the next version of a store's share table
///
/// Versions count from 1, follow each other and never change: the newest one that was valid when an order was
/// paid counts for it. The same version with the same table again is a replay.
#[utoipa::path(
    put, path = "/v1/stores/{store}/share-tables/{version}", tag = "splits",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("version" = u32, Path, description = "The version", minimum = 1)
    ),
    request_body = ShareTableBody,
    responses(
        (status = 201, description = "Set", body = ShareTableView),
        (status = 200, description = "Set before; nothing is new", body = ShareTableView),
    )
)]
async fn set_share_table(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, version)): Path<(String, u32)>,
    Json(body): Json<ShareTableBody>,
) -> Result<(StatusCode, Answered<ShareTableView>), Refusal> {
    let table = body.read(version)?;
    let set = api.store().set_share_table(shop.store.no, table.clone(), api.now()).await?;
    let status = match set {
        TableSet::New => StatusCode::CREATED,
        TableSet::Replayed => StatusCode::OK,
        TableSet::Conflict => {
            return Err(Refusal::new(Code::Conflict, "that version is set, and says otherwise"));
        }
        TableSet::OutOfOrder { next } => {
            return Err(Refusal::value("version", format!("must be {next}, the next one")));
        }
    };
    Ok((status, Answered(ShareTableView::of(table))))
}

/// Prepare a split
///
/// Divides the order, or the refund, and records it; moves no money. The same id with the same body is a replay,
/// with another body a conflict that names both fingerprints.
#[utoipa::path(
    post, path = "/v1/stores/{store}/splits", tag = "splits",
    params(("store" = String, Path, description = "The store's uid")),
    request_body = SplitBody,
    responses(
        (status = 201, description = "Recorded", body = SplitView),
        (status = 200, description = "Recorded before; nothing is new", body = SplitView),
    )
)]
async fn prepare_split(
    State(api): State<Api>,
    shop: Shop,
    Json(body): Json<SplitBody>,
) -> Result<(StatusCode, Answered<SplitView>), Refusal> {
    let new = body.read(shop.store.no, api.now())?;
    let (id, offered) = (new.id.clone(), new.fingerprint);
    match api.store().prepare_split(new).await? {
        Prepared::New(split) => Ok((StatusCode::CREATED, Answered(split_view(split, false)))),
        Prepared::Replayed(split) => Ok((StatusCode::OK, Answered(split_view(split, true)))),
        Prepared::Conflict { stored } => {
            Err(Refusal::conflict(&id, Fingerprints { stored, offered }))
        }
        Prepared::Refused(error) => Err(error.into()),
    }
}

/// Confirm a split: it is paid from now on
///
/// The answer does not wait for the money: it is paid from a durable queue. Asked again, nothing is new. A refund
/// is confirmed once the split it takes back from has succeeded.
#[utoipa::path(
    post, path = "/v1/stores/{store}/splits/{split}/confirm", tag = "splits",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("split" = String, Path, description = "The split's id")
    ),
    responses((status = 202, description = "Confirmed", body = SplitView))
)]
async fn confirm_split(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, split)): Path<(String, String)>,
) -> Result<(StatusCode, Answered<SplitView>), Refusal> {
    let cause = Cause::itself(api.now(), 0);
    let (split, replayed) = confirm(api.store(), shop.store.no, &split, &cause).await?;
    Ok((StatusCode::ACCEPTED, Answered(split_view(split, replayed))))
}

/// A split and its history
#[utoipa::path(
    get, path = "/v1/stores/{store}/splits/{split}", tag = "splits",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("split" = String, Path, description = "The split's id")
    ),
    responses((status = 200, description = "As it stands", body = SplitView))
)]
async fn get_split(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, id)): Path<(String, String)>,
) -> Result<Answered<SplitView>, Refusal> {
    let split = api.store().split(shop.store.no, id).await?;
    let split = split.ok_or_else(|| Refusal::not_found("split"))?;
    let history = api.store().split_history(split.key).await?;
    Ok(Answered(with_history(split_view(split, false), history)))
}

/// Which splits.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only those in this state.
    #[param(value_type = Option<String>,
        pattern = "^(init|processing|succeeded|retryable_failed|failed|manual)$")]
    state: Option<SplitState>,
    /// Only those with a lower number.
    before: Option<i64>,
    /// At most so many, 1 to 500; 100 without it.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// Splits of a store, newest first
#[utoipa::path(
    get, path = "/v1/stores/{store}/splits", tag = "splits",
    params(("store" = String, Path, description = "The store's uid"), Which),
    responses((status = 200, description = "One page", body = SplitList))
)]
async fn list_splits(
    State(api): State<Api>,
    shop: Shop,
    Query(which): Query<Which>,
) -> Result<Answered<SplitList>, Refusal> {
    let limit = which.limit.unwrap_or(100);
    if !(1..=500).contains(&limit) {
        return Err(Refusal::value("limit", "must be from 1 to 500"));
    }
    let splits = api.store().splits(shop.store.no, which.state, which.before, limit).await?;
    Ok(Answered(split_list(splits, limit)))
}

/// Settle a split as a person
///
/// `retry` gives it its whole time again, and the channel is asked first; `settle` needs the evidence that it is
/// paid; `cancel` needs a reason, and is refused where it may be paid.
#[utoipa::path(
    post, path = "/v1/stores/{store}/splits/{split}/{action}", tag = "splits",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("split" = String, Path, description = "The split's id"),
        ("action" = String, Path, pattern = "^(retry|settle|cancel)$", description = "What to do")
    ),
    request_body = ActionBody,
    responses((status = 200, description = "Done", body = SplitView))
)]
async fn act_on_split(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, split, action)): Path<(String, String, String)>,
    Json(body): Json<ActionBody>,
) -> Result<Answered<SplitView>, Refusal> {
    let body = SplitAction::from(body);
    let verb = check_action(&action, &body)?;
    asked(&api, shop.store.no, &split, verb, body).await
}

/// Does what a person asks.
async fn asked(
    api: &Api,
    store: StoreNo,
    split: &str,
    verb: Verb,
    SplitAction { by, note }: SplitAction,
) -> Result<Answered<SplitView>, Refusal> {
    let cause = Cause { by: Some(by), note, ..Cause::itself(api.now(), 0) };
    let split = act(api.store(), store, split, Event::Asked(verb), &cause).await?;
    Ok(Answered(split_view(split, false)))
}

/// A business day's splits: how many and how much succeeded, are pending, with a person, taken back
#[utoipa::path(
    get, path = "/v1/stores/{store}/split-days/{date}", tag = "splits",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("date" = String, Path, description = "The day, as 2026-10-09")
    ),
    responses((status = 200, description = "The day", body = SplitDayView))
)]
async fn get_split_day(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, date)): Path<(String, String)>,
) -> Result<Answered<SplitDayView>, Refusal> {
    let day = day_of(&date)?;
    let totals = api.store().split_day(shop.store.no, day).await?;
    Ok(Answered(split_day_view(day, totals)))
}
