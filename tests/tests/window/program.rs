//! The program's own life: a second start, and a power cut.

use std::time::Duration;

use anyhow::{Result, ensure};
use tillroll_tests::api::{job_id, receipt};

use crate::desktop::{Desktop, PATIENCE, wait_until};
use crate::shop::shop;

#[tokio::test]
async fn second_start_brings_the_first_window_forward() -> Result<()> {
    let desktop = Desktop::start().await?;
    let page = desktop.open(&["--hidden"]).await?;
    page.is_loaded().await?;
    ensure!(!page.is_shown().await?, "it started hidden");
    assert_eq!(desktop.start_again().await?, Some(0), "the second program ends at once");
    let begun = std::time::Instant::now();
    while !page.is_shown().await? {
        ensure!(begun.elapsed() < PATIENCE, "the first window stays hidden");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

#[tokio::test]
async fn power_cut_in_mid_queue_loses_nothing_and_prints_nothing_twice() -> Result<()> {
    const RECEIPTS: usize = 20;
    // Slow enough that the power goes in the middle.
    let (desktop, printer, page) = shop(&["--speed", "1200"]).await?;
    let api = desktop.api().await?;
    for number in 1..=RECEIPTS {
        let (status, answer) = api.post("/v1/receipts", &receipt(number)).await?;
        ensure!(status.is_success(), "{answer}");
    }
    printer.wait_for_tickets(3).await?;
    desktop.kill_program().await?;
    ensure!(printer.tickets()?.len() < RECEIPTS, "the power went when all was printed");
    page.leave().await;
    let page = desktop.open(&[]).await?;
    page.sees("R1-0000").await?;
    let api = desktop.api().await?;
    api.wait_until_quiet(PATIENCE).await?;
    let asked = api.todo_ids().await?;
    let tickets = wait_until("the last ticket", || {
        let tickets = printer.tickets()?;
        Ok((tickets.len() + asked.len() >= RECEIPTS).then_some(tickets))
    })
    .await?;
    for number in 1..=RECEIPTS {
        let id = job_id(number);
        let printed = tickets.iter().filter(|ticket| ticket.contains(&id)).count();
        ensure!(printed <= 1, "{id} is on paper {printed} times");
        ensure!(printed == 1 || asked.contains(&id), "{id} is lost");
    }
    Ok(())
}
