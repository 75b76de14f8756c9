//! The fate of request ids, for people and tools.

use axum::Json as Answered;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::Query;
use crate::http::guard::{Device, Shop};
use crate::http::problem::Refusal;
use crate::http::view::Fates;
use crate::job::StoreNo;
use crate::store::DispatcherStore as _;

/// Most ids of one question.
const IDS: usize = 200;

pub(super) fn of_a_store() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(get_requests_of_store))
}

pub(super) fn of_a_register() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(get_requests))
}

/// Which ids.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Request ids, separated by commas; at most 200.
    ids: String,
}

/// What became of these requests of the store?
#[utoipa::path(
    get, path = "/v1/stores/{store}/requests", tag = "books",
    params(("store" = String, Path, description = "The store's uid"), Which),
    responses((status = 200, description = "One fate for each id, in the order asked", body = Fates))
)]
async fn get_requests_of_store(
    State(api): State<Api>,
    shop: Shop,
    Query(which): Query<Which>,
) -> Result<Answered<Fates>, Refusal> {
    fates(&api, shop.store.no, &which).await
}

/// What became of these requests?
#[utoipa::path(
    get, path = "/v1/requests", tag = "sync",
    params(Which),
    responses((status = 200, description = "One fate for each id, in the order asked", body = Fates))
)]
async fn get_requests(
    State(api): State<Api>,
    device: Device,
    Query(which): Query<Which>,
) -> Result<Answered<Fates>, Refusal> {
    fates(&api, device.credential.store.no, &which).await
}

async fn fates(api: &Api, store: StoreNo, which: &Which) -> Result<Answered<Fates>, Refusal> {
    let ids: Vec<_> = which.ids.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
    if !(1..=IDS).contains(&ids.len()) {
        return Err(Refusal::value("ids", format!("must be 1 to {IDS} ids, separated by commas")));
    }
    Ok(Answered(Fates { requests: api.store().fates(store, ids).await? }))
}
