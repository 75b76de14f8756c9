//! Days as the head office has them, from the counters.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tillroll_sqlite::rusqlite::{Connection, Row, params};
use tillroll_wire::day::CloudDay;

use super::columns::{all, first};
use super::fault::Fault;
use super::{jobs, registers};
use crate::job::{RegisterNo, StoreNo};
use crate::store::StoreDay;

/// A register's day; one without records is all zeros.
pub(super) fn of_register(
    db: &Connection,
    register: RegisterNo,
    day: Date,
) -> Result<CloudDay, Fault> {
    let name = registers::known_name(db, register)?;
    let params = params![register.store.0, day.to_string(), register.no];
    let counts = first(db, OF_REGISTER, params, counts)?.unwrap_or_default();
    let tenders = tenders(db, register, day)?;
    Ok(CloudDay { register: name, tenders, ..counts })
}

/// A store's day: every register with records of it, and the jobs taken on it.
pub(super) fn of_store(db: &Connection, store: StoreNo, day: Date) -> Result<StoreDay, Fault> {
    let with_records = all(db, REGISTERS_OF, params![store.0, day.to_string()], |row| {
        Ok(RegisterNo { store, no: row.get(0)? })
    })?;
    let mut registers = Vec::with_capacity(with_records.len());
    for register in with_records {
        registers.push(of_register(db, register, day)?);
    }
    let jobs = jobs::count_taken(db, store, span(day)?)?.into_iter().collect();
    Ok(StoreDay { registers, jobs })
}

/// Begin and end of a day in UTC.
fn span(day: Date) -> Result<(Timestamp, Timestamp), Fault> {
    let out_of_range = |_| Fault::Refused("the day is too far away");
    let next = day.tomorrow().map_err(out_of_range)?;
    let begin = |day: Date| TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0));
    Ok((begin(day).map_err(out_of_range)?, begin(next).map_err(out_of_range)?))
}

/// Reads the counters; name and tenders are not among them.
fn counts(row: &Row<'_>) -> Result<CloudDay, Fault> {
    Ok(CloudDay {
        receipts: row.get(0)?,
        refunds: row.get(1)?,
        gross_minor: row.get(2)?,
        refunded_minor: row.get(3)?,
        printed: row.get(4)?,
        closed: row.get(5)?,
        rejected: row.get(6)?,
        ..CloudDay::default()
    })
}

pub(super) const OF_REGISTER: &str =
    "SELECT receipts, refunds, gross_minor, refunded_minor, printed, closed, rejected
     FROM register_days WHERE store = ?1 AND day = ?2 AND register = ?3";
pub(super) const REGISTERS_OF: &str =
    "SELECT register FROM register_days WHERE store = ?1 AND day = ?2 ORDER BY register";

fn tenders(
    db: &Connection,
    register: RegisterNo,
    day: Date,
) -> Result<BTreeMap<String, i64>, Fault> {
    let params = params![register.store.0, day.to_string(), register.no];
    let tenders = all(db, TENDERS, params, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(tenders.into_iter().collect())
}

pub(super) const TENDERS: &str = "SELECT tender, takings_minor FROM register_day_tenders
    WHERE store = ?1 AND day = ?2 AND register = ?3";
