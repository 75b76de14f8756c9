//! Printers: which there are, and which kind goes where.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Access;
use crate::http::api::Api;
use crate::http::extract::{Json, Path};
use crate::problem::Problem;
use crate::view::{
    AddedPrinter, NewPrinterBody, PrinterBody, PrinterView, PrintersView, RoutesBody,
};

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(list_printers, add_printer))
        .routes(routes!(get_printer, change_printer, remove_printer))
        .routes(routes!(get_routes, set_routes))
}

/// Every printer with what it is doing
#[utoipa::path(
    get, path = "/v1/printers", tag = "printers",
    responses((status = 200, description = "The printers", body = PrintersView))
)]
async fn list_printers(State(api): State<Api>) -> Result<Answered<PrintersView>, Problem> {
    Ok(Answered(PrintersView { printers: api.register().printers().await? }))
}

/// Add a printer
///
/// Without a level it is probed first; one that is not reached is added all the same and says so. The first
/// printer becomes the route of every kind.
#[utoipa::path(
    post, path = "/v1/printers", tag = "printers",
    request_body = NewPrinterBody,
    responses((status = 201, description = "Added", body = AddedPrinter))
)]
async fn add_printer(
    State(api): State<Api>,
    access: Access,
    Json(body): Json<NewPrinterBody>,
) -> Result<(StatusCode, Answered<AddedPrinter>), Problem> {
    access.manages()?;
    let (name, settings) = body.into_parts();
    let printer = api.register().add_printer(&name, &settings).await?;
    Ok((StatusCode::CREATED, Answered(printer)))
}

/// One printer with what it is doing
#[utoipa::path(
    get, path = "/v1/printers/{name}", tag = "printers",
    params(("name" = String, Path, description = "The printer's name")),
    responses((status = 200, description = "The printer", body = PrinterView))
)]
async fn get_printer(
    State(api): State<Api>,
    Path(name): Path<String>,
) -> Result<Answered<PrinterView>, Problem> {
    Ok(Answered(api.register().printer(&name).await?))
}

/// Change a printer
///
/// Fields that are absent stay as they are.
#[utoipa::path(
    patch, path = "/v1/printers/{name}", tag = "printers",
    params(("name" = String, Path, description = "The printer's name")),
    request_body = PrinterBody,
    responses((status = 200, description = "The printer", body = PrinterView))
)]
async fn change_printer(
    State(api): State<Api>,
    access: Access,
    Path(name): Path<String>,
    Json(body): Json<PrinterBody>,
) -> Result<Answered<PrinterView>, Problem> {
    access.manages()?;
    Ok(Answered(api.register().change_printer(&name, &body).await?))
}

/// Remove a printer
///
/// Its waiting jobs go on the to-do list.
#[utoipa::path(
    delete, path = "/v1/printers/{name}", tag = "printers",
    params(("name" = String, Path, description = "The printer's name")),
    responses((status = 204, description = "It is gone"))
)]
async fn remove_printer(
    State(api): State<Api>,
    access: Access,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    access.manages()?;
    api.register().remove_printer(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which printer prints which kind
#[utoipa::path(
    get, path = "/v1/routes", tag = "printers",
    responses((status = 200, description = "The routes", body = RoutesBody))
)]
async fn get_routes(State(api): State<Api>) -> Result<Answered<RoutesBody>, Problem> {
    Ok(Answered(api.register().routes().await?))
}

/// Send kinds to other printers from now on
///
/// Kinds that are absent stay as they are.
#[utoipa::path(
    put, path = "/v1/routes", tag = "printers",
    request_body = RoutesBody,
    responses((status = 200, description = "The routes", body = RoutesBody))
)]
async fn set_routes(
    State(api): State<Api>,
    access: Access,
    Json(routes): Json<RoutesBody>,
) -> Result<Answered<RoutesBody>, Problem> {
    access.manages()?;
    api.register().set_routes(&routes).await?;
    Ok(Answered(api.register().routes().await?))
}
