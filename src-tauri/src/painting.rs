//! How WebKitGTK paints the pages: by the processor.
//!
//! Tills have weak graphics or none. Without a graphics card WebKit's way through OpenGL is emulated, and
//! takes many times as long as painting the page itself; with one, its driver is a known cause of windows
//! that stay black. Pages of text need neither.

use tauri::{Runtime, WebviewWindow};
use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt as _, WebViewExt as _};

/// Lets the processor paint the window's pages.
pub(crate) fn by_processor<R: Runtime>(window: &WebviewWindow<R>) -> tauri::Result<()> {
    window.with_webview(|webview| {
        if let Some(settings) = webview.inner().settings() {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
        }
    })
}
