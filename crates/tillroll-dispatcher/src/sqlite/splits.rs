//! Splits: made, claimed, changed, listed.

mod change;
mod share;
mod table;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{Call, Facts, PartyAmount, ShareTable, SplitState};
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use super::SqliteStore;
use super::columns::{
    all, all_readable, at, fingerprint, first, limit, ms, optional_at, optional_word, run, word,
};
use super::fault::Fault;
use super::tenants;
use crate::job::StoreNo;
use crate::splits::{
    NewSplit, NoParts, Prepared, Refunded, Split, SplitChange, SplitChanged, SplitKey, SplitRecord,
    SplitSum, refund_of, shares_of,
};
use crate::store::{SplitDay, Splits, Stored, TableSet};

pub(super) use self::change::{DUE, HASTEN, RELEASE, WAITING_REFUNDS};
pub(super) use self::share::share;

impl Splits for SqliteStore {
    async fn set_share_table(
        &self,
        store: StoreNo,
        table: ShareTable,
        now: Timestamp,
    ) -> Stored<TableSet> {
        self.write(move |db| table::set(db, store, &table, now)).await
    }

    async fn share_tables(&self, store: StoreNo) -> Stored<Vec<ShareTable>> {
        self.look_up(move |db| table::list(db, store)).await
    }

    async fn set_sharing(&self, store: StoreNo, on: bool) -> Stored<()> {
        self.write(move |db| tenants::set_sharing(db, store, on)).await
    }

    async fn prepare_split(&self, new: NewSplit) -> Stored<Prepared> {
        self.write(move |db| prepare(db, &new)).await
    }

    async fn split(&self, store: StoreNo, id: String) -> Stored<Option<Split>> {
        self.look_up(move |db| find(db, store, &id)).await
    }

    async fn splits(
        &self,
        store: StoreNo,
        state: Option<SplitState>,
        before: Option<i64>,
        limit: u32,
    ) -> Stored<Vec<Split>> {
        self.read(move |db| list(db, store, state, before, limit)).await
    }

    async fn change_splits(&self, changes: Vec<SplitChange>) -> Stored<Vec<SplitChanged>> {
        self.write(move |db| changes.iter().map(|one| change::apply(db, one)).collect()).await
    }

    async fn claim_splits(&self, now: Timestamp, limit: u32) -> Stored<Vec<(Split, Option<Call>)>> {
        // Mostly nothing is due, and a look costs no commit.
        if !self.look_up(move |db| change::is_any_due(db, now)).await? {
            return Ok(Vec::new());
        }
        self.write(move |db| change::claim(db, now, limit)).await
    }

    async fn hasten_splits(&self, now: Timestamp, limit: u32) -> Stored<u64> {
        self.write(move |db| change::hasten(db, now, limit)).await
    }

    async fn split_history(&self, key: SplitKey) -> Stored<Vec<SplitRecord>> {
        self.read(move |db| change::history(db, key)).await
    }

    async fn split_day(&self, store: StoreNo, day: Date) -> Stored<SplitDay> {
        self.read(move |db| split_day(db, store, day)).await
    }

    async fn paid_splits(
        &self,
        past: (Timestamp, SplitKey),
        until: Timestamp,
        limit: u32,
    ) -> Stored<Vec<Split>> {
        self.read(move |db| paid(db, past, until, limit)).await
    }

    async fn open_splits(&self) -> Stored<Vec<(SplitState, u64)>> {
        self.read(|db| all(db, OPEN, [], |row| Ok((word(row, 0)?, count(row, 1)?)))).await
    }
}

/// What [`read`] reads, in its order.
macro_rules! columns {
    () => {
        "store, seq, split_id, fingerprint, of_split, day, amount_minor, currency, parts, table_version, pace,
         state, confirmed, tries, doubtful, by_hand, reason, due_at, window_at, created_at, changed_at,
         version"
    };
}
use columns;

fn read(row: &Row<'_>) -> Result<Split, Fault> {
    Ok(Split {
        key: SplitKey { store: StoreNo(row.get(0)?), seq: row.get(1)? },
        id: row.get(2)?,
        fingerprint: fingerprint(row, 3)?,
        of: row.get(4)?,
        day: word(row, 5)?,
        amount: Minor(row.get(6)?),
        currency: word(row, 7)?,
        parts: parts(row, 8)?,
        table_version: row.get(9)?,
        pace: word(row, 10)?,
        facts: Facts {
            state: word(row, 11)?,
            confirmed: row.get(12)?,
            tries: row.get(13)?,
            doubtful: row.get(14)?,
            by_hand: row.get(15)?,
        },
        reason: optional_word(row, 16)?,
        due_at: optional_at(row, 17)?,
        window_at: optional_at(row, 18)?,
        created_at: at(row, 19)?,
        changed_at: at(row, 20)?,
        version: row.get(21)?,
    })
}

fn parts(row: &Row<'_>, column: usize) -> Result<Vec<PartyAmount>, Fault> {
    serde_json::from_str(&row.get::<_, String>(column)?).map_err(Fault::unreadable)
}

fn count(row: &Row<'_>, column: usize) -> Result<u64, Fault> {
    u64::try_from(row.get::<_, i64>(column)?).map_err(Fault::unreadable)
}

fn find(db: &Connection, store: StoreNo, id: &str) -> Result<Option<Split>, Fault> {
    first(db, BY_ID, params![store.0, id], read)
}

pub(super) const BY_ID: &str =
    concat!("SELECT ", columns!(), " FROM splits WHERE store = ?1 AND split_id = ?2");

fn prepare(db: &Connection, new: &NewSplit) -> Result<Prepared, Fault> {
    if let Some(known) = find(db, new.store, &new.id)? {
        return Ok(new.meets(known));
    }
    let (table_version, parts) = match divided(db, new)? {
        Ok(divided) => divided,
        Err(refused) => return Ok(Prepared::Refused(refused)),
    };
    let facts = NewSplit::facts();
    let params = params![
        new.store.0,
        new.id,
        new.fingerprint.as_bytes(),
        new.of,
        new.day.to_string(),
        new.amount.0,
        new.currency.code(),
        serde_json::to_string(&parts).map_err(Fault::unreadable)?,
        table_version,
        new.pace.as_str(),
        facts.state.as_str(),
        ms(new.now),
    ];
    let made = first(db, MAKE, params, read)?.ok_or(Fault::Refused("the split was not made"))?;
    run(db, RECORD_MADE, params![new.store.0, made.key.seq, ms(new.now)])?;
    Ok(Prepared::New(made))
}

const MAKE: &str = concat!(
    "INSERT INTO splits (store, seq, split_id, fingerprint, of_split, day, amount_minor, currency, parts,
         table_version, pace, state, confirmed, tries, doubtful, by_hand, created_at, changed_at, version)
     VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM splits WHERE store = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8,
         ?9, ?10, ?11, 0, 0, 0, 0, ?12, ?12, 1) RETURNING ",
    columns!()
);
const RECORD_MADE: &str =
    "INSERT INTO split_changes (store, seq, version, event, state, changed_at)
     VALUES (?1, ?2, 1, 'prepare', 'init', ?3)";

type Divided = Result<(u32, Vec<PartyAmount>), NoParts>;

fn divided(db: &Connection, new: &NewSplit) -> Result<Divided, Fault> {
    let Some(of) = &new.of else {
        return Ok(shares_of(new, &table::list(db, new.store)?));
    };
    let original = find(db, new.store, of)?;
    let earlier =
        all(db, REFUNDS, params![new.store.0, of], |row| Ok(Refunded { parts: parts(row, 0)? }))?;
    Ok(refund_of(new, original.as_ref(), &earlier))
}

// By itself it would look through all splits of the store, which cost it less each.
pub(super) const REFUNDS: &str = "SELECT parts FROM splits INDEXED BY splits_refunds
    WHERE store = ?1 AND of_split = ?2 AND state <> 'failed'";

fn list(
    db: &Connection,
    store: StoreNo,
    state: Option<SplitState>,
    before: Option<i64>,
    rows: u32,
) -> Result<Vec<Split>, Fault> {
    let before = before.unwrap_or(i64::MAX);
    match state {
        None => all_readable(db, NEWEST, params![store.0, before, limit(rows)], read),
        Some(state) => {
            let params = params![store.0, before, limit(rows), state.as_str()];
            all_readable(db, NEWEST_IN_STATE, params, read)
        }
    }
}

pub(super) const NEWEST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits WHERE store = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3"
);
pub(super) const NEWEST_IN_STATE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits INDEXED BY splits_by_state
     WHERE store = ?1 AND state = ?4 AND seq < ?2 ORDER BY seq DESC LIMIT ?3"
);

fn split_day(db: &Connection, store: StoreNo, day: Date) -> Result<SplitDay, Fault> {
    let mut sums = SplitDay::default();
    let rows = all(db, DAY, params![store.0, day.to_string()], |row| {
        let sum = SplitSum { count: count(row, 2)?, amount_minor: row.get(3)? };
        Ok((word::<SplitState>(row, 0)?, row.get::<_, bool>(1)?, sum))
    })?;
    for (state, is_share, sum) in rows {
        let totals = if is_share { &mut sums.shares } else { &mut sums.refunds };
        totals.add(state, sum);
    }
    Ok(sums)
}

pub(super) const DAY: &str =
    "SELECT state, of_split IS NULL, count(*), sum(amount_minor) FROM splits
    WHERE store = ?1 AND day = ?2 GROUP BY state, of_split IS NULL";

fn paid(
    db: &Connection,
    (from, past): (Timestamp, SplitKey),
    until: Timestamp,
    rows: u32,
) -> Result<Vec<Split>, Fault> {
    let params = params![ms(from), past.store.0, past.seq, ms(until), limit(rows)];
    all_readable(db, PAID, params, read)
}

pub(super) const PAID: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits WHERE state = 'succeeded' AND NOT by_hand
         AND (changed_at, store, seq) > (?1, ?2, ?3) AND changed_at < ?4
     ORDER BY changed_at, store, seq LIMIT ?5"
);

pub(super) const OPEN: &str = "SELECT state, count(*) FROM splits
    WHERE due_at IS NOT NULL OR state = 'manual' GROUP BY state";
