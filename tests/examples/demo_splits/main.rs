//! `make demo-splits`: paid orders shared and paid out by a simulated bank that loses a third of all messages,
//! then an outage of half an hour, and what each schedule makes of short ones.
//!
//! It ends by itself, with 0 only if both ledgers are equal and nothing was paid twice.
#![allow(clippy::print_stdout, reason = "a demonstration")]

mod load;
mod office;
mod outage;
mod table;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, Result};

#[tokio::main]
async fn main() -> ExitCode {
    let begun = Instant::now();
    match play().await {
        Ok(()) => {
            println!("\nBoth ledgers are equal. That took {:.0} s.", begun.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("\nThe demonstration stopped: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn play() -> Result<()> {
    let splits = match std::env::var("SPLITS") {
        Ok(text) => text.parse().context("SPLITS must be a number")?,
        Err(_) => 100_000,
    };
    println!(
        "== Of requests that begin in an outage, how many succeed in five tries (simulated time)"
    );
    table::print();
    println!(
        "\n== An outage of half an hour with 2,000 splits (the clock skips it; its end is real time)"
    );
    outage::play(2_000).await?;
    println!("\n== {splits} splits at 500/s, with 30 % jitter and 30 % of the messages lost");
    load::play(splits).await
}
