//! The paper runs out, is noticed, is put in, and nothing is lost.

use anyhow::Result;
use tillroll_tests::api::receipt;

use crate::shop::{lose_patience, shop};
use crate::texts::text;

#[tokio::test]
async fn receipt_without_paper_is_on_the_list_and_prints_when_paper_is_back() -> Result<()> {
    let (desktop, mut printer, page) = shop(&[]).await?;
    lose_patience(&page, 1, 1_800).await?;
    printer.tell("paper end")?;
    let api = desktop.api().await?;
    api.post("/v1/receipts", &receipt(1)).await?;
    page.click(&text("nav_todo")).await?;
    page.sees(&text("todo_group_waiting")).await?;
    page.sees("R1-000001").await?;
    assert_eq!(printer.tickets()?.len(), 0);
    printer.tell("paper ok")?;
    printer.wait_for_tickets(1).await?;
    page.sees(&text("todo_empty_title")).await?;
    page.click(&text("nav_now")).await?;
    page.sees_row("R1-000001", &text("state_printed")).await
}
