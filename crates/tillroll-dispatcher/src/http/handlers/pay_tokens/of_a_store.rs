//! Tokens of a store, for its business systems.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::{Json, Path};
use crate::http::guard::Shop;
use crate::http::pay_token::{
    CompleteBody, ConsumeBody, PayTokenView, complete, consume, find, issue,
};
use crate::http::problem::Refusal;

pub(in crate::http::handlers) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(issue_pay_token_of_store))
        .routes(routes!(get_pay_token_of_store))
        .routes(routes!(consume_pay_token_of_store))
        .routes(routes!(complete_pay_token_of_store))
}

/// A payment at a register.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Payment {
    /// Drawn by the asker: asked again with it, the answer is the same token.
    #[schema(min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9._~:/-]+$")]
    request_id: String,
    /// The register's name.
    register: String,
    /// What is paid.
    #[schema(minimum = 1)]
    amount_minor: i64,
}

/// Issue a pay token
///
/// It lets one payment be done, once, and counts for five minutes.
#[utoipa::path(
    post, path = "/v1/stores/{store}/pay-tokens", tag = "pay tokens",
    params(("store" = String, Path, description = "The store's uid")),
    request_body = Payment,
    responses(
        (status = 201, description = "Issued", body = PayTokenView),
        (status = 200, description = "Issued before under this request id", body = PayTokenView),
    )
)]
async fn issue_pay_token_of_store(
    State(api): State<Api>,
    shop: Shop,
    Json(asked): Json<Payment>,
) -> Result<(StatusCode, Answered<PayTokenView>), Refusal> {
    let register = shop.register(&api, &asked.register).await?;
    let view = issue(&api, register, asked.request_id, asked.amount_minor).await?;
    let status = if view.replayed { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Answered(view)))
}

/// How far is this pay token, and what came of it?
#[utoipa::path(
    get, path = "/v1/stores/{store}/pay-tokens/{token}", tag = "pay tokens",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("token" = String, Path, description = "The token")
    ),
    responses((status = 200, description = "As it stands", body = PayTokenView))
)]
async fn get_pay_token_of_store(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, token)): Path<(String, String)>,
) -> Result<Answered<PayTokenView>, Refusal> {
    Ok(Answered(find(&api, &shop.into(), &token).await?))
}

/// Consume a pay token
///
/// Of any number of askers one wins, and pays. The others get a problem with the token as it stands.
#[utoipa::path(
    post, path = "/v1/stores/{store}/pay-tokens/{token}/consume", tag = "pay tokens",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("token" = String, Path, description = "The token")
    ),
    request_body = ConsumeBody,
    responses((status = 200, description = "The asker pays", body = PayTokenView))
)]
async fn consume_pay_token_of_store(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, token)): Path<(String, String)>,
    Json(body): Json<ConsumeBody>,
) -> Result<Answered<PayTokenView>, Refusal> {
    Ok(Answered(consume(&api, &shop.into(), &token, body).await?))
}

/// Store the result of a pay token
///
/// For whoever consumed it, at any time. It is told to everybody who asks for the token from then on.
#[utoipa::path(
    post, path = "/v1/stores/{store}/pay-tokens/{token}/complete", tag = "pay tokens",
    params(
        ("store" = String, Path, description = "The store's uid"),
        ("token" = String, Path, description = "The token")
    ),
    request_body = CompleteBody,
    responses((status = 200, description = "Stored, for good", body = PayTokenView))
)]
async fn complete_pay_token_of_store(
    State(api): State<Api>,
    shop: Shop,
    Path((_store, token)): Path<(String, String)>,
    Json(body): Json<CompleteBody>,
) -> Result<Answered<PayTokenView>, Refusal> {
    Ok(Answered(complete(&api, &shop.into(), &token, body).await?))
}
