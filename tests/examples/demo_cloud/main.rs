//! `make demo-cloud`: a dispatcher and the registers of two stores as real programs in one terminal. They are
//! paired, an order of a delivery platform prints in the right store, the network is cut, a store sells
//! offline, and when the network is back both sides have the same day.
//!
//! It ends by itself, with 0 only if the days are equal.
#![allow(clippy::print_stdout, reason = "a demonstration")]

mod shop;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::json;
use tillroll_tests::dispatcher_program::DispatcherProgram;
use tillroll_tests::platform::Platform;

use self::shop::Shop;

const TENANT: &str = "Old Wang";
/// Sales without a network.
const OFFLINE: std::ops::Range<usize> = 2..6;

#[tokio::main]
async fn main() -> ExitCode {
    let begun = Instant::now();
    match play().await {
        Ok(()) => {
            println!("\nBoth days are equal. That took {:.1} s.", begun.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("\nThe demonstration stopped: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn play() -> Result<()> {
    title("A head office, and two stores with a register each");
    let office = DispatcherProgram::start().await?;
    office.run(&["tenant", "add", TENANT])?;
    let noodles = office.add_store(TENANT, "S1", "Old Wang, noodles")?;
    let bakery = office.add_store(TENANT, "S2", "Old Wang, bakery")?;
    let platform = Platform::join(&office, TENANT, &[&noodles, &bakery])?;
    let noodle_shop = Shop::open("S1", &office).await?;
    let bake_shop = Shop::open("S2", &office).await?;
    println!(
        "dispatcher at {}, registers at {} and {}",
        office.address,
        noodle_shop.address(),
        bake_shop.address()
    );

    title("Each is paired by a one-time code: tillctl pair CODE --url URL");
    println!("S1: {}", noodle_shop.pair(&office.pairing_code(&noodles, "R1")?).await?);
    println!("S2: {}", bake_shop.pair(&office.pairing_code(&bakery, "R1")?).await?);

    title("A delivery platform sends an order for the noodle shop");
    let id = platform.order(&noodles, "MT-8812").await?;
    let (job, paper) = (platform.until_printed(&noodles, &id).await?, noodle_shop.paper(1).await?);
    framed(&paper);
    let told = |field: &str| job[field].as_str().unwrap_or("?").to_owned();
    println!("{id} is {} at register {}", told("state"), told("register"));
    ensure!(bake_shop.tickets()?.is_empty(), "it printed in the wrong store");
    println!("paper in the bakery: none");

    title("The network of the noodle shop is cut; it sells on");
    noodle_shop.sell(1).await?;
    noodle_shop.until_days_are_equal().await?;
    noodle_shop.cut_network().await?;
    for number in OFFLINE {
        noodle_shop.sell(number).await?;
    }
    noodle_shop.paper(1 + OFFLINE.end - 1).await?;
    println!("{}", noodle_shop.show(&["cloud"])?);
    println!("\n{}", noodle_shop.show(&["day"])?);

    title("The network is back");
    noodle_shop.restore_network().await?;
    let day = noodle_shop.until_days_are_equal().await?;
    println!("{}", noodle_shop.show(&["day"])?);
    let theirs = platform.day(&noodles, &day["day"]).await?;
    let (ours, theirs) = (&day["register"], &theirs["registers"][0]);
    println!(
        "\nthe head office's own books of S1: {}",
        json!({
        "receipts": theirs["receipts"], "gross_minor": theirs["gross_minor"], "tenders": theirs["tenders"]})
    );
    for figure in ["receipts", "refunds", "gross_minor", "refunded_minor", "tenders"] {
        ensure!(
            ours[figure] == theirs[figure],
            "{figure}: {} and {}",
            ours[figure],
            theirs[figure]
        );
    }
    Ok(())
}

fn title(text: &str) {
    println!("\n== {text} ==");
}

/// Paper between two lines, indented.
fn framed(paper: &str) {
    let rule = "-".repeat(52);
    println!("  {rule}");
    paper.lines().for_each(|line| println!("  | {line}"));
    println!("  {rule}");
}
