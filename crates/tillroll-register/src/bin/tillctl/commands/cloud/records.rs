//! The manager's list of records, for a person.

use tillroll_register::view::{CloudOnlyView, RefusedRecordView};

use crate::failure::Failure;
use crate::output::Output;
use crate::shop::Shop;
use crate::table::{Cell, Table};

/// Writes both lists, each with the keys for it; nothing for an empty one.
///
/// # Errors
/// When they cannot be written.
pub fn write_records(
    parked: &[RefusedRecordView],
    cloud_only: &[CloudOnlyView],
    shop: &Shop,
    output: &Output,
) -> Result<(), Failure> {
    if !parked.is_empty() {
        output
            .line("Records the head office refused (tillctl cloud send-again|give-up NUMBER...)")?;
        refused_table(parked, shop).write(output, "")?;
    }
    if !cloud_only.is_empty() {
        output.line(
            "Records only the head office has (tillctl cloud compared NUMBER... --reason TEXT)",
        )?;
        cloud_only_table(cloud_only, shop).write(output, "")?;
    }
    Ok(())
}

fn refused_table(records: &[RefusedRecordView], shop: &Shop) -> Table {
    let mut table = Table::new(["number", "kind", "job", "recorded at", "why"]);
    for record in records {
        let subject = record.job_id.as_ref().unwrap_or(&record.request_id);
        let why = match &record.detail {
            Some(detail) => format!("{}: {detail}", record.code),
            None => record.code.clone(),
        };
        table.row([
            Cell::number(record.id),
            Cell::text(&record.kind),
            Cell::text(subject),
            Cell::text(shop.moment(record.recorded_at)),
            Cell::text(why),
        ]);
    }
    table
}

fn cloud_only_table(records: &[CloudOnlyView], shop: &Shop) -> Table {
    let mut table = Table::new(["number", "record", "found at", "here"]);
    for record in records {
        table.row([
            Cell::number(record.id),
            Cell::text(&record.request_id),
            Cell::text(shop.moment(record.seen_at)),
            Cell::text(if record.otherwise { "with another content" } else { "missing" }),
        ]);
    }
    table
}
