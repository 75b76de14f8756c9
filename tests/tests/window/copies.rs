//! A guest asks for a copy.

use anyhow::Result;
use fantoccini::key::Key;
use tillroll_tests::api::receipt;

use crate::paper::squeezed;
use crate::shop::shop;
use crate::texts::text;

#[tokio::test]
async fn copy_of_a_printed_receipt_says_copy() -> Result<()> {
    let (desktop, printer, page) = shop(&[]).await?;
    desktop.api().await?.post("/v1/receipts", &receipt(1)).await?;
    printer.wait_for_tickets(1).await?;
    page.sees_row("R1-000001", &text("state_printed")).await?;
    page.pick("R1-000001").await?;
    page.sees(&text("story_recorded")).await?;
    page.press(Key::F8).await?;
    let tickets = printer.wait_for_tickets(2).await?;
    assert!(!squeezed(&tickets[0]).contains("COPY"));
    assert!(squeezed(&tickets[1]).contains("COPY"), "{}", tickets[1]);
    Ok(())
}
