//! The first two journeys again, with nothing but the keyboard.

use anyhow::Result;
use fantoccini::key::Key;
use tillroll_tests::api::receipt;

use crate::desktop::Desktop;
use crate::shop::{PIN, lose_patience, shop};
use crate::texts::text;

#[tokio::test]
async fn keyboard_alone_leads_from_the_first_start_to_a_printed_receipt() -> Result<()> {
    let desktop = Desktop::start().await?;
    let page = desktop.open(&[]).await?;
    page.sees(&text("setup_title")).await?;
    page.tab_to(&text("setup_pin")).await?;
    page.type_text(PIN).await?;
    page.tab_to(&text("setup_pin_again")).await?;
    page.type_text(PIN).await?;
    page.press(Key::Enter).await?;
    page.sees(&text("setup_printer_hint")).await?;
    page.tab_to(&text("setup_without")).await?;
    page.press(Key::Enter).await?;
    page.sees(&text("setup_test_print")).await?;
    page.tab_to(&text("setup_finish")).await?;
    page.press(Key::Enter).await?;
    page.sees(&text("nav_printers")).await?;
    desktop.api().await?.post("/v1/receipts", &receipt(1)).await?;
    page.sees_row("R1-000001", &text("state_printed")).await?;
    // The list has the focus: its last row is picked without a click.
    page.press(Key::End).await?;
    page.sees(&text("story_recorded")).await
}

#[tokio::test]
async fn keyboard_alone_leads_from_paper_out_to_a_printed_receipt() -> Result<()> {
    let (desktop, mut printer, page) = shop(&[]).await?;
    lose_patience(&page, 1, 1_800).await?;
    printer.tell("paper end")?;
    desktop.api().await?.post("/v1/receipts", &receipt(1)).await?;
    page.press(Key::F3).await?;
    page.sees_row("R1-000001", &text("verb_retry")).await?;
    printer.tell("paper ok")?;
    // The list has the focus, and Enter is the main key of its row: print now. The printer may have seen
    // the paper by itself before.
    page.press(Key::Enter).await?;
    printer.wait_for_tickets(1).await?;
    page.sees(&text("todo_empty_title")).await?;
    page.press(Key::F2).await?;
    page.sees_row("R1-000001", &text("state_printed")).await?;
    assert_eq!(printer.tickets()?.len(), 1);
    Ok(())
}
