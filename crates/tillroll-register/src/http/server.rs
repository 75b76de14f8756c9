//! The API at its address, for this computer alone.

use std::future::Future;
use std::io;

use tillroll_http::{Server, ServerSettings};
use tokio::net::TcpListener;

use super::HttpSettings;
use super::api::Api;
use super::router::assemble;
use crate::Register;

/// Serves the API until `shutdown` is ready. Open requests are then given
/// [`HttpSettings::end_within`].
///
/// # Errors
/// `InvalidInput` for a listener that others can reach: the API has no TLS.
pub async fn serve(
    register: Register,
    listener: TcpListener,
    settings: HttpSettings,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let local = listener.local_addr()?;
    if !local.ip().is_loopback() {
        let text = format!("{local} is no loopback address: the API has no TLS");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    let api = Api::new(register, settings, Some(local.port()));
    let ending = api.ending().clone();
    let told = async {
        shutdown.await;
        ending.cancel();
    };
    tokio::join!(biased; told, server(api).serve(listener));
    Ok(())
}

fn server(api: Api) -> Server {
    let settings = api.settings();
    Server {
        settings: ServerSettings {
            connections: settings.connections,
            header_timeout: settings.header_timeout,
            write_within: settings.write_within,
            end_within: settings.end_within,
            names_peer: false,
        },
        ending: api.ending().clone(),
        running: api.running().clone(),
        router: assemble(api),
    }
}
