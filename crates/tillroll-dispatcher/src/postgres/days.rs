//! Days as the head office has them, from the counters.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tillroll_wire::day::CloudDay;
use tokio_postgres::Row;

use super::columns::{all, first, get};
use super::fault::Fault;
use super::{jobs, registers};
use crate::job::{RegisterNo, StoreNo};
use crate::store::StoreDay;

/// A register's day; one without records is all zeros.
pub(super) async fn of_register(
    db: &Transaction<'_>,
    register: RegisterNo,
    day: Date,
) -> Result<CloudDay, Fault> {
    let name = registers::known_name(db, register).await?;
    let (store, no, day) = (register.store.0, register.no, day.to_string());
    let counts = first(db, OF_REGISTER, &[&store, &day, &no], |row| counts(row, 0)).await?;
    let tender = |row: &_| Ok((get(row, 0)?, get(row, 1)?));
    let tenders = all(db, TENDERS, &[&store, &day, &no], tender).await?.into_iter().collect();
    Ok(CloudDay { register: name, tenders, ..counts.unwrap_or_default() })
}

/// A store's day: every register with records of it, and the jobs taken on it.
pub(super) async fn of_store(
    db: &Transaction<'_>,
    store: StoreNo,
    day: Date,
) -> Result<StoreDay, Fault> {
    let name = day.to_string();
    let params = [&store.0 as _, &name as _];
    let registers = all(db, OF_STORE, &params, |row| {
        let register: String = get(row, 1)?;
        Ok((get::<i64>(row, 0)?, CloudDay { register, ..counts(row, 2)? }))
    });
    let mut registers: BTreeMap<i64, CloudDay> = registers.await?.into_iter().collect();
    let tenders =
        all(db, TENDERS_OF_STORE, &params, |row| Ok((get(row, 0)?, get(row, 1)?, get(row, 2)?)));
    for (register, tender, takings_minor) in tenders.await? {
        if let Some(day) = registers.get_mut(&register) {
            day.tenders.insert(tender, takings_minor);
        }
    }
    let jobs = jobs::count_taken(db, store, span(day)?).await?.into_iter().collect();
    Ok(StoreDay { registers: registers.into_values().collect(), jobs })
}

/// Begin and end of a day in UTC.
fn span(day: Date) -> Result<(Timestamp, Timestamp), Fault> {
    let out_of_range = |_| Fault::Refused("the day is too far away");
    let next = day.tomorrow().map_err(out_of_range)?;
    let begin = |day: Date| TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0));
    Ok((begin(day).map_err(out_of_range)?, begin(next).map_err(out_of_range)?))
}

/// Reads the counters from a column on; name and tenders are not among them.
fn counts(row: &Row, from: usize) -> Result<CloudDay, Fault> {
    Ok(CloudDay {
        receipts: get(row, from)?,
        refunds: get(row, from + 1)?,
        gross_minor: get(row, from + 2)?,
        refunded_minor: get(row, from + 3)?,
        printed: get(row, from + 4)?,
        closed: get(row, from + 5)?,
        rejected: get(row, from + 6)?,
        ..CloudDay::default()
    })
}

const OF_REGISTER: &str =
    "SELECT receipts, refunds, gross_minor, refunded_minor, printed, closed, rejected
     FROM register_days WHERE store = $1 AND day = $2 AND register = $3";
const OF_STORE: &str =
    "SELECT register, name, receipts, refunds, gross_minor, refunded_minor, printed,
         closed, rejected
     FROM register_days JOIN registers USING (store, register) WHERE store = $1 AND day = $2";
const TENDERS: &str = "SELECT tender, takings_minor FROM register_day_tenders
    WHERE store = $1 AND day = $2 AND register = $3";
const TENDERS_OF_STORE: &str = "SELECT register, tender, takings_minor FROM register_day_tenders
    WHERE store = $1 AND day = $2";
