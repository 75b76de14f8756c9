//! `submit`: hands a receipt over.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use reqwest::Method;
use tillroll_register::view::Accepted;

use crate::cli::Desk;
use crate::failure::Failure;

/// The largest receipt that is read, in bytes; the register refuses smaller ones already.
const RECEIPT_MOST: u64 = 16 * 1024 * 1024;

/// Hands over a receipt.
///
/// When this returns with 0 the receipt is durable; its printer is not waited for. The same receipt handed over again is answered the same way and prints nothing new.
#[derive(Debug, Args)]
pub struct Submit {
    /// The receipt in JSON; - reads standard input.
    #[arg(value_name = "FILE|-")]
    receipt: PathBuf,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

impl Submit {
    /// Hands the receipt over and tells its id.
    ///
    /// # Errors
    /// [`Failure::Refused`] with everything wrong with the receipt.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        let receipt = read_input(&self.receipt)?;
        let answer = desk.api.call_raw(Method::POST, &["receipts"], receipt).await?;
        if self.json {
            return desk.output.line(answer.text());
        }
        let Accepted { id, state, flow_no, replayed } = answer.read()?;
        let replayed = if replayed { ", recorded before" } else { "" };
        desk.output.line(format_args!("{id}  {state}, flow number {flow_no}{replayed}"))
    }
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// [`Failure::Usage`] when it cannot be read or is longer than any receipt.
pub fn read_input(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable =
        |error: io::Error| Failure::Usage(format!("{} cannot be read: {error}", path.display()));
    let mut source: Box<dyn io::Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(fs::File::open(path).map_err(unreadable)?)
    };
    let mut text = Vec::new();
    let length = source.by_ref().take(RECEIPT_MOST + 1).read_to_end(&mut text);
    if length.map_err(unreadable)? as u64 > RECEIPT_MOST {
        return Err(Failure::Usage(format!("{} is too long for a receipt", path.display())));
    }
    Ok(text)
}
