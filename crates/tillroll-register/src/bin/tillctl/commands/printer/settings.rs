//! Settings of a printer on the command line.

use clap::Args;
use reqwest::Method;
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_register::view::{AddedPrinter, NewPrinterBody, PrinterBody};

use super::{ASKING, show};
use crate::cli::Desk;
use crate::failure::Failure;
use crate::output::Tone;

/// A printer to add.
#[derive(Debug, Args)]
pub struct AddSettings {
    /// The printer's name, such as front or kitchen.
    name: String,
    /// Where it is: tcp://HOST:9100, serial:///dev/ttyUSB0?baud=19200&flow=rtscts,
    /// usb://04b8:0e15?serial=AB12, lp:///dev/usb/lp0, file:///PATH or virtual:NAME.
    #[arg(long)]
    uri: String,
    #[command(flatten)]
    more: MoreSettings,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

/// What can be changed.
#[derive(Debug, Args)]
pub struct Settings {
    /// Where it is now.
    #[arg(long)]
    uri: Option<String>,
    #[command(flatten)]
    more: MoreSettings,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

/// What a printer is and proves.
#[derive(Debug, Args)]
struct MoreSettings {
    /// Its profile; see `printer profiles`.
    #[arg(long)]
    profile: Option<String>,
    /// Columns, where they differ from the profile's.
    #[arg(long, value_name = "N")]
    columns: Option<u32>,
    /// What it can prove: token, counter, in_order, realtime or silent. A file is always silent.
    #[arg(long)]
    level: Option<ConfirmationLevel>,
    /// Where it can prove nothing: count its jobs as printed, shown as assumed.
    #[arg(long)]
    trust: bool,
    /// Where it can prove nothing: ask a person about each job.
    #[arg(long, conflicts_with = "trust")]
    ask: bool,
    /// The pin its drawer hangs on: 0 is pin 2, 1 is pin 5.
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u8).range(0..=1))]
    drawer_pin: Option<u8>,
}

impl MoreSettings {
    fn unproven(&self) -> Option<Unproven> {
        match (self.trust, self.ask) {
            (true, _) => Some(Unproven::Trust),
            (false, true) => Some(Unproven::Ask),
            (false, false) => None,
        }
    }
}

/// Adds a printer and tells what it proves.
pub(super) async fn add(add: AddSettings, desk: &Desk<'_>) -> Result<(), Failure> {
    let AddSettings { name, uri, more, json } = add;
    let unproven = more.unproven();
    let MoreSettings { profile, columns, level, drawer_pin, .. } = more;
    if level.is_none() {
        desk.output.progress(ASKING)?;
    }
    let body = NewPrinterBody { name, uri, profile, columns, level, unproven, drawer_pin };
    let answer = desk.api.post(&["printers"], &body).await?;
    if json {
        return desk.output.line(answer.text());
    }
    let AddedPrinter { printer, probe, not_reached } = answer.read()?;
    let (name, proves) = (printer.name.clone(), printer.level.proves());
    if let Some(probe) = &probe {
        show::probed(&name, probe, desk)?;
    }
    show::printers(&[printer], desk)?;
    let to_do = match not_reached {
        Some(cause) => format!(
            "{name} is added, but did not answer: {cause}. If the address is wrong, run: tillctl printer \
             change {name} --uri URI. Once it is on, run: tillctl printer probe {name}"
        ),
        None if proves || unproven.is_some() => return Ok(()),
        None => format!(
            "It proves nothing, so a person is asked about each job. To count its jobs as printed, run: \
             tillctl printer change {name} --trust"
        ),
    };
    desk.output.line(desk.output.paint(Tone::Warn, to_do))
}

/// Changes a printer.
pub(super) async fn change(name: &str, settings: Settings, desk: &Desk<'_>) -> Result<(), Failure> {
    let Settings { uri, more, json } = settings;
    let unproven = more.unproven();
    let MoreSettings { profile, columns, level, drawer_pin, .. } = more;
    let body = PrinterBody { uri, profile, columns, level, unproven, drawer_pin };
    let answer = desk.api.call(Method::PATCH, &["printers", name], &body).await?;
    if json {
        return desk.output.line(answer.text());
    }
    show::printers(&[answer.read()?], desk)
}
