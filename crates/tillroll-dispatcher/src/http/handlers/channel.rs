//! The door of the push channel.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::response::Response;
use tillroll_wire::{Code, Problem};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::channel::converse;
use crate::http::guard::Device;
use crate::http::problem::Refusal;

/// Memory of a connected register before it says anything; most are idle, and what they say is short.
const READ_BUFFER: usize = 1024;
/// What is written together.
const WRITE_BUFFER: usize = 8 * 1024;
/// What one register may have waiting in its socket: a raw job of 4 MiB fits.
const MOST_WRITTEN: usize = 16 * 1024 * 1024;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(open_channel))
}

/// The push channel
///
/// A WebSocket of text frames in JSON; the register says hello first.
#[utoipa::path(
    get, path = "/v1/channel", tag = "channel",
    responses((status = 101, description = "The channel is open"))
)]
async fn open_channel(
    State(api): State<Api>,
    device: Device,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|rejection| {
        let problem = Problem::new(Code::Unsupported, rejection.body_text());
        Refusal::from(Problem { status: rejection.status().as_u16(), ..problem })
    })?;
    let place = Arc::clone(api.channels()).try_acquire_owned().map_err(|_| {
        Refusal::new(Code::Unavailable, "as many registers are connected as may be")
            .retry_after(Duration::from_secs(10))
    })?;
    let running = api.running().token();
    let limit = api.settings().frame_limit;
    let upgrade = upgrade
        .max_message_size(limit)
        .max_frame_size(limit)
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MOST_WRITTEN);
    Ok(upgrade.on_upgrade(async move |socket| {
        converse(socket, api, device).await;
        drop((place, running));
    }))
}
