//! The API at its address.

use tillroll_http::{Server, ServerSettings};
use tokio::net::TcpListener;

use super::api::Api;
use super::router::assemble;

/// Serves the API until it is ending. Open requests and channels are then given
/// [`end_within`](super::HttpSettings::end_within).
pub(crate) async fn serve(api: Api, listener: TcpListener) {
    let settings = api.settings();
    let server = Server {
        settings: ServerSettings {
            connections: settings.connections,
            header_timeout: settings.header_timeout,
            write_within: settings.write_within,
            end_within: settings.end_within,
            names_peer: true,
        },
        ending: api.ending().clone(),
        running: api.running().clone(),
        router: assemble(api),
    };
    server.serve(listener).await;
}
