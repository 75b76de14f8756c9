//! Splits: made, claimed, changed, listed.

mod change;
mod share;
mod table;

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{Call, Facts, PartyAmount, ShareTable, SplitState};
use tokio_postgres::Row;

use super::columns::{
    all, all_readable, at, fingerprint, first, get, get_u32, limit, ms, optional_at, optional_word,
    run, word,
};
use super::fault::Fault;
use super::{PostgresStore, tenants};
use crate::job::StoreNo;
use crate::splits::{
    NewSplit, NoParts, Prepared, Refunded, Split, SplitChange, SplitChanged, SplitKey, SplitRecord,
    SplitSum, refund_of, shares_of,
};
use crate::store::{SplitDay, Splits, Stored, TableSet};

pub(super) use self::change::{CLAIM, HASTEN, LOCK, RELEASE, UPDATE, WAITING_REFUNDS};
pub(super) use self::share::{MET, REFUNDS_OF, Shares};

impl Splits for PostgresStore {
    async fn set_share_table(
        &self,
        store: StoreNo,
        table: ShareTable,
        now: Timestamp,
    ) -> Stored<TableSet> {
        self.write(async move |db| table::set(db, store, &table, now).await).await
    }

    async fn share_tables(&self, store: StoreNo) -> Stored<Vec<ShareTable>> {
        self.look_up(async move |db| table::list(db, store).await).await
    }

    async fn set_sharing(&self, store: StoreNo, on: bool) -> Stored<()> {
        self.write(async move |db| tenants::set_sharing(db, store, on).await).await
    }

    async fn prepare_split(&self, new: NewSplit) -> Stored<Prepared> {
        self.write(async move |db| prepare(db, &new).await).await
    }

    async fn split(&self, store: StoreNo, id: String) -> Stored<Option<Split>> {
        self.look_up(async move |db| find(db, store, &id).await).await
    }

    async fn splits(
        &self,
        store: StoreNo,
        state: Option<SplitState>,
        before: Option<i64>,
        limit: u32,
    ) -> Stored<Vec<Split>> {
        self.look_up(async move |db| list(db, store, state, before, limit).await).await
    }

    async fn change_splits(&self, changes: Vec<SplitChange>) -> Stored<Vec<SplitChanged>> {
        self.write(async move |db| change::apply(db, &changes).await).await
    }

    async fn claim_splits(&self, now: Timestamp, limit: u32) -> Stored<Vec<(Split, Option<Call>)>> {
        self.write(async move |db| change::claim(db, now, limit).await).await
    }

    async fn hasten_splits(&self, now: Timestamp, limit: u32) -> Stored<u64> {
        self.write_statement(async move |db| change::hasten(db, now, limit).await).await
    }

    async fn split_history(&self, key: SplitKey) -> Stored<Vec<SplitRecord>> {
        self.look_up(async move |db| change::history(db, key).await).await
    }

    async fn split_day(&self, store: StoreNo, day: Date) -> Stored<SplitDay> {
        self.look_up(async move |db| split_day(db, store, day).await).await
    }

    async fn paid_splits(
        &self,
        past: (Timestamp, SplitKey),
        until: Timestamp,
        limit: u32,
    ) -> Stored<Vec<Split>> {
        self.look_up(async move |db| paid(db, past, until, limit).await).await
    }

    async fn open_splits(&self) -> Stored<Vec<(SplitState, u64)>> {
        self.look_up(async |db| all(db, OPEN, &[], |row| Ok((word(row, 0)?, count(row, 1)?))).await)
            .await
    }
}

/// What [`read`] reads, in its order.
macro_rules! columns {
    () => {
        "splits.store, splits.seq, split_id, fingerprint, of_split, day, amount_minor, currency, parts,
         table_version, pace, state, confirmed, tries, doubtful, by_hand, reason, due_at, window_at,
         created_at, changed_at, version"
    };
}
use columns;

fn read(row: &Row) -> Result<Split, Fault> {
    Ok(Split {
        key: SplitKey { store: StoreNo(get(row, 0)?), seq: get(row, 1)? },
        id: get(row, 2)?,
        fingerprint: fingerprint(row, 3)?,
        of: get(row, 4)?,
        day: word(row, 5)?,
        amount: Minor(get(row, 6)?),
        currency: word(row, 7)?,
        parts: parts(row, 8)?,
        table_version: get_u32(row, 9)?,
        pace: word(row, 10)?,
        facts: Facts {
            state: word(row, 11)?,
            confirmed: get(row, 12)?,
            tries: get_u32(row, 13)?,
            doubtful: get(row, 14)?,
            by_hand: get(row, 15)?,
        },
        reason: optional_word(row, 16)?,
        due_at: optional_at(row, 17)?,
        window_at: optional_at(row, 18)?,
        created_at: at(row, 19)?,
        changed_at: at(row, 20)?,
        version: get(row, 21)?,
    })
}

fn parts(row: &Row, column: usize) -> Result<Vec<PartyAmount>, Fault> {
    serde_json::from_str(get(row, column)?).map_err(Fault::unreadable)
}

fn count(row: &Row, column: usize) -> Result<u64, Fault> {
    u64::try_from(get::<i64>(row, column)?).map_err(Fault::unreadable)
}

async fn find(db: &impl GenericClient, store: StoreNo, id: &str) -> Result<Option<Split>, Fault> {
    first(db, BY_ID, &[&store.0, &id], read).await
}

pub(super) const BY_ID: &str =
    concat!("SELECT ", columns!(), " FROM splits WHERE store = $1 AND split_id = $2");

/// The row that another transaction put first is waited for, and then seen by the look behind it.
async fn prepare(db: &Transaction<'_>, new: &NewSplit) -> Result<Prepared, Fault> {
    if let Some(known) = find(db, new.store, &new.id).await? {
        return Ok(new.meets(known));
    }
    let (table_version, parts) = match divided(db, new).await? {
        Ok(divided) => divided,
        Err(refused) => return Ok(Prepared::Refused(refused)),
    };
    if let Some(made) = make(db, new, table_version, &parts).await? {
        run(db, RECORD_MADE, &[&made.key.store.0, &made.key.seq, &ms(new.now)]).await?;
        return Ok(Prepared::New(made));
    }
    let known = find(db, new.store, &new.id).await?;
    Ok(new.meets(known.ok_or(Fault::Refused("the split was not made"))?))
}

async fn make(
    db: &Transaction<'_>,
    new: &NewSplit,
    table_version: u32,
    parts: &[PartyAmount],
) -> Result<Option<Split>, Fault> {
    let parts = serde_json::to_string(parts).map_err(Fault::unreadable)?;
    let (state, pace) = (NewSplit::facts().state.as_str(), new.pace.as_str());
    let params = [
        &new.store.0 as _,
        &new.id as _,
        &&new.fingerprint.as_bytes()[..] as _,
        &new.of as _,
        &new.day.to_string() as _,
        &new.amount.0 as _,
        &new.currency.code() as _,
        &parts as _,
        &i64::from(table_version) as _,
        &pace as _,
        &state as _,
        &ms(new.now) as _,
    ];
    first(db, MAKE, &params, read).await
}

const MAKE: &str = concat!(
    "INSERT INTO splits (store, split_id, fingerprint, of_split, day, amount_minor, currency, parts,
         table_version, pace, state, confirmed, tries, doubtful, by_hand, created_at, changed_at, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, false, 0, false, false, $12, $12, 1)
     ON CONFLICT (store, split_id) DO NOTHING RETURNING ",
    columns!()
);
const RECORD_MADE: &str =
    "INSERT INTO split_changes (store, seq, version, event, state, changed_at)
     VALUES ($1, $2, 1, 'prepare', 'init', $3)";

type Divided = Result<(u32, Vec<PartyAmount>), NoParts>;

/// Refunds of one split go one after the other: its row is held.
async fn divided(db: &Transaction<'_>, new: &NewSplit) -> Result<Divided, Fault> {
    let Some(of) = &new.of else {
        return Ok(shares_of(new, &table::list(db, new.store).await?));
    };
    let original = first(db, HOLD, &[&new.store.0, of], read).await?;
    let refund = |row: &Row| Ok(Refunded { parts: parts(row, 0)? });
    let earlier = all(db, REFUNDS, &[&new.store.0, of], refund).await?;
    Ok(refund_of(new, original.as_ref(), &earlier))
}

const HOLD: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits WHERE store = $1 AND split_id = $2 FOR NO KEY UPDATE"
);
pub(super) const REFUNDS: &str =
    "SELECT parts FROM splits WHERE store = $1 AND of_split = $2 AND state <> 'failed'";

async fn list(
    db: &impl GenericClient,
    store: StoreNo,
    state: Option<SplitState>,
    before: Option<i64>,
    rows: u32,
) -> Result<Vec<Split>, Fault> {
    let (before, rows) = (before.unwrap_or(i64::MAX), limit(rows));
    match state {
        None => all_readable(db, NEWEST, &[&store.0, &before, &rows], read).await,
        Some(state) => {
            let params = [&store.0 as _, &before as _, &rows as _, &state.as_str() as _];
            all_readable(db, NEWEST_IN_STATE, &params, read).await
        }
    }
}

pub(super) const NEWEST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits WHERE store = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3"
);
pub(super) const NEWEST_IN_STATE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits WHERE store = $1 AND state = $4 AND seq < $2 ORDER BY seq DESC LIMIT $3"
);

async fn split_day(db: &impl GenericClient, store: StoreNo, day: Date) -> Result<SplitDay, Fault> {
    let mut sums = SplitDay::default();
    let rows = all(db, DAY, &[&store.0, &day.to_string()], |row| {
        let sum = SplitSum { count: count(row, 2)?, amount_minor: get(row, 3)? };
        Ok((word::<SplitState>(row, 0)?, get::<bool>(row, 1)?, sum))
    })
    .await?;
    for (state, is_share, sum) in rows {
        let totals = if is_share { &mut sums.shares } else { &mut sums.refunds };
        totals.add(state, sum);
    }
    Ok(sums)
}

pub(super) const DAY: &str =
    "SELECT state, of_split IS NULL, count(*), sum(amount_minor)::bigint FROM splits
    WHERE store = $1 AND day = $2 GROUP BY state, of_split IS NULL";

async fn paid(
    db: &impl GenericClient,
    (from, past): (Timestamp, SplitKey),
    until: Timestamp,
    rows: u32,
) -> Result<Vec<Split>, Fault> {
    let params =
        [&ms(from) as _, &past.store.0 as _, &past.seq as _, &ms(until) as _, &limit(rows) as _];
    all_readable(db, PAID, &params, read).await
}

pub(super) const PAID: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits WHERE state = 'succeeded' AND NOT by_hand
         AND (changed_at, store, seq) > ($1, $2, $3) AND changed_at < $4
     ORDER BY changed_at, store, seq LIMIT $5"
);

pub(super) const OPEN: &str = "SELECT state, count(*) FROM splits
    WHERE due_at IS NOT NULL OR state = 'manual' GROUP BY state";
