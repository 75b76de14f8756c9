//! Printers for a person.

use tillroll_domain::printer::Unproven;
use tillroll_register::view::{DevicesView, PrinterView, ProbeView};

use crate::cli::Desk;
use crate::failure::Failure;
use crate::output::Tone;
use crate::table::{Cell, Table};

/// Printers with what they are doing, and below them what is to be done.
pub(super) fn printers(printers: &[PrinterView], desk: &Desk<'_>) -> Result<(), Failure> {
    let mut table = Table::new(["printer", "state", "proves", "queue", "profile", "address"]);
    for printer in printers {
        table.row([
            Cell::text(&printer.name),
            state(printer),
            Cell::text(proves(printer)),
            Cell::number(printer.queued),
            Cell::text(&printer.profile),
            Cell::text(&printer.uri),
        ]);
    }
    table.write(desk.output, "no printers; add one with: tillctl printer add NAME --uri URI")?;
    for printer in printers {
        advice(printer, desk)?;
    }
    Ok(())
}

fn state(printer: &PrinterView) -> Cell {
    let reason = printer.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    let tone = match printer.state.as_str() {
        "stopped" => Tone::Bad,
        "paused" => Tone::Warn,
        "idle" => Tone::Good,
        _ => Tone::Plain,
    };
    Cell::text(format_args!("{}{reason}", printer.state)).tone(tone)
}

fn proves(printer: &PrinterView) -> String {
    match (printer.level.proves(), printer.unproven) {
        (true, _) => printer.level.to_string(),
        (false, Unproven::Trust) => format!("nothing ({}), trusted", printer.level),
        (false, Unproven::Ask) => format!("nothing ({}), ask", printer.level),
    }
}

fn advice(printer: &PrinterView, desk: &Desk<'_>) -> Result<(), Failure> {
    let name = &printer.name;
    if let Some(advice) = &printer.advice {
        let next = printer.next_try_at.map(|at| format!(" Next try {}.", desk.shop.moment(at)));
        desk.output.line(format_args!("{name}: {advice}{}", next.unwrap_or_default()))?;
    }
    if printer.paper_near_end {
        desk.output.line(format_args!("{name}: the paper is near its end."))?;
    }
    Ok(())
}

/// What a device answered.
pub(super) fn probed(name: &str, probe: &ProbeView, desk: &Desk<'_>) -> Result<(), Failure> {
    let device: Vec<&str> =
        [probe.maker.as_deref(), probe.model.as_deref()].into_iter().flatten().collect();
    let device =
        if device.is_empty() { "a device without a name".into() } else { device.join(" ") };
    desk.output.line(format_args!("{name} is {device}. Level {}.", probe.level))?;
    desk.output.line(&probe.meaning)?;
    if let Some(blocked) = probe.blocked {
        let advice =
            format!("It cannot print now ({blocked}), so nothing was kept. {}", blocked.advice());
        desk.output.line(desk.output.paint(Tone::Warn, advice))?;
    }
    Ok(())
}

/// What was found at this computer.
pub(super) fn discovered(found: &DevicesView, desk: &Desk<'_>) -> Result<(), Failure> {
    let mut table = Table::new(["address", "calls itself"]);
    for device in &found.devices {
        let name = device.name.as_deref().unwrap_or_default();
        table.row([Cell::text(&device.uri), Cell::text(name)]);
    }
    table
        .write(desk.output, "no serial or USB printer found; network printers are added by address")
}
