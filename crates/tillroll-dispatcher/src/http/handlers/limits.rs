//! The ask routes of limits, and the promotion that widens them.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use tillroll_domain::limits::Action;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::{Json, Path};
use crate::http::guard::{Device, Shop, Uncounted};
use crate::http::limit::{
    Calls, CallsOfRegister, LimitAnswer, PromotionBody, PromotionView, action_of, calls_of,
};
use crate::http::problem::Refusal;
use crate::limits::Wish;
use crate::store::Promotions as _;

pub(super) fn of_a_store() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(ask_limit_of_store)).routes(routes!(
        get_promotion,
        begin_promotion,
        end_promotion
    ))
}

pub(super) fn of_a_register() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(ask_limit))
}

/// May this action be done at a register now?
///
/// The answer is 200 either way; refused calls do not count. The call passes the limits of its store and its
/// register too.
#[utoipa::path(
    post, path = "/v1/stores/{store}/limits/{action}", tag = "limits",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("action" = String, Path, pattern = "^(scan|pay|refund|sync)$", description = "The action")
    ),
    request_body = CallsOfRegister,
    responses((status = 200, description = "Yes or no, and when", body = LimitAnswer))
)]
async fn ask_limit_of_store(
    State(api): State<Api>,
    Uncounted(shop): Uncounted<Shop>,
    Path((_store, action)): Path<(String, String)>,
    Json(asked): Json<CallsOfRegister>,
) -> Result<Answered<LimitAnswer>, Refusal> {
    let (action, calls) = (action_of(&action)?, calls_of(asked.calls)?);
    let register = shop.register(&api, &asked.register).await?;
    let wish = Wish { store: &shop.store, register, action, calls };
    Ok(Answered(ask(&api, wish, action).await))
}

/// May this action be done here now?
///
/// The answer is 200 either way; refused calls do not count. The call passes the limits of the store and the
/// register too.
#[utoipa::path(
    post, path = "/v1/limits/{action}", tag = "limits",
    params(("action" = String, Path, pattern = "^(scan|pay|refund|sync)$", description = "The action")),
    request_body = Calls,
    responses((status = 200, description = "Yes or no, and when", body = LimitAnswer))
)]
async fn ask_limit(
    State(api): State<Api>,
    Uncounted(device): Uncounted<Device>,
    Path(action): Path<String>,
    Json(asked): Json<Calls>,
) -> Result<Answered<LimitAnswer>, Refusal> {
    let (action, calls) = (action_of(&action)?, calls_of(asked.calls)?);
    let of = &device.credential;
    let wish = Wish { store: &of.store, register: of.register.no, action, calls };
    Ok(Answered(ask(&api, wish, action).await))
}

async fn ask(api: &Api, wish: Wish<'_>, action: Action) -> LimitAnswer {
    let answer = api.limits().wish(wish, api.clocks()).await;
    api.metrics().limit_asked(action.as_str(), answer.allowed);
    answer.into()
}

/// The promotion that runs
#[utoipa::path(
    get, path = "/v1/stores/{store}/limits/promotion", tag = "limits",
    params(("store" = String, Path, description = "The store's uid")),
    responses((status = 200, description = "What counts now", body = PromotionView))
)]
async fn get_promotion(
    State(api): State<Api>,
    shop: Shop,
) -> Result<Answered<PromotionView>, Refusal> {
    let promotion = api.store().promotion(shop.store.no).await?;
    Ok(Answered(PromotionView::of(promotion, api.now())))
}

/// Widen the limits of a store's actions for a while; it ends by itself
///
/// A promotion that runs is replaced. The coarse limits of store and register stay as they are.
#[utoipa::path(
    put, path = "/v1/stores/{store}/limits/promotion", tag = "limits",
    params(("store" = String, Path, description = "The store's uid")),
    request_body = PromotionBody,
    responses((status = 200, description = "It has begun", body = PromotionView))
)]
async fn begin_promotion(
    State(api): State<Api>,
    shop: Shop,
    Json(body): Json<PromotionBody>,
) -> Result<Answered<PromotionView>, Refusal> {
    let promotion = body.begun(api.now())?;
    api.limits().promote(&shop.store, Some(promotion)).await?;
    Ok(Answered(PromotionView::of(Some(promotion), api.now())))
}

/// End the promotion that runs
#[utoipa::path(
    delete, path = "/v1/stores/{store}/limits/promotion", tag = "limits",
    params(("store" = String, Path, description = "The store's uid")),
    responses((status = 204, description = "None runs"))
)]
async fn end_promotion(State(api): State<Api>, shop: Shop) -> Result<StatusCode, Refusal> {
    api.limits().promote(&shop.store, None).await?;
    Ok(StatusCode::NO_CONTENT)
}
