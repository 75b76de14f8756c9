//! The one window: made once, hidden when it is closed, brought forward when it is asked for.

use tauri::{
    AppHandle, Manager, Runtime, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent,
};
use tauri_plugin_notification::NotificationExt as _;

use crate::tray::HasTray;
use crate::words::words_of_system;

/// The window's label; the capability names it.
pub(crate) const MAIN: &str = "main";

/// A till whose system has no language calls it `C`, which no web page can use.
const KNOWN_LANGUAGE: &str = r#"
try {
  new Intl.Locale(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en" });
  Object.defineProperty(navigator, "languages", { value: ["en"] });
}
"#;

/// Makes the window.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>, hidden: bool) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title(words_of_system().title)
        .inner_size(1366.0, 768.0)
        .min_inner_size(1024.0, 700.0)
        .visible(!hidden)
        .initialization_script(KNOWN_LANGUAGE)
        .on_navigation(is_own_page)
        .build()?;
    #[cfg(target_os = "linux")]
    crate::painting::by_processor(&window)?;
    let closing = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::CloseRequested { api, .. } = event {
            api.prevent_close();
            put_away(&closing);
        }
    });
    Ok(())
}

/// The pages are the program's own; nothing leads away from them.
fn is_own_page(url: &tauri::Url) -> bool {
    url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost")
}

/// Closing keeps printing: the window goes to the tray, or down when there is none.
fn put_away<R: Runtime>(window: &WebviewWindow<R>) {
    let app = window.app_handle();
    let put = if app.state::<HasTray>().0 { window.hide() } else { window.minimize() };
    if let Err(error) = put {
        tracing::warn!(%error, "the window could not be put away");
    }
    let told = app.notification().builder().title("Tillroll");
    if let Err(error) = told.body(words_of_system().still_printing).show() {
        tracing::debug!(%error, "the desktop shows no notifications");
    }
}

/// Shows the window before all others.
pub(crate) fn bring_forward<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    for done in [window.show(), window.unminimize(), window.set_focus()] {
        if let Err(error) = done {
            tracing::warn!(%error, "the window could not be brought forward");
        }
    }
}
