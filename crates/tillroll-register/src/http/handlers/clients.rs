//! Client programs and their tokens.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Access;
use crate::http::api::Api;
use crate::http::extract::{Json, Path};
use crate::problem::Problem;
use crate::view::{ClientBody, ClientMade, ClientsView};

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(list_clients, make_client))
        .routes(routes!(revoke_client))
}

/// Every client program
#[utoipa::path(
    get, path = "/v1/clients", tag = "clients",
    responses((status = 200, description = "The clients", body = ClientsView))
)]
async fn list_clients(
    State(api): State<Api>,
    access: Access,
) -> Result<Answered<ClientsView>, Problem> {
    access.manages()?;
    Ok(Answered(ClientsView { clients: api.register().clients().await? }))
}

/// Make a client program, or give one of that name a new token
///
/// The token is shown this once.
#[utoipa::path(
    post, path = "/v1/clients", tag = "clients",
    request_body = ClientBody,
    responses((status = 201, description = "Made", body = ClientMade))
)]
async fn make_client(
    State(api): State<Api>,
    access: Access,
    Json(body): Json<ClientBody>,
) -> Result<(StatusCode, Answered<ClientMade>), Problem> {
    access.manages()?;
    let made = api.register().make_client(&body).await?;
    Ok((StatusCode::CREATED, Answered(made)))
}

/// Take a client's token away
#[utoipa::path(
    delete, path = "/v1/clients/{name}", tag = "clients",
    params(("name" = String, Path, description = "The client's name")),
    responses((status = 204, description = "Its token no longer counts"))
)]
async fn revoke_client(
    State(api): State<Api>,
    access: Access,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    access.manages()?;
    api.register().revoke_client(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}
