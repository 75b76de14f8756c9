//! A store's books as the head office has them.

use axum::Json as Answered;
use axum::extract::State;
use jiff::civil::Date;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::{Path, Query};
use crate::http::guard::Shop;
use crate::http::problem::Refusal;
use crate::http::view::{RejectedList, RejectedView, StoreDayView};
use crate::store::DispatcherStore as _;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(get_store_day)).routes(routes!(list_rejected))
}

/// A business day of a store
///
/// Every register's sales, refunds and tenders as recorded, what is on paper, how far its clock is off;
/// and what became of the print jobs.
#[utoipa::path(
    get, path = "/v1/stores/{store}/days/{date}", tag = "books",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("date" = String, Path, description = "The day, as 2026-10-09")
    ),
    responses((status = 200, description = "The day", body = StoreDayView))
)]
async fn get_store_day(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, date)): Path<(String, String)>,
) -> Result<Answered<StoreDayView>, Refusal> {
    let (date, store) = (day_of(&date)?, shop.store.no);
    let stored = api.store().store_day(store, date).await?;
    let registers = api.store().registers(store).await?;
    let drifts = api.store().drifts(store).await?;
    Ok(Answered(StoreDayView::of(date, stored, &registers, &drifts)))
}

/// A day in an address.
pub(super) fn day_of(text: &str) -> Result<Date, Refusal> {
    text.parse().map_err(|_| Refusal::value("date", "must be a day, as 2026-10-09"))
}

/// Which records.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only those with a lower number.
    before: Option<i64>,
    /// At most so many, 1 to 500; 100 without it.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// List what was refused
///
/// Records of registers that were refused for good, conflicts among them, and what waits behind them.
#[utoipa::path(
    get, path = "/v1/stores/{store}/rejected", tag = "books",
    params(("store" = String, Path, description = "The store's uid"), Which),
    responses((status = 200, description = "The records, newest first", body = RejectedList))
)]
async fn list_rejected(
    State(api): State<Api>,
    shop: Shop,
    Query(which): Query<Which>,
) -> Result<Answered<RejectedList>, Refusal> {
    let limit = which.limit.unwrap_or(100);
    if !(1..=500).contains(&limit) {
        return Err(Refusal::value("limit", "must be from 1 to 500"));
    }
    let found = api.store().rejected(shop.store.no, which.before, limit).await?;
    let is_full = u32::try_from(found.len()).is_ok_and(|found| found == limit);
    let next = found.last().filter(|_| is_full).map(|record| record.seq);
    Ok(Answered(RejectedList {
        records: found.into_iter().map(RejectedView::from).collect(),
        next,
    }))
}
