//! The ask route for a POS, and the promotion that widens it.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use tillroll_domain::limits::Action;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Access;
use crate::http::api::Api;
use crate::http::extract::{OptionalJson, Path};
use crate::problem::Problem;
use crate::view::{LimitAnswer, PromotionBody};

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(ask_limit)).routes(routes!(begin_promotion))
}

/// May this action be done now?
///
/// The answer is 200 either way; a refused call does not count.
#[utoipa::path(
    post, path = "/v1/limits/{action}", tag = "limits",
    params(("action" = String, Path, pattern = "^(scan|pay|refund|sync)$", description = "The action")),
    responses((status = 200, description = "Yes or no, and when", body = LimitAnswer))
)]
async fn ask_limit(
    State(api): State<Api>,
    Path(action): Path<String>,
) -> Result<Answered<LimitAnswer>, Problem> {
    let action =
        action.parse::<Action>().map_err(|error| Problem::value("action", error.to_string()))?;
    Ok(Answered(api.register().ask_limit(action)))
}

/// Widen every limit for a while; it ends by itself
#[utoipa::path(
    put, path = "/v1/limits/promotion", tag = "limits",
    request_body = Option<PromotionBody>,
    responses((status = 204, description = "It has begun"))
)]
async fn begin_promotion(
    State(api): State<Api>,
    access: Access,
    OptionalJson(body): OptionalJson<PromotionBody>,
) -> Result<StatusCode, Problem> {
    access.manages()?;
    api.register().promote(&body)?;
    Ok(StatusCode::NO_CONTENT)
}
