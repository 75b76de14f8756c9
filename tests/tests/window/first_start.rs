//! From the first start to the first printed receipt.

use anyhow::Result;
use tillroll_tests::api::receipt;

use crate::desktop::Desktop;
use crate::page::text;

#[tokio::test]
#[ignore = "needs a display server and the built program: make window-test"]
async fn first_start_ends_with_a_printed_receipt() -> Result<()> {
    let desktop = Desktop::start().await?;
    let page = desktop.open(&[]).await?;
    page.fill(&text("setup_pin"), "2468").await?;
    page.fill(&text("setup_pin_again"), "2468").await?;
    page.click(&text("next")).await?;
    page.click(&text("setup_without")).await?;
    page.click(&text("setup_finish")).await?;
    page.sees(&text("nav_printers")).await?;
    let (status, answer) = desktop.api().await?.post("/v1/receipts", &receipt(1)).await?;
    assert!(status.is_success(), "{answer}");
    page.sees("R1-000001").await?;
    page.sees(&text("state_printed")).await?;
    // The paper itself is shown beside it.
    page.pick("R1-000001").await?;
    page.sees(&text("story_recorded")).await
}
