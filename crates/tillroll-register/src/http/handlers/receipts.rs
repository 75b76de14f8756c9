//! A receipt is handed over.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Access;
use crate::http::api::Api;
use crate::http::extract::ReceiptBytes;
use crate::problem::Problem;
use crate::view::{Accepted, ReceiptBody};

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(submit_receipt))
}

/// Hand over a receipt
///
/// Durable when it is answered; the printer is not waited for. The same id with the same body is a
/// replay. A receipt that is refused goes on the list of refused receipts.
#[utoipa::path(
    post,
    path = "/v1/receipts",
    tag = "receipts",
    params((
        "Idempotency-Key" = Option<String>, Header,
        description = "Accepted and not needed: the id made of order number, kind and version rules."
    )),
    request_body = ReceiptBody,
    responses(
        (status = 201, description = "Recorded", body = Accepted),
        (status = 200, description = "Recorded before with the same body; nothing is new", body = Accepted),
    )
)]
async fn submit_receipt(
    State(api): State<Api>,
    access: Access,
    body: Result<ReceiptBytes, Problem>,
) -> Result<(StatusCode, Json<Accepted>), Problem> {
    let taken = match body {
        Ok(ReceiptBytes(body)) => api.register().submit(&access, &body).await,
        Err(problem) => {
            api.register().list_unreadable(&access, &problem).await;
            Err(problem)
        }
    };
    api.metrics().receipt(&taken);
    let accepted = taken?;
    let status = if accepted.replayed { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(accepted)))
}
