//! The tray icon: opens the window, starts with the computer, quits. Some desktops have no tray; the
//! program runs without it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tauri::menu::{CheckMenuItem, Menu, MenuItem};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Emitter as _, Manager as _, Runtime};
use tauri_plugin_autostart::ManagerExt as _;

use crate::window::bring_forward;
use crate::words::words_of_system;

const OPEN: &str = "open";
const AUTOSTART: &str = "autostart";
const QUIT: &str = "quit";
/// Asks the page to ask whether to quit.
const QUIT_ASKED: &str = "quit_asked";

/// Whether the desktop shows the tray icon.
pub(crate) struct HasTray(pub bool);

/// Shows the tray icon, where that can be done.
pub(crate) fn show<R: Runtime>(app: &AppHandle<R>) {
    // The library behind it is loaded at run time, and panics where it is not installed.
    let shown = catch_unwind(AssertUnwindSafe(|| build(app)));
    let has_tray = match shown {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            tracing::warn!(%error, "there is no tray icon");
            false
        }
        Err(_) => false,
    };
    app.manage(HasTray(has_tray));
}

fn build<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    let words = words_of_system();
    let starts = app.autolaunch().is_enabled().unwrap_or_default();
    let autostart =
        CheckMenuItem::with_id(app, AUTOSTART, words.autostart, true, starts, None::<&str>)?;
    let menu = Menu::with_items(
        app,
        &[
            &MenuItem::with_id(app, OPEN, words.open, true, None::<&str>)?,
            &autostart,
            &MenuItem::with_id(app, QUIT, words.quit, true, None::<&str>)?,
        ],
    )?;
    TrayIconBuilder::new()
        .icon(tauri::include_image!("../icons/32x32.png"))
        .tooltip(words.title)
        .menu(&menu)
        .on_menu_event(move |app, event| match event.id().as_ref() {
            OPEN => bring_forward(app),
            AUTOSTART => set_autostart(app, autostart.is_checked().unwrap_or_default()),
            QUIT => ask_to_quit(app),
            _ => {}
        })
        .build(app)?;
    Ok(())
}

fn set_autostart<R: Runtime>(app: &AppHandle<R>, wanted: bool) {
    let launcher = app.autolaunch();
    let done = if wanted { launcher.enable() } else { launcher.disable() };
    if let Err(error) = done {
        tracing::warn!(%error, wanted, "starting with the computer could not be changed");
    }
}

fn ask_to_quit<R: Runtime>(app: &AppHandle<R>) {
    bring_forward(app);
    if let Err(error) = app.emit(QUIT_ASKED, ()) {
        tracing::warn!(%error, "the page could not be asked to quit");
    }
}
