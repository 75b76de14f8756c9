//! Counters: sales and refunds counted, stock changed, days looked at and compared.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use tillroll_domain::ids::Part;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::books::day_of;
use crate::counters::{Counters as _, DayCheck, Request};
use crate::http::api::Api;
use crate::http::counters::{CountedView, CounterDayView, StockBody, StockView, TradeBody, answer};
use crate::http::extract::{Json, Path};
use crate::http::guard::Shop;
use crate::http::problem::Refusal;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(count_trade))
        .routes(routes!(get_counter_day))
        .routes(routes!(check_counter_day))
        .routes(routes!(get_stock, change_stock))
}

type Counted = (StatusCode, Answered<CountedView>);

/// Count a sale or a refund
///
/// Stock, the register's figures and the store's flow number change together, or not at all; durable when it is
/// answered. The same id with the same body gets the stored answer; with another body it is a conflict that
/// names both fingerprints. Stock that is short is 409 `stock_short`, names each sku and changes nothing.
#[utoipa::path(
    post, path = "/v1/stores/{store}/counters", tag = "counters",
    params(("store" = String, Path, description = "The store's uid")),
    request_body = TradeBody,
    responses(
        (status = 201, description = "Counted", body = CountedView),
        (status = 200, description = "Counted before with the same body; nothing is new", body = CountedView),
    )
)]
async fn count_trade(
    State(api): State<Api>,
    shop: Shop,
    Json(body): Json<TradeBody>,
) -> Result<Counted, Refusal> {
    count(&api, &shop, body.read(api.now())?).await
}

/// Set or adjust stock
#[utoipa::path(
    put, path = "/v1/stores/{store}/stock/{sku}", tag = "counters",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("sku" = String, Path, description = "The sku")
    ),
    request_body = StockBody,
    responses(
        (status = 201, description = "Counted", body = CountedView),
        (status = 200, description = "Counted before with the same body; nothing is new", body = CountedView),
    )
)]
async fn change_stock(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, sku)): Path<(String, String)>,
    Json(body): Json<StockBody>,
) -> Result<Counted, Refusal> {
    count(&api, &shop, body.read(sku_of(&sku)?, api.now())?).await
}

async fn count(api: &Api, shop: &Shop, request: Request) -> Result<Counted, Refusal> {
    let began = api.boot();
    let outcome = api.counters().count(shop.store.no, request.clone()).await;
    api.metrics().counted(&outcome, api.boot().saturating_sub(began));
    let counted = answer(&request, outcome?)?;
    let status = if counted.replayed { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Answered(counted)))
}

/// What is in stock
#[utoipa::path(
    get, path = "/v1/stores/{store}/stock/{sku}", tag = "counters",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("sku" = String, Path, description = "The sku")
    ),
    responses((status = 200, description = "What there is", body = StockView))
)]
async fn get_stock(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, sku)): Path<(String, String)>,
) -> Result<Answered<StockView>, Refusal> {
    let sku = sku_of(&sku)?;
    let quantity = api.store().stock(shop.store.no, sku.clone()).await?;
    let quantity = quantity.ok_or_else(|| Refusal::not_found("sku"))?;
    Ok(Answered(StockView { sku: sku.into(), quantity }))
}

fn sku_of(text: &str) -> Result<Part, Refusal> {
    text.parse().map_err(|error| Refusal::value("sku", error))
}

/// A day as counted
///
/// By register, by hour and by sku. Where nodes share a Redis the day may be a second old.
#[utoipa::path(
    get, path = "/v1/stores/{store}/counters/{date}", tag = "counters",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("date" = String, Path, description = "The day, as 2026-10-09")
    ),
    responses((status = 200, description = "The day", body = CounterDayView))
)]
async fn get_counter_day(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, date)): Path<(String, String)>,
) -> Result<Answered<CounterDayView>, Refusal> {
    let (day, uid) = (day_of(&date)?, &shop.store.uid);
    if let Some(view) = api.day_views().recall(uid, day).await {
        return Ok(Answered(view));
    }
    let view = api.store().counter_day(shop.store.no, day).await?.into();
    api.day_views().keep(uid, &view).await;
    Ok(Answered(view))
}

/// Compare a day with its ledger
///
/// Sums of registers and hours, what moved of each sku, stock, and flow numbers without gaps; each difference is
/// named.
#[utoipa::path(
    get, path = "/v1/stores/{store}/counters/{date}/check", tag = "counters",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("date" = String, Path, description = "The day, as 2026-10-09")
    ),
    responses((status = 200, description = "What differs", body = DayCheck))
)]
async fn check_counter_day(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, date)): Path<(String, String)>,
) -> Result<Answered<DayCheck>, Refusal> {
    Ok(Answered(api.store().check_counters(shop.store.no, day_of(&date)?).await?))
}
