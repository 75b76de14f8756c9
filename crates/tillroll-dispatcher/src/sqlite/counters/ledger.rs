//! The ledger of a store: how an entry is read, found and written.

use jiff::civil::Date;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use crate::counters::{Entry, EntryKind, Moved, moved_of_text, moved_to_text};
use crate::job::StoreNo;
use crate::sqlite::columns::{at, fingerprint, first, ms, run, word};
use crate::sqlite::fault::Fault;

/// What [`read`] reads, in its order.
macro_rules! columns {
    () => {
        "flow_no, request_id, fingerprint, day, kind, register, amount_minor, moved,
         register_count, register_net_minor, counted_at"
    };
}

fn read(row: &Row<'_>) -> Result<Entry, Fault> {
    Ok(Entry {
        flow_no: row.get(0)?,
        request_id: row.get(1)?,
        fingerprint: fingerprint(row, 2)?,
        day: word(row, 3)?,
        kind: kind(row, 4)?,
        register: row.get(5)?,
        amount_minor: row.get(6)?,
        moved: moved(row, 7)?,
        register_count: row.get(8)?,
        register_net_minor: row.get(9)?,
        counted_at: at(row, 10)?,
    })
}

fn kind(row: &Row<'_>, column: usize) -> Result<EntryKind, Fault> {
    let word = row.get_ref(column)?.as_str().map_err(Fault::unreadable)?;
    EntryKind::of(word).ok_or_else(|| Fault::Unreadable(format!("kind {word:?}")))
}

fn moved(row: &Row<'_>, column: usize) -> Result<Vec<Moved>, Fault> {
    let text = row.get_ref(column)?.as_str().map_err(Fault::unreadable)?;
    moved_of_text(text).ok_or_else(|| Fault::Unreadable(format!("moved {text:?}")))
}

/// The entry of a request id.
pub(super) fn find(db: &Connection, store: StoreNo, id: &str) -> Result<Option<Entry>, Fault> {
    first(db, KNOWN, params![store.0, id], read)
}

pub(in crate::sqlite) const KNOWN: &str =
    concat!("SELECT ", columns!(), " FROM counter_ledger WHERE store = ?1 AND request_id = ?2");

/// Writes an entry.
pub(super) fn insert(db: &Connection, store: StoreNo, entry: &Entry) -> Result<(), Fault> {
    let params = params![
        store.0,
        entry.flow_no,
        entry.request_id,
        entry.fingerprint.as_bytes(),
        entry.day.to_string(),
        entry.kind.as_str(),
        entry.register,
        entry.amount_minor,
        moved_to_text(&entry.moved),
        entry.register_count,
        entry.register_net_minor,
        ms(entry.counted_at),
    ];
    run(db, INSERT, params).map(drop)
}

const INSERT: &str = concat!(
    "INSERT INTO counter_ledger (store, ",
    columns!(),
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
);

/// Shows every entry of a day, in the order of their flow numbers.
pub(super) fn of_day(
    db: &Connection,
    store: StoreNo,
    day: Date,
    mut show: impl FnMut(&Entry),
) -> Result<(), Fault> {
    let mut statement = db.prepare_cached(OF_DAY)?;
    let mut rows = statement.query(params![store.0, day.to_string()])?;
    while let Some(row) = rows.next()? {
        show(&read(row)?);
    }
    Ok(())
}

pub(in crate::sqlite) const OF_DAY: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM counter_ledger INDEXED BY counter_ledger_by_day
     WHERE store = ?1 AND day = ?2 ORDER BY flow_no"
);
