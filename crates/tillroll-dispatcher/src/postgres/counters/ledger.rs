//! The ledger of a store: how entries are read, found and written, many at a time.

use deadpool_postgres::GenericClient;
use jiff::civil::Date;
use tokio_postgres::Row;

use crate::counters::{Entry, EntryKind, Moved, moved_of_text, moved_to_text};
use crate::job::StoreNo;
use crate::postgres::columns::{all, at, column, fingerprint, get, limit, ms, run, word};
use crate::postgres::fault::Fault;

/// Entries of one exchange when a whole day is read.
const PAGE: u32 = 5_000;

/// What [`read`] reads, in its order.
macro_rules! columns {
    () => {
        "flow_no, request_id, fingerprint, day, kind, register, amount_minor, moved,
         register_count, register_net_minor, counted_at"
    };
}

fn read(row: &Row) -> Result<Entry, Fault> {
    Ok(Entry {
        flow_no: get(row, 0)?,
        request_id: get(row, 1)?,
        fingerprint: fingerprint(row, 2)?,
        day: word(row, 3)?,
        kind: kind(row, 4)?,
        register: get(row, 5)?,
        amount_minor: get(row, 6)?,
        moved: moved(row, 7)?,
        register_count: get(row, 8)?,
        register_net_minor: get(row, 9)?,
        counted_at: at(row, 10)?,
    })
}

fn kind(row: &Row, column: usize) -> Result<EntryKind, Fault> {
    let word: &str = get(row, column)?;
    EntryKind::of(word).ok_or_else(|| Fault::Unreadable(format!("kind {word:?}")))
}

fn moved(row: &Row, column: usize) -> Result<Vec<Moved>, Fault> {
    let text: &str = get(row, column)?;
    moved_of_text(text).ok_or_else(|| Fault::Unreadable(format!("moved {text:?}")))
}

/// The entries of request ids, by id.
pub(super) async fn find(
    db: &impl GenericClient,
    store: StoreNo,
    ids: &[&str],
) -> Result<Vec<(String, Entry)>, Fault> {
    all(db, KNOWN, &[&store.0, &ids], |row| {
        let entry = read(row)?;
        Ok((entry.request_id.clone(), entry))
    })
    .await
}

/// Row by row, which the inner limit sees to: a plan made while the table was empty would read all of it later.
pub(in crate::postgres) const KNOWN: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM unnest($2::text[]) AS asked (id) CROSS JOIN LATERAL (
         SELECT * FROM counter_ledger WHERE store = $1 AND request_id = asked.id LIMIT 1) AS known"
);

/// Writes entries.
pub(super) async fn insert(
    db: &impl GenericClient,
    store: StoreNo,
    entries: &[Entry],
) -> Result<(), Fault> {
    let params = [
        &store.0 as _,
        &column(entries, |entry| entry.flow_no) as _,
        &column(entries, |entry| entry.request_id.as_str()) as _,
        &column(entries, |entry| &entry.fingerprint.as_bytes()[..]) as _,
        &column(entries, |entry| entry.day.to_string()) as _,
        &column(entries, |entry| entry.kind.as_str()) as _,
        &column(entries, |entry| entry.register) as _,
        &column(entries, |entry| entry.amount_minor) as _,
        &column(entries, |entry| moved_to_text(&entry.moved)) as _,
        &column(entries, |entry| entry.register_count) as _,
        &column(entries, |entry| entry.register_net_minor) as _,
        &column(entries, |entry| ms(entry.counted_at)) as _,
    ];
    run(db, INSERT, &params).await.map(drop)
}

const INSERT: &str = concat!(
    "INSERT INTO counter_ledger (store, ",
    columns!(),
    ") SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::bytea[], $5::text[], $6::text[],
         $7::bigint[], $8::bigint[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[])"
);

/// Shows every entry of a day, in the order of their flow numbers.
pub(super) async fn of_day(
    db: &impl GenericClient,
    store: StoreNo,
    day: Date,
    mut show: impl FnMut(&Entry),
) -> Result<(), Fault> {
    let (day, mut last) = (day.to_string(), 0);
    loop {
        let page = all(db, OF_DAY, &[&store.0, &day, &last, &limit(PAGE)], read).await?;
        page.iter().for_each(&mut show);
        let Some(entry) = page.last() else { return Ok(()) };
        last = entry.flow_no;
    }
}

pub(in crate::postgres) const OF_DAY: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM counter_ledger WHERE store = $1 AND day = $2 AND flow_no > $3 ORDER BY flow_no LIMIT $4"
);
