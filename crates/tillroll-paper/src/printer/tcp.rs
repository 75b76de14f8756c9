//! The printer's network port.

use std::{io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use tokio::net::{TcpListener, TcpSocket, TcpStream};

use super::{
    handle::VirtualPrinter,
    link::{Fate, Link, changed},
    shared::Shared,
    state::Door,
};

/// Pause before trying again to listen or to accept.
const RETRY: Duration = Duration::from_millis(20);

impl VirtualPrinter {
    /// Serves the raw printing port until `shutdown` is done, then closes the printer's network
    /// connections. While the printer is off or refuses connections the port is really closed.
    ///
    /// # Errors
    /// Fails if the listener has no address. Trouble with single connections is logged.
    pub async fn serve_tcp(
        &self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let mut port = Port { address: listener.local_addr()?, listener: Some(listener) };
        let mut shutdown = pin!(shutdown);
        let mut changes = self.shared().changes();
        loop {
            changes.borrow_and_update();
            let door = self.shared().lock().door();
            tokio::select! {
                () = &mut shutdown => break,
                () = changed(&mut changes) => {}
                stream = port.next(&door) => self.take(stream),
            }
        }
        self.shared().update(|state| state.end_links(Fate::Close));
        Ok(())
    }

    fn take(&self, stream: TcpStream) {
        let shared = Arc::clone(self.shared());
        match Link::open(&shared, true) {
            Ok(link) => {
                // Answers are small and several: without this the second of two waits for the host's delayed
                // acknowledgement of the first. A socket that refuses is only slower.
                let _ = stream.set_nodelay(true);
                tokio::spawn(serve(shared, link, stream));
            }
            Err(_) => reset(&stream),
        }
    }
}

struct Port {
    address: SocketAddr,
    listener: Option<TcpListener>,
}

impl Port {
    /// The next host, if the door lets one connect; pending while it does not.
    async fn next(&mut self, door: &Door) -> TcpStream {
        match door {
            Door::Open | Door::TurnAway => self.accept().await,
            Door::Busy => std::future::pending().await,
            Door::Shut => {
                self.listener = None;
                std::future::pending().await
            }
        }
    }

    async fn accept(&mut self) -> TcpStream {
        loop {
            let accepted = match &self.listener {
                Some(listener) => listener.accept().await.map(|(stream, _)| stream),
                None => match TcpListener::bind(self.address).await {
                    Ok(listener) => {
                        self.listener = Some(listener);
                        continue;
                    }
                    Err(error) => Err(error),
                },
            };
            match accepted {
                Ok(stream) => return stream,
                Err(error) => {
                    tracing::warn!(%error, address = %self.address, "no connection taken")
                }
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}

async fn serve(shared: Arc<Shared>, link: Link, stream: TcpStream) {
    let window = shared.lock().machine.behaviour().tcp_window;
    let stream = match window {
        None => Ok(stream),
        Some(window) => narrowed(stream, window),
    };
    let stream = match stream {
        Ok(stream) => stream,
        Err(error) => return tracing::warn!(%error, "receive buffer of a connection not set"),
    };
    let (reader, writer) = stream.into_split();
    let ended = link.serve(reader, writer).await;
    match ended.fate {
        Fate::Hangup | Fate::Close => drop(ended.halves().await),
        Fate::Sever => shared.hold_dead(Box::new(ended)),
        Fate::Reset => {
            let (reader, writer) = ended.halves().await;
            reset(reader.as_ref());
            // Dropped apart, the writing half would send an orderly end first.
            if let Some(stream) = writer.and_then(|writer| reader.reunite(writer).ok()) {
                drop(stream);
            }
        }
    }
}

/// Makes the close that follows a reset.
fn reset(stream: &TcpStream) {
    if let Err(error) = stream.set_zero_linger() {
        tracing::warn!(%error, "connection closed instead of reset");
    }
}

/// Sets the receive buffer through a second handle of the same socket.
fn narrowed(stream: TcpStream, window: u32) -> io::Result<TcpStream> {
    let stream = stream.into_std()?;
    TcpSocket::from_std_stream(stream.try_clone()?).set_recv_buffer_size(window)?;
    TcpStream::from_std(stream)
}
