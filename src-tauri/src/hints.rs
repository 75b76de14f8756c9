//! The one event of the window: something changed. Coalesced, so that the pages read again at most ten
//! times a second.

use std::time::Duration;

use tauri::{AppHandle, Emitter as _, Manager as _, Runtime};

use crate::desk::Desk;

/// The event's name.
pub(crate) const CHANGED: &str = "changed";
/// Between two events.
const PAUSE: Duration = Duration::from_millis(100);

/// Tells the pages of every change, in a task of its own, until the register ends.
pub fn tell_changes<R: Runtime>(app: AppHandle<R>) {
    tauri::async_runtime::spawn(tell(app));
}

async fn tell<R: Runtime>(app: AppHandle<R>) {
    let Some(register) = app.state::<Desk>().once_running().await else { return };
    let mut batches = register.hint_batches(PAUSE);
    // The batches alone: this must not keep the register alive.
    drop(register);
    while let Some(batch) = batches.next().await {
        if let Err(error) = app.emit(CHANGED, batch) {
            // The pages ask again by themselves.
            tracing::debug!(%error, "a change could not be told");
        }
    }
}
