//! The link breaks in the middle of a receipt: the one question, and its answer.

use anyhow::Result;
use fantoccini::key::Key;
use tillroll_tests::api::receipt;

use crate::desktop::PATIENCE;
use crate::paper::squeezed;
use crate::shop::shop;
use crate::texts::text;

#[tokio::test]
async fn receipt_that_is_not_on_paper_prints_again_marked_reprint() -> Result<()> {
    let (desktop, mut printer, page) = shop(&[]).await?;
    printer.tell("fault reset-after-bytes=300")?;
    let api = desktop.api().await?;
    api.post("/v1/receipts", &receipt(1)).await?;
    page.press(Key::F3).await?;
    page.sees(&text("todo_group_unconfirmed")).await?;
    page.sees("R1-000001").await?;
    assert_eq!(api.ids_in("unconfirmed").await?.len(), 1);
    let before = printer.tickets()?.len();
    // The list has the focus on this screen; N is "not on paper".
    page.type_text("n").await?;
    let tickets = printer.wait_for_tickets(before + 1).await?;
    assert!(tickets.iter().any(|ticket| squeezed(ticket).contains("REPRINT")), "{tickets:#?}");
    api.wait_until_quiet(PATIENCE).await?;
    page.sees(&text("todo_empty_title")).await
}
