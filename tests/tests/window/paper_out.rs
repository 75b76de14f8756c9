//! The paper runs out, is noticed, is put in, and nothing is lost.

use anyhow::Result;
use fantoccini::key::Key;
use tillroll_tests::api::receipt;

use crate::page::text;
use crate::program::shop;

#[tokio::test]
#[ignore = "needs a display server and the built program: make window-test"]
async fn receipt_without_paper_is_on_the_list_and_prints_when_paper_is_back() -> Result<()> {
    let (desktop, mut printer, page) = shop(&[]).await?;
    page.be_impatient().await?;
    printer.tell("paper end")?;
    let api = desktop.api().await?;
    api.post("/v1/receipts", &receipt(1)).await?;
    page.press(Key::F3).await?;
    page.sees(&text("todo_group_waiting")).await?;
    page.sees("R1-000001").await?;
    printer.tell("paper ok")?;
    printer.wait_for_tickets(1).await?;
    page.sees(&text("todo_empty_title")).await?;
    page.press(Key::F2).await?;
    page.sees(&text("state_printed")).await
}
