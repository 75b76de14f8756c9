//! [`Counters`] for SQLite.

mod check;
mod figures;
mod ledger;

pub(super) use self::figures::{DAY_OF_REGISTER, DAYS, HOURS, MOVED, STOCK};
pub(super) use self::ledger::{KNOWN, OF_DAY};

use jiff::civil::Date;
use tillroll_domain::ids::Part;
use tillroll_sqlite::rusqlite::{Connection, params};

use super::SqliteStore;
use super::columns::{all, first, limit, run};
use super::fault::Fault;
use crate::counters::tally::{Asked, Before, Tally};
use crate::counters::{CounterDay, Counters, DayCheck, Outcome, Request};
use crate::job::StoreNo;
use crate::store::Stored;

impl Counters for SqliteStore {
    async fn count(&self, store: StoreNo, requests: Vec<Request>) -> Stored<Vec<Outcome>> {
        self.write(move |db| count(db, store, &requests)).await
    }

    async fn stock(&self, store: StoreNo, sku: Part) -> Stored<Option<i64>> {
        self.look_up(move |db| figures::stock(db, store, &sku)).await
    }

    async fn counter_day(&self, store: StoreNo, day: Date) -> Stored<CounterDay> {
        self.read(move |db| figures::day(db, store, day)).await
    }

    async fn check_counters(&self, store: StoreNo, day: Date) -> Stored<DayCheck> {
        self.read(move |db| Ok::<_, Fault>(check::observe(db, store, day)?.compare(day))).await
    }

    async fn rebuild_counters(&self, store: StoreNo, day: Date) -> Stored<()> {
        self.write(move |db| check::rebuild(db, store, day)).await
    }

    async fn counted_stores(&self, after: StoreNo, rows: u32) -> Stored<Vec<StoreNo>> {
        self.read(move |db| {
            let sql = "SELECT store FROM counter_numbers WHERE store > ?1 ORDER BY store LIMIT ?2";
            all(db, sql, params![after.0, limit(rows)], |row| Ok(StoreNo(row.get(0)?)))
        })
        .await
    }
}

/// Counts a batch. One whose requests all counted before writes nothing.
fn count(db: &Connection, store: StoreNo, requests: &[Request]) -> Result<Vec<Outcome>, Fault> {
    let mut tally = Tally::new(before(db, store, requests)?);
    let outcomes = tally.count_all(requests);
    if !tally.added().is_empty() {
        keep(db, store, &tally)?;
    }
    Ok(outcomes)
}

fn before(db: &Connection, store: StoreNo, requests: &[Request]) -> Result<Before, Fault> {
    let asked = Asked::by(requests);
    let mut before = Before { last_flow_no: last_flow_no(db, store)?, ..Before::default() };
    for id in asked.ids {
        let known = ledger::find(db, store, id)?;
        before.known.extend(known.map(|entry| (entry.request_id.clone(), entry)));
    }
    for name in asked.registers {
        let number = figures::register(db, store, name)?;
        before.registers.extend(number.map(|number| (name.clone(), number)));
    }
    for sku in asked.skus {
        let stock = figures::stock(db, store, sku)?;
        before.stock.extend(stock.map(|stock| (sku.clone(), stock)));
    }
    for (day, name) in asked.days {
        let Some(register) = before.registers.get(name).copied() else { continue };
        let figures = figures::of_register(db, store, day, register)?;
        before.days.extend(figures.map(|figures| ((day, register), figures)));
    }
    Ok(before)
}

fn keep(db: &Connection, store: StoreNo, tally: &Tally) -> Result<(), Fault> {
    let Some(last) = tally.added().last() else { return Ok(()) };
    run(db, PUT_NUMBER, params![store.0, last.flow_no])?;
    for entry in tally.added() {
        ledger::insert(db, store, entry)?;
    }
    figures::add(db, store, &tally.sums())?;
    figures::put_stock(db, store, tally.left())
}

/// The last flow number given out in a store.
fn last_flow_no(db: &Connection, store: StoreNo) -> Result<i64, Fault> {
    let sql = "SELECT flow_no FROM counter_numbers WHERE store = ?1";
    Ok(first(db, sql, [store.0], |row| Ok(row.get(0)?))?.unwrap_or(0))
}

const PUT_NUMBER: &str = "INSERT INTO counter_numbers (store, flow_no) VALUES (?1, ?2)
    ON CONFLICT (store) DO UPDATE SET flow_no = ?2";
