//! [`Counters`] for PostgreSQL.
//!
//! A batch is few statements whatever its size. Its ids are looked up before anything is locked, so that one
//! that only repeats writes nothing; then the store's row in `counter_numbers` is locked until the batch is
//! committed, so that the batches of all nodes follow each other.

mod check;
mod figures;
mod ledger;

pub(super) use self::check::GAPS;
pub(super) use self::figures::{DAYS, HOURS, MOVED, STOCK};
pub(super) use self::ledger::{KNOWN, OF_DAY};

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use jiff::civil::Date;
use tillroll_domain::ids::Part;
use tokio::try_join;

use super::PostgresStore;
use super::columns::{all, first, get, limit, run};
use super::fault::Fault;
use crate::counters::tally::{Asked, Before, Tally};
use crate::counters::{CounterDay, Counters, DayCheck, Entry, Outcome, Request};
use crate::job::StoreNo;
use crate::store::Stored;

impl Counters for PostgresStore {
    async fn count(&self, store: StoreNo, requests: Vec<Request>) -> Stored<Vec<Outcome>> {
        let asked = requests.clone();
        let known = self.look_up(async move |db| replays(db, store, &asked).await).await?;
        match known {
            Some(outcomes) => Ok(outcomes),
            None => self.write(async move |db| count(db, store, &requests).await).await,
        }
    }

    async fn stock(&self, store: StoreNo, sku: Part) -> Stored<Option<i64>> {
        self.look_up(async move |db| {
            let found = figures::stock(db, store, &[sku.as_str()]).await?;
            Ok(found.into_iter().next().map(|(_, quantity)| quantity))
        })
        .await
    }

    async fn counter_day(&self, store: StoreNo, day: Date) -> Stored<CounterDay> {
        self.read(async move |db| figures::day(db, store, day).await).await
    }

    async fn check_counters(&self, store: StoreNo, day: Date) -> Stored<DayCheck> {
        self.read(async move |db| Ok(check::observe(db, store, day).await?.compare(day))).await
    }

    async fn rebuild_counters(&self, store: StoreNo, day: Date) -> Stored<()> {
        self.write(async move |db| check::rebuild(db, store, day).await).await
    }

    async fn counted_stores(&self, after: StoreNo, rows: u32) -> Stored<Vec<StoreNo>> {
        self.look_up(async move |db| {
            let sql = "SELECT store FROM counter_numbers WHERE store > $1 ORDER BY store LIMIT $2";
            all(db, sql, &[&after.0, &limit(rows)], |row| Ok(StoreNo(get(row, 0)?))).await
        })
        .await
    }
}

/// The outcomes of a batch whose requests were all asked before; `None` when one is new.
async fn replays(
    db: &impl GenericClient,
    store: StoreNo,
    requests: &[Request],
) -> Result<Option<Vec<Outcome>>, Fault> {
    let known = ledger::find(db, store, &ids(&Asked::by(requests))).await?;
    let known: HashMap<_, _> = known.into_iter().collect();
    if !requests.iter().all(|request| known.contains_key(&request.id)) {
        return Ok(None);
    }
    Ok(Some(Tally::new(Before { known, ..Before::default() }).count_all(requests)))
}

fn ids<'a>(asked: &Asked<'a>) -> Vec<&'a str> {
    asked.ids.iter().copied().collect()
}

async fn count(
    db: &Transaction<'_>,
    store: StoreNo,
    requests: &[Request],
) -> Result<Vec<Outcome>, Fault> {
    let last_flow_no = lock(db, store).await?;
    let mut tally = Tally::new(before(db, store, last_flow_no, requests).await?);
    let outcomes = tally.count_all(requests);
    if let Some(last) = tally.added().last() {
        keep(db, store, last, &tally).await?;
    }
    Ok(outcomes)
}

/// Keeps everybody else from counting for the store; its last flow number.
async fn lock(db: &Transaction<'_>, store: StoreNo) -> Result<i64, Fault> {
    let sql = "SELECT flow_no FROM counter_numbers WHERE store = $1 FOR NO KEY UPDATE";
    if let Some(last) = first(db, sql, &[&store.0], |row| get(row, 0)).await? {
        return Ok(last);
    }
    let begin =
        "INSERT INTO counter_numbers (store, flow_no) VALUES ($1, 0) ON CONFLICT DO NOTHING";
    run(db, begin, &[&store.0]).await?;
    let locked = first(db, sql, &[&store.0], |row| get(row, 0)).await?;
    locked.ok_or(Fault::Refused("there is no such store"))
}

/// What the batch is counted against, in one exchange.
async fn before(
    db: &Transaction<'_>,
    store: StoreNo,
    last_flow_no: i64,
    requests: &[Request],
) -> Result<Before, Fault> {
    let asked = Asked::by(requests);
    let ids = ids(&asked);
    let skus: Vec<_> = asked.skus.iter().map(|sku| sku.as_str()).collect();
    let names: Vec<_> = asked.registers.iter().map(|name| name.as_str()).collect();
    let mut days: Vec<_> = asked.days.iter().map(|(day, _)| *day).collect();
    days.dedup();
    let (known, stock, registers, days) = try_join!(
        ledger::find(db, store, &ids),
        figures::stock(db, store, &skus),
        figures::registers(db, store, &names),
        figures::of_days(db, store, &days),
    )?;
    Ok(Before {
        last_flow_no,
        known: known.into_iter().collect(),
        registers: registers.into_iter().collect(),
        stock: stock.into_iter().collect(),
        days: days.into_iter().collect(),
    })
}

/// Writes what the batch adds, in one exchange.
async fn keep(
    db: &Transaction<'_>,
    store: StoreNo,
    last: &Entry,
    tally: &Tally,
) -> Result<(), Fault> {
    try_join!(
        put_number(db, store, last.flow_no),
        ledger::insert(db, store, tally.added()),
        figures::add(db, store, tally.sums()),
        figures::put_stock(db, store, tally.left()),
    )?;
    Ok(())
}

async fn put_number(db: &Transaction<'_>, store: StoreNo, flow_no: i64) -> Result<(), Fault> {
    let sql = "UPDATE counter_numbers SET flow_no = $2 WHERE store = $1";
    run(db, sql, &[&store.0, &flow_no]).await.map(drop)
}
