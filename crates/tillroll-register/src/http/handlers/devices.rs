//! Printers that could be added: known profiles, and what is connected to this computer.

use axum::Json as Answered;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::problem::Problem;
use crate::view::{DevicesView, ProfilesView};

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(list_profiles)).routes(routes!(discover_devices))
}

/// Every printer profile
#[utoipa::path(
    get, path = "/v1/profiles", tag = "printers",
    responses((status = 200, description = "The profiles", body = ProfilesView))
)]
async fn list_profiles() -> Answered<ProfilesView> {
    Answered(ProfilesView::shipped())
}

/// Look for printers at this computer
///
/// Serial ports and USB. Nothing is opened and nothing is sent.
#[utoipa::path(
    get, path = "/v1/discover", tag = "printers",
    responses((status = 200, description = "What was found", body = DevicesView))
)]
async fn discover_devices(State(api): State<Api>) -> Result<Answered<DevicesView>, Problem> {
    Ok(Answered(DevicesView { devices: api.register().discover().await? }))
}
