//! The program: its plugins, its state, its commands, and the order in which they begin.

use std::path::PathBuf;

use anyhow::Context as _;
use tauri::async_runtime::{block_on, spawn};
use tauri::{App, AppHandle, Manager as _, RunEvent, Runtime};
use tauri_plugin_autostart::MacosLauncher;
use tauri_plugin_window_state::StateFlags;
use tillroll_register::training::TrainingFolder;

use crate::desk::{Desk, DeskOptions};
use crate::{commands, ending, hints, tray, window};

/// How the program was called.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The data folder; the user's own without it.
    pub data: Option<PathBuf>,
    /// A training store instead.
    pub training: bool,
    /// The window stays hidden at first.
    pub hidden: bool,
}

/// Runs the program until it is quit.
///
/// # Errors
/// When there is no display, or the desktop's libraries are missing.
pub fn run(start: Start) -> anyhow::Result<()> {
    let app = commands::on(tauri::Builder::default())
        .plugin(tauri_plugin_single_instance::init(|app, _, _| window::bring_forward(app)))
        .plugin(tauri_plugin_autostart::init(MacosLauncher::LaunchAgent, Some(vec!["--hidden"])))
        .plugin(tauri_plugin_notification::init())
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_state_flags(StateFlags::all() - StateFlags::VISIBLE)
                .build(),
        )
        .setup(move |app| Ok(begin(app, &start)?))
        .build(tauri::generate_context!())
        .context("the window cannot be opened")?;
    app.run(|app, event| {
        // The last window is only ever hidden; an exit asked for by the desktop stops in order first.
        if let RunEvent::ExitRequested { code: None, api, .. } = event {
            api.prevent_exit();
            spawn(ending::end(app.clone()));
        }
    });
    Ok(())
}

fn begin<R: Runtime>(app: &App<R>, start: &Start) -> anyhow::Result<()> {
    let handle = app.handle();
    handle.manage(desk(handle, start)?);
    let starting = handle.clone();
    spawn(async move { starting.state::<Desk>().start().await });
    hints::tell_changes(handle.clone());
    spawn(ending::end_on_signal(handle.clone()));
    tray::show(handle);
    window::open(handle, start.hidden)?;
    Ok(())
}

fn desk<R: Runtime>(app: &AppHandle<R>, start: &Start) -> anyhow::Result<Desk> {
    let exports = app.path().document_dir().ok().map(|folder| folder.join("Tillroll"));
    let options = DeskOptions { exports, logs: true, ..DeskOptions::default() };
    if start.training {
        let folder = block_on(TrainingFolder::set_up()).context("no training store can be made")?;
        return Ok(Desk::training(folder, options));
    }
    let folder = match &start.data {
        Some(folder) => std::path::absolute(folder)?,
        None => app.path().data_dir().context("this user has no data folder")?.join("tillroll"),
    };
    Ok(Desk::on(folder, options))
}
