//! The signals that ask a program to end.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// Listens for SIGINT and SIGTERM from its making on.
pub struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// Takes the signals over from their default, which is to end at once.
    ///
    /// # Errors
    /// When the system gives no handler.
    pub fn listen() -> Result<Self, Failure> {
        let take = |kind| signal(kind).map_err(Failure::system("listen for signals"));
        Ok(Self {
            interrupt: take(SignalKind::interrupt())?,
            terminate: take(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
