//! The language is changed while the program runs, and stays.

use anyhow::Result;
use fantoccini::key::Key;

use crate::shop::shop;
use crate::texts::{chinese, text};

#[tokio::test]
async fn language_changes_at_once_and_is_kept_over_a_restart() -> Result<()> {
    let (desktop, _printer, page) = shop(&[]).await?;
    page.press(Key::F10).await?;
    page.sees(&text("settings_title")).await?;
    page.choose("简体中文").await?;
    page.sees(&chinese("settings_title")).await?;
    page.sees(&chinese("nav_todo")).await?;
    assert_eq!(page.run("return document.documentElement.lang").await?, "zh-CN");
    // Nothing is open, so it ends without a question, and before the driver can say that it pressed a key.
    let _ = page.press_with_ctrl('q').await;
    desktop.program_ends().await?;
    page.leave().await;
    let page = desktop.open(&[]).await?;
    page.sees(&chinese("nav_todo")).await
}
