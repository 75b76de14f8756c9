//! The program itself: its state, its set-up, its end.

use tauri::{AppHandle, Manager as _, Runtime, State};
use tauri_plugin_autostart::AutoLaunchManager;
use tillroll_register::view::{AppState, SetUpBody};

use crate::argument::Argument;
use crate::desk::Desk;
use crate::ending;
use crate::refused::Answer;

/// How far the program is, and which register this is.
#[tauri::command(rename_all = "snake_case")]
pub async fn app_state(desk: State<'_, Desk>) -> Answer<AppState> {
    Ok(desk.state().await?)
}

/// Makes the register of the answers and runs it; whoever gave them is a manager for a while.
#[tauri::command(rename_all = "snake_case")]
pub async fn set_up<R: Runtime>(
    app: AppHandle<R>,
    desk: State<'_, Desk>,
    body: Argument<SetUpBody>,
) -> Answer<AppState> {
    desk.set_up(&body.read()?).await?;
    // A till that comes up prints without anyone starting a program.
    if let Some(launcher) = app.try_state::<AutoLaunchManager>()
        && let Err(error) = launcher.enable()
    {
        tracing::warn!(%error, "the program will not start with the computer");
    }
    Ok(desk.state().await?)
}

/// Ends the program when no job is open, or at once with `force`; else answers how many are.
#[tauri::command(rename_all = "snake_case")]
pub async fn quit<R: Runtime>(
    app: AppHandle<R>,
    desk: State<'_, Desk>,
    force: bool,
) -> Answer<i64> {
    let open = if force { 0 } else { desk.open_jobs().await? };
    if open == 0 {
        tauri::async_runtime::spawn(ending::end(app));
    }
    Ok(open)
}
