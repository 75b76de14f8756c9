//! Sales and refunds that a batch brings: what they meet is read once before, all is written once after.

use std::collections::HashMap;

use deadpool_postgres::Transaction;
use jiff::Timestamp;
use tillroll_domain::splits::ShareTable;

use super::{change, columns, parts, read, table};
use crate::job::StoreNo;
use crate::postgres::columns::{all, column, get, ms, ms_not_before, run};
use crate::postgres::fault::Fault;
use crate::splits::{NewSplit, Refunded, Split, SplitChange, refund_of, shares_of};
use crate::store::fact::{Refused, Shared};

/// The splits that a batch meets and makes.
pub(in crate::postgres) struct Shares {
    store: StoreNo,
    now: Timestamp,
    tables: Vec<ShareTable>,
    /// Known and new ones, by id.
    splits: HashMap<String, Split>,
    /// What refunds took back, by the id of their original.
    refunds: HashMap<String, Vec<Refunded>>,
    /// Ids of the new ones, first to last.
    made: Vec<String>,
    /// Confirmations of those that somebody else prepared.
    confirmed: Vec<SplitChange>,
}

impl Shares {
    /// Reads what sales and refunds meet; nothing, where there are none. The splits are held.
    pub(in crate::postgres) async fn load(
        db: &Transaction<'_>,
        store: StoreNo,
        shared: &[&Shared],
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let (splits, refunds, tables) = Default::default();
        let (made, confirmed) = Default::default();
        let mut shares = Self { store, now, tables, splits, refunds, made, confirmed };
        if shared.is_empty() {
            return Ok(shares);
        }
        let of: Vec<String> =
            shared.iter().filter_map(|one| Some(one.of.as_ref()?.to_string())).collect();
        let ids = shared.iter().map(|one| one.id.to_string()).chain(of.iter().cloned());
        let ids: Vec<String> = ids.collect();
        let met = all(db, MET, &[&store.0, &ids], read).await?;
        shares.splits = met.into_iter().map(|split| (split.id.clone(), split)).collect();
        let refund = |row: &_| Ok((get(row, 0)?, Refunded { parts: parts(row, 1)? }));
        for (of, refund) in all(db, REFUNDS_OF, &[&store.0, &of], refund).await? {
            shares.note(of, refund);
        }
        shares.tables = table::list(db, store).await?;
        Ok(shares)
    }

    fn note(&mut self, of: String, refund: Refunded) {
        self.refunds.entry(of).or_default().push(refund);
    }

    /// Shares a sale or refund, once: what is known of its id is confirmed at most.
    pub(in crate::postgres) fn share(
        &mut self,
        shared: &Shared,
    ) -> Result<Result<(), Refused>, Fault> {
        let new = NewSplit::shared(self.store, shared, self.now);
        let original = new.of.as_ref().and_then(|of| self.splits.get(of));
        let Some(known) = self.splits.get(&new.id) else { return self.make(&new) };
        if let Err(refused) = new.check_same_money(known) {
            return Ok(Err(refused));
        }
        if known.is_unconfirmed() {
            let change = known.confirmed(original, self.now).map_err(Fault::unreadable)?;
            let confirmed = Split { facts: change.facts, ..known.clone() };
            self.confirmed.push(change);
            self.splits.insert(new.id, confirmed);
        }
        Ok(Ok(()))
    }

    fn make(&mut self, new: &NewSplit) -> Result<Result<(), Refused>, Fault> {
        let original = new.of.as_ref().and_then(|of| self.splits.get(of));
        let divided = match &new.of {
            None => shares_of(new, &self.tables),
            Some(of) => refund_of(new, original, self.refunds.get(of).map_or(&[], Vec::as_slice)),
        };
        let (table_version, parts) = match divided {
            Ok(divided) => divided,
            Err(error) => return Ok(Err(error.into())),
        };
        let split = new.prepared(table_version, parts);
        let change = split.confirmed(original, self.now).map_err(Fault::unreadable)?;
        if let Some(of) = &new.of {
            self.note(of.clone(), Refunded { parts: split.parts.clone() });
        }
        let confirmed = Split { facts: change.facts, due_at: change.due_at, ..split };
        self.made.push(new.id.clone());
        self.splits.insert(new.id.clone(), confirmed);
        Ok(Ok(()))
    }

    /// Writes what is new.
    pub(in crate::postgres) async fn write(self, db: &Transaction<'_>) -> Result<(), Fault> {
        let made: Vec<&Split> = self.made.iter().filter_map(|id| self.splits.get(id)).collect();
        insert(db, self.store, &made, self.now).await?;
        if !self.confirmed.is_empty() {
            change::apply(db, &self.confirmed).await?;
        }
        Ok(())
    }
}

pub(in crate::postgres) const MET: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits WHERE store = $1 AND split_id = ANY ($2) ORDER BY seq FOR NO KEY UPDATE"
);
pub(in crate::postgres) const REFUNDS_OF: &str = "SELECT of_split, parts FROM splits
    WHERE store = $1 AND of_split = ANY ($2) AND state <> 'failed'";

/// Inserts splits that are confirmed already, with both steps of their history.
async fn insert(
    db: &Transaction<'_>,
    store: StoreNo,
    made: &[&Split],
    now: Timestamp,
) -> Result<(), Fault> {
    if made.is_empty() {
        return Ok(());
    }
    let all_parts: Result<Vec<String>, _> =
        made.iter().map(|split| serde_json::to_string(&split.parts)).collect();
    let params = [
        &store.0 as _,
        &ms(now) as _,
        &column(made, |split| split.id.as_str()) as _,
        &column(made, |split| &split.fingerprint.as_bytes()[..]) as _,
        &column(made, |split| split.of.as_deref()) as _,
        &column(made, |split| split.day.to_string()) as _,
        &column(made, |split| split.amount.0) as _,
        &column(made, |split| split.currency.code()) as _,
        &all_parts.map_err(Fault::unreadable)? as _,
        &column(made, |split| i64::from(split.table_version)) as _,
        &column(made, |split| split.pace.as_str()) as _,
        &column(made, |split| split.due_at.map(ms_not_before)) as _,
    ];
    // One that is not new was prepared by somebody else meanwhile: seen from the beginning it is known.
    let steps = run(db, INSERT, &params).await?;
    if usize::try_from(steps).is_ok_and(|steps| steps == 2 * made.len()) {
        Ok(())
    } else {
        Err(Fault::Met)
    }
}

const INSERT: &str = "WITH made AS (
        INSERT INTO splits (store, split_id, fingerprint, of_split, day, amount_minor, currency, parts,
            table_version, pace, state, confirmed, tries, doubtful, by_hand, due_at, window_at,
            created_at, changed_at, version)
        SELECT $1, split_id, fingerprint, of_split, day, amount_minor, currency, parts, table_version,
            pace, 'init', true, 0, false, false, due_at, due_at, $2, $2, 2
        FROM unnest($3::text[], $4::bytea[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[],
                $10::bigint[], $11::text[], $12::bigint[])
            AS shared (split_id, fingerprint, of_split, day, amount_minor, currency, parts,
                table_version, pace, due_at)
        ON CONFLICT (store, split_id) DO NOTHING RETURNING seq)
    INSERT INTO split_changes (store, seq, version, event, state, changed_at)
    SELECT $1, seq, version, event, 'init', $2
    FROM made CROSS JOIN (VALUES (1::bigint, 'prepare'), (2, 'confirm')) AS step (version, event)";
