//! The printer was gone for long: what piled up is asked about before any of it prints.

use anyhow::Result;
use fantoccini::key::Key;
use tillroll_tests::api::{job_id, receipt};

use crate::shop::{lose_patience, shop};
use crate::texts::{text, text_with};

const RECEIPTS: usize = 14;

#[tokio::test]
async fn stale_backlog_of_fourteen_prints_only_when_the_clerk_says_so() -> Result<()> {
    let (desktop, mut printer, page) = shop(&[]).await?;
    lose_patience(&page, 1, 1).await?;
    printer.tell("paper end")?;
    let api = desktop.api().await?;
    for number in 1..=RECEIPTS {
        api.post("/v1/receipts", &receipt(number)).await?;
    }
    page.press(Key::F3).await?;
    // What is on the list has waited longer than a second, and so is stale.
    page.sees(&text_with("nav_todo_count", "count", RECEIPTS)).await?;
    printer.tell("paper ok")?;
    page.sees(&text_with("todo_backlog", "count", RECEIPTS)).await?;
    assert_eq!(api.ids_in("held").await?.len(), RECEIPTS);
    assert_eq!(printer.tickets()?.len(), 0, "it printed without an answer");
    page.click(&text_with("todo_backlog_print", "count", RECEIPTS)).await?;
    let tickets = printer.wait_for_tickets(RECEIPTS).await?;
    for number in 1..=RECEIPTS {
        let printed = tickets.iter().filter(|ticket| ticket.contains(&job_id(number))).count();
        assert_eq!(printed, 1, "{}", job_id(number));
    }
    page.sees(&text("todo_empty_title")).await
}
