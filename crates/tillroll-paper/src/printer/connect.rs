//! Connections inside the process, for the spooler's virtual device and for tests.

use std::{io, sync::Arc};

use tokio::io::DuplexStream;

use super::{
    handle::VirtualPrinter,
    link::{Fate, Link, changed},
    state::Door,
};

/// Bytes under way in each direction, like a socket's buffers.
const IN_FLIGHT: usize = 4096;

impl VirtualPrinter {
    /// Connects; waits while a printer that serves one host at a time is taken. Dropping the stream
    /// hangs up. Must be called in a runtime.
    ///
    /// # Errors
    /// `ConnectionRefused` if the printer is off, refuses connections or turns a second host away.
    pub async fn connect(&self) -> io::Result<DuplexStream> {
        let link = self.admitted().await?;
        let (host, device) = tokio::io::duplex(IN_FLIGHT);
        let shared = Arc::clone(self.shared());
        tokio::spawn(async move {
            let (reader, writer) = tokio::io::split(device);
            let ended = link.serve(reader, writer).await;
            if ended.fate == Fate::Sever {
                shared.hold_dead(Box::new(ended));
            } else {
                drop(ended.halves().await);
            }
        });
        Ok(host)
    }

    async fn admitted(&self) -> io::Result<Link> {
        let mut changes = self.shared().changes();
        loop {
            changes.borrow_and_update();
            match Link::open(self.shared(), true) {
                Ok(link) => return Ok(link),
                Err(Door::Open | Door::Busy) => changed(&mut changes).await,
                Err(Door::TurnAway | Door::Shut) => {
                    return Err(io::ErrorKind::ConnectionRefused.into());
                }
            }
        }
    }
}
