//! The program's end: jobs at a device get a moment, the queue stays as it is, and it takes three
//! seconds at most.

use std::time::Duration;

use tauri::{AppHandle, Manager as _, Runtime};
use tokio::time::timeout;

use crate::desk::Desk;

/// For the register and its API.
const STOP_WITHIN: Duration = Duration::from_millis(2_500);
/// For everything; what is not done by then is judged at the next start, as after a crash.
const END_WITHIN: Duration = Duration::from_millis(2_900);

/// Stops the register and ends the program.
pub(crate) async fn end<R: Runtime>(app: AppHandle<R>) {
    let _ = timeout(END_WITHIN, app.state::<Desk>().stop(STOP_WITHIN)).await;
    app.exit(0);
}

/// Ends the program in order when the system asks: at log-out, or `kill`.
#[cfg(unix)]
pub(crate) async fn end_on_signal<R: Runtime>(app: AppHandle<R>) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::warn!("signals cannot be heard; the next start judges what is open at the end");
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("asked to stop by the system");
    end(app).await;
}
