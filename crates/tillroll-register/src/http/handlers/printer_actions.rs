//! What a printer is asked to do now.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Access;
use crate::http::api::Api;
use crate::http::extract::{Json, Path};
use crate::problem::Problem;
use crate::view::{Accepted, DrawerBody, PrinterView, ProbeView};

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(probe_printer))
        .routes(routes!(test_printer))
        .routes(routes!(pause_printer))
        .routes(routes!(resume_printer))
        .routes(routes!(open_drawer))
}

/// Ask a printer what it can prove, and store it
#[utoipa::path(
    post, path = "/v1/printers/{name}/probe", tag = "printers",
    params(("name" = String, Path, description = "The printer's name")),
    responses((status = 200, description = "What it can prove", body = ProbeView))
)]
async fn probe_printer(
    State(api): State<Api>,
    access: Access,
    Path(name): Path<String>,
) -> Result<Answered<ProbeView>, Problem> {
    access.manages()?;
    Ok(Answered(api.register().probe_printer(&name).await?))
}

/// Print a test page
///
/// A job like any other. It never opens the drawer.
#[utoipa::path(
    post, path = "/v1/printers/{name}/test", tag = "printers",
    params(("name" = String, Path, description = "The printer's name")),
    responses((status = 201, description = "Recorded", body = Accepted))
)]
async fn test_printer(
    State(api): State<Api>,
    Path(name): Path<String>,
) -> Result<(StatusCode, Answered<Accepted>), Problem> {
    Ok((StatusCode::CREATED, Answered(api.register().test_printer(&name).await?)))
}

/// Pause a printer
#[utoipa::path(
    post, path = "/v1/printers/{name}/pause", tag = "printers",
    params(("name" = String, Path, description = "The printer's name")),
    responses((status = 200, description = "The printer", body = PrinterView))
)]
async fn pause_printer(
    State(api): State<Api>,
    Path(name): Path<String>,
) -> Result<Answered<PrinterView>, Problem> {
    Ok(Answered(api.register().pause_printer(&name, true).await?))
}

/// Resume a printer
#[utoipa::path(
    post, path = "/v1/printers/{name}/resume", tag = "printers",
    params(("name" = String, Path, description = "The printer's name")),
    responses((status = 200, description = "The printer", body = PrinterView))
)]
async fn resume_printer(
    State(api): State<Api>,
    Path(name): Path<String>,
) -> Result<Answered<PrinterView>, Problem> {
    Ok(Answered(api.register().pause_printer(&name, false).await?))
}

/// Open the drawer without a sale
///
/// Needs the right to it, is recorded, and is not tried twice.
#[utoipa::path(
    post, path = "/v1/printers/{name}/drawer", tag = "printers",
    params(("name" = String, Path, description = "The printer's name")),
    request_body = DrawerBody,
    responses((status = 202, description = "The pulse is asked for"))
)]
async fn open_drawer(
    State(api): State<Api>,
    access: Access,
    Path(name): Path<String>,
    Json(body): Json<DrawerBody>,
) -> Result<StatusCode, Problem> {
    api.register().open_drawer(&access, &name, &body.reason).await?;
    Ok(StatusCode::ACCEPTED)
}
