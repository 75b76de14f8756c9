//! From the first start to the first printed receipt.

use anyhow::Result;
use tillroll_tests::api::{job_id, receipt};

use crate::desktop::Desktop;
use crate::shop::PIN;
use crate::texts::text;

#[tokio::test]
async fn first_start_ends_with_a_printed_receipt() -> Result<()> {
    let desktop = Desktop::start().await?;
    let page = desktop.open(&[]).await?;
    page.fill(&text("setup_pin"), PIN).await?;
    page.fill(&text("setup_pin_again"), PIN).await?;
    page.click(&text("next")).await?;
    page.click(&text("setup_without")).await?;
    page.click(&text("setup_finish")).await?;
    page.sees(&text("nav_printers")).await?;
    let api = desktop.api().await?;
    let (status, answer) = api.post("/v1/receipts", &receipt(1)).await?;
    assert!(status.is_success(), "{answer}");
    page.sees_row("R1-000001", &text("state_printed")).await?;
    // The paper itself is shown beside it, and what happened.
    page.pick("R1-000001").await?;
    page.sees(&text("story_recorded")).await?;
    let job = api.get(&format!("/v1/jobs/{}", job_id(1))).await?;
    assert_eq!(
        (&job["state"], &job["confirmation"]),
        (&"printed".into(), &"token".into()),
        "{job}"
    );
    Ok(())
}
