//! Whether the store shares its orders, as the head office said last, and the record that each sale and refund
//! then brings. Known without a look into the database: a store that does not share pays nothing for it.

use std::sync::atomic::Ordering::Relaxed;

use tillroll_domain::ids::{JobId, JobKind};
use tillroll_domain::money::Minor;
use tillroll_domain::outbox::RecordKind;
use tillroll_sqlite::rusqlite::{Connection, params};
use tillroll_wire::record::SplitFact;

use crate::columns::{first, word};
use crate::feed::Hint;
use crate::outbox::RecordRow;
use crate::{NewReceipt, Store, StoreError, outbox};

impl Store {
    /// Whether the store shares its orders.
    #[must_use]
    pub fn shares_orders(&self) -> bool {
        self.inner.shares_orders.load(Relaxed)
    }

    /// The head office said whether it does. What it said before costs nothing.
    ///
    /// # Errors
    /// When the database does not take it; it stays as it was then.
    pub async fn set_sharing(&self, on: bool) -> Result<(), StoreError> {
        if self.shares_orders() == on {
            return Ok(());
        }
        self.write(move |db| {
            db.execute("UPDATE cloud SET shares_orders = ?1 WHERE id = 1", params![on])?;
            Ok(())
        })
        .await?;
        tracing::info!(on, "the head office said whether this store shares its orders");
        self.know_sharing().await?;
        self.feed().hint(Hint::Cloud);
        Ok(())
    }

    /// Keeps in mind what the database says.
    pub(crate) async fn know_sharing(&self) -> Result<(), StoreError> {
        let on = self.read(read).await?;
        self.inner.shares_orders.store(on, Relaxed);
        Ok(())
    }
}

/// What the head office said last; a register that is not paired shares nothing.
pub(crate) fn read(db: &Connection) -> Result<bool, StoreError> {
    let said =
        first(db, "SELECT shares_orders FROM cloud WHERE id = 1", [], |row| Ok(row.get(0)?))?;
    Ok(said.unwrap_or(false))
}

/// Writes the record of a sale or refund to be shared, behind that of its receipt.
pub(crate) fn record(
    db: &Connection,
    new: &NewReceipt,
    flow_no: i64,
    epoch: u32,
) -> Result<(), StoreError> {
    if !new.job_id.kind.moves_money() || new.takings == Minor::ZERO {
        return Ok(());
    }
    let original = original(db, &new.job_id)?;
    let (of, behind) = original.map_or((None, None), |(of, behind)| (Some(of), behind));
    let fact = SplitFact {
        id: new.job_id.to_string(),
        day: new.day,
        amount_minor: new.takings.0.saturating_abs(),
        currency: first(db, CURRENCY, [], |row| word(row, 0))?.ok_or(StoreError::NotInitialised)?,
        paid_at: new.recorded_at,
        of,
    };
    let record = RecordRow {
        kind: RecordKind::Split,
        subject: new.job_id.to_string(),
        row_version: 1,
        flow_no: Some(flow_no),
        body: Some(serde_json::to_string(&fact).map_err(StoreError::unreadable)?),
        now: new.recorded_at,
    };
    outbox::insert_in(db, epoch, &record)?;
    behind.map_or(Ok(()), |sale| put_behind(db, sale))
}

/// The record just inserted goes up behind the split of a sale.
fn put_behind(db: &Connection, sale: i64) -> Result<(), StoreError> {
    let mut statement = db.prepare_cached("UPDATE outbox SET behind = ?2 WHERE id = ?1")?;
    statement.execute(params![db.last_insert_rowid(), sale])?;
    Ok(())
}

const CURRENCY: &str = "SELECT currency FROM register WHERE id = 1";

/// The receipt that a refund takes back from, and its flow number: the newest of its order here. One that was
/// recorded elsewhere is named as its first version; the head office knows whether there is one.
fn original(db: &Connection, id: &JobId) -> Result<Option<(String, Option<i64>)>, StoreError> {
    if id.kind != JobKind::Refund {
        return Ok(None);
    }
    let first_version =
        JobId { kind: JobKind::Receipt, version: 1, copy: None, ..id.clone() }.to_string();
    let (from, to) = versions(&first_version);
    let newest =
        first(db, NEWEST_OF_ORDER, params![from, to], |row| Ok((row.get(0)?, Some(row.get(1)?))))?;
    Ok(Some(newest.unwrap_or((first_version, None))))
}

/// Before and behind every version of an order's receipt: `...:v` to `...:w`.
fn versions(first_version: &str) -> (String, String) {
    let from = first_version.trim_end_matches('1').to_owned();
    let to = format!("{}w", from.trim_end_matches('v'));
    (from, to)
}

/// The newest receipt of an order.
pub(crate) const NEWEST_OF_ORDER: &str = "SELECT job_id, flow_no FROM print_jobs
    WHERE job_id > ?1 AND job_id < ?2 AND copy_no = 0 ORDER BY flow_no DESC LIMIT 1";
