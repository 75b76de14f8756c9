//! Bare SQLite that writes the rows of a backlog: the rows the dispatcher wrote for it, read back from
//! its file and written to another of the same schema, without checks or answers.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, TransactionBehavior, params_from_iter};
use tillroll_dispatcher::job::StoreNo;
use tillroll_wire::record::BATCH_RECORDS;

use crate::chain::Chain;

/// What must be there before.
const BEFORE: [&str; 3] = ["tenants", "stores", "registers"];
/// The tables of a backlog, in the order in which their rows refer to each other.
const TABLES: [&str; 6] =
    ["records", "receipts", "papers", "record_hours", "register_days", "register_day_tenders"];

/// A database beside the dispatcher's.
pub struct Floor {
    theirs: Connection,
    ours: Connection,
}

type Row = Vec<Value>;

impl Floor {
    /// Makes it, with the stores and registers of a chain.
    pub fn beside(chain: &Chain, folder: &Path) -> Result<Self> {
        let theirs =
            Connection::open_with_flags(chain.database(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let ours = Connection::open(folder.join("floor.db"))?;
        ours.execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;
             PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8192",
        )?;
        ours.execute_batch(&schema(&theirs)?)?;
        for table in BEFORE {
            for row in rows(&theirs, &format!("SELECT * FROM {table}"), &[])? {
                insert(&ours, table, &row)?;
            }
        }
        Ok(Self { theirs, ours })
    }

    /// Writes the rows of a store's backlog; how long that took.
    pub fn write(&mut self, store: StoreNo) -> Result<Duration> {
        let key = [Value::Integer(store.0)];
        let read =
            |table| rows(&self.theirs, &format!("SELECT * FROM {table} WHERE store = ?1"), &key);
        let tables = TABLES.into_iter().map(|table| Ok((table, read(table)?)));
        let tables: Vec<(&str, Vec<Row>)> = tables.collect::<Result<_>>()?;
        let records = tables.first().map_or(0, |(_, rows)| rows.len());
        ensure!(records > 0, "the dispatcher has no records of {store:?}");
        let batches = records.div_ceil(BATCH_RECORDS);
        let begun = Instant::now();
        for batch in 0..batches {
            self.write_batch(&tables, batch, batches)?;
        }
        Ok(begun.elapsed())
    }

    fn write_batch(
        &mut self,
        tables: &[(&str, Vec<Row>)],
        batch: usize,
        batches: usize,
    ) -> Result<()> {
        let transaction = self.ours.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (table, rows) in tables {
            let share = rows.len().div_ceil(batches).max(1);
            for row in rows.chunks(share).nth(batch).unwrap_or_default() {
                insert(&transaction, table, row)?;
            }
        }
        Ok(transaction.commit()?)
    }
}

/// Tables and indexes as the program has them by now.
fn schema(db: &Connection) -> Result<String> {
    let sql = "SELECT group_concat(sql, ';') FROM
        (SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid)";
    Ok(db.query_row(sql, [], |row| row.get(0))?)
}

fn rows(db: &Connection, sql: &str, params: &[Value]) -> Result<Vec<Row>> {
    let mut statement = db.prepare(sql)?;
    let columns = statement.column_count();
    let rows = statement.query_map(params_from_iter(params), |row| {
        (0..columns).map(|column| row.get(column)).collect()
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn insert(db: &Connection, table: &str, row: &Row) -> Result<()> {
    let places = vec!["?"; row.len()].join(", ");
    let mut statement = db.prepare_cached(&format!("INSERT INTO {table} VALUES ({places})"))?;
    statement.execute(params_from_iter(row))?;
    Ok(())
}
