//! A store with one printer.

use std::path::Path;

use anyhow::Result;
use tillroll_domain::ids::Part;
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_store::{NewPrinter, PrinterId, Store, StoreOptions};
use tokio::runtime::Runtime;

use crate::settings::{PROFILE, settings};

/// A register in an empty folder, with one printer that proves its jobs by token.
pub fn open(runtime: &Runtime, folder: &Path) -> Result<(Store, PrinterId)> {
    std::fs::create_dir_all(folder)?;
    let store = Store::create(folder, &settings()?, StoreOptions::default())?;
    let printer = runtime.block_on(store.add_printer(printer()?))?;
    Ok((store, printer))
}

fn printer() -> Result<NewPrinter> {
    Ok(NewPrinter {
        name: Part::new("front", "printer")?,
        uri: "tcp://127.0.0.1:9100".to_owned(),
        profile: PROFILE.to_owned(),
        columns: None,
        level: ConfirmationLevel::Token,
        unproven: Unproven::Ask,
        drawer_pin: 0,
    })
}
