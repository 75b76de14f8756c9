//! The shop most journeys begin in: a register with one printer, and its open window.

use anyhow::Result;
use serde_json::json;
use tillroll_tests::program;

use crate::desktop::Desktop;
use crate::page::Page;
use crate::paper::Printer;

/// The manager's PIN of the shop.
pub const PIN: &str = "2468";

/// A register with one printer that proves each job, and its open window.
pub async fn shop(printing: &[&str]) -> Result<(Desktop, Printer, Page)> {
    let desktop = Desktop::start().await?;
    program::init(&desktop.data())?;
    let printer = Printer::start(printing)?;
    let page = desktop.open(&[]).await?;
    desktop.api().await?.add_printer("front", &printer.uri(), "token").await?;
    page.sees("front").await?;
    page.invoke("set_manager_pin", json!({"pin": PIN})).await?;
    Ok((desktop, printer, page))
}

/// What waits so many seconds comes on the list, and is asked about when its printer is back.
pub async fn lose_patience(page: &Page, attention_s: u32, stale_s: u32) -> Result<()> {
    page.invoke("unlock_manager", json!({"pin": PIN})).await?;
    let settings =
        json!({"attention_after_s": attention_s, "stale_after_s": stale_s, "sounds": false});
    page.invoke("change_settings", json!({"settings": settings})).await?;
    page.invoke("lock_manager", json!({})).await?;
    Ok(())
}
