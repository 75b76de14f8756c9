//! The ledger of a simulated bank.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::money::Minor;
use tillroll_sqlite::rusqlite::{self, Connection, OptionalExtension as _, params};
use tillroll_sqlite::{Database, Migration, OpenError, Options, WriteError};

use crate::payments::{PayRequest, PaymentStatus, StatementLine, StatementRequest, Status};

const MIGRATIONS: &[Migration] =
    &[Migration { number: 1, name: "ledger", sql: include_str!("ledger.sql") }];

/// The ledger cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BankFailure {
    /// It was not read.
    #[error(transparent)]
    Read(#[from] rusqlite::Error),
    /// It was not written.
    #[error(transparent)]
    Write(#[from] WriteError<rusqlite::Error>),
}

/// What a ledger adds up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LedgerSums {
    /// Payments made.
    pub paid: u64,
    /// Their amounts together.
    pub amount_minor: i64,
    /// Ids that were paid more than once.
    pub twice: u64,
    /// Payments that wait to be made.
    pub queued: u64,
    /// How often it was asked to pay.
    pub asked: u64,
}

/// What became of a request to pay.
pub(super) enum Taken {
    /// It is paid or queued, now or before.
    Status(PaymentStatus),
    /// Its id has another amount.
    Differs,
}

/// The ledger on disk.
pub(super) struct Ledger(Database);

impl Ledger {
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let options = Options { migrations: MIGRATIONS, ..Options::default() };
        Ok(Self(Database::open(path, options)?.0))
    }

    pub fn close(&self) {
        if let Err(error) = self.0.clone().close() {
            tracing::warn!(%error, "the bank's ledger did not close well");
        }
    }

    /// Pays, or queues until an instant, unless its id is known.
    pub async fn pay(
        &self,
        request: PayRequest,
        now: Timestamp,
        due_at: Option<Timestamp>,
        remembers: bool,
    ) -> Result<Taken, BankFailure> {
        let work = move |db: &Connection| {
            let known = if remembers { known(db, &request.id)? } else { None };
            match known {
                Some((no, amount)) if amount == request.amount_minor.0 => {
                    db.execute("UPDATE payments SET asked = asked + 1 WHERE no = ?1", [no])?;
                }
                Some(_) => return Ok(Taken::Differs),
                None => take(db, &request, now, due_at)?,
            }
            make_due(db, now)?;
            Ok(Taken::Status(status(db, &request.id)?))
        };
        Ok(self.0.write_async(work).await?)
    }

    /// What became of ids.
    pub async fn query(
        &self,
        ids: Vec<String>,
        now: Timestamp,
    ) -> Result<Vec<PaymentStatus>, BankFailure> {
        self.make_due(now).await?;
        let work = move |db: &Connection| ids.iter().map(|id| status(db, id)).collect();
        Ok(self.0.read_async::<_, rusqlite::Error>(work).await?)
    }

    /// What was made in a stretch of time.
    pub async fn statement(
        &self,
        asked: StatementRequest,
        now: Timestamp,
    ) -> Result<Vec<StatementLine>, BankFailure> {
        self.make_due(now).await?;
        let work = move |db: &Connection| lines(db, &asked);
        Ok(self.0.read_async::<_, rusqlite::Error>(work).await?)
    }

    pub async fn sums(&self, now: Timestamp) -> Result<LedgerSums, BankFailure> {
        self.make_due(now).await?;
        Ok(self.0.read_async::<_, rusqlite::Error>(sums).await?)
    }

    /// Makes the payments that are due. Most often there is none, and a look costs no commit.
    async fn make_due(&self, now: Timestamp) -> Result<(), BankFailure> {
        let now_ms = now.as_millisecond();
        let look = move |db: &Connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM payments WHERE due_at <= ?1)";
            db.prepare_cached(sql)?.query_row([now_ms], |row| row.get::<_, bool>(0))
        };
        if self.0.look_up_async::<_, rusqlite::Error>(look).await? {
            self.0.write_async(move |db: &Connection| make_due(db, now)).await?;
        }
        Ok(())
    }
}

fn known(db: &Connection, id: &str) -> Result<Option<(i64, i64)>, rusqlite::Error> {
    let sql = "SELECT no, amount_minor FROM payments WHERE id = ?1";
    db.prepare_cached(sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

fn take(
    db: &Connection,
    request: &PayRequest,
    now: Timestamp,
    due_at: Option<Timestamp>,
) -> Result<(), rusqlite::Error> {
    let parts = serde_json::to_string(&request.parts).unwrap_or_default();
    let due_at = due_at.unwrap_or(now).as_millisecond();
    let sql = "INSERT INTO payments (id, amount_minor, parts, due_at) VALUES (?1, ?2, ?3, ?4)";
    let params = params![request.id, request.amount_minor.0, parts, due_at];
    db.prepare_cached(sql)?.execute(params).map(drop)
}

fn make_due(db: &Connection, now: Timestamp) -> Result<(), rusqlite::Error> {
    let now = now.as_millisecond();
    let post = "INSERT INTO postings (payment, id, amount_minor, made_at)
        SELECT no, id, amount_minor, ?1 FROM payments WHERE due_at <= ?1 ORDER BY no";
    db.prepare_cached(post)?.execute([now])?;
    let done = "UPDATE payments SET due_at = NULL WHERE due_at <= ?1";
    db.prepare_cached(done)?.execute([now]).map(drop)
}

fn status(db: &Connection, id: &str) -> Result<PaymentStatus, rusqlite::Error> {
    let sql = "SELECT amount_minor, due_at IS NULL FROM payments WHERE id = ?1 ORDER BY no LIMIT 1";
    let found = db
        .prepare_cached(sql)?
        .query_row([id], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?)))
        .optional()?;
    let status = match found {
        Some((_, true)) => Status::Paid,
        Some((_, false)) => Status::Queued,
        None => Status::Unknown,
    };
    let amount_minor = found.map(|(amount, _)| Minor(amount));
    Ok(PaymentStatus { id: id.to_owned(), status, reason: None, amount_minor })
}

fn lines(db: &Connection, asked: &StatementRequest) -> Result<Vec<StatementLine>, rusqlite::Error> {
    let sql = "SELECT no, id, amount_minor FROM postings
        WHERE no > ?1 AND made_at >= ?2 AND made_at < ?3 ORDER BY no LIMIT ?4";
    let params = params![
        asked.past,
        asked.from.as_millisecond(),
        asked.until.as_millisecond(),
        i64::from(asked.limit)
    ];
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map(params, |row| {
        Ok(StatementLine { no: row.get(0)?, id: row.get(1)?, amount_minor: Minor(row.get(2)?) })
    })?;
    rows.collect()
}

fn sums(db: &Connection) -> Result<LedgerSums, rusqlite::Error> {
    let sql = "SELECT (SELECT count(*) FROM postings),
        (SELECT coalesce(sum(amount_minor), 0) FROM postings),
        (SELECT count(*) FROM (SELECT 1 FROM postings GROUP BY id HAVING count(*) > 1)),
        (SELECT count(*) FROM payments WHERE due_at IS NOT NULL),
        (SELECT coalesce(sum(asked), 0) FROM payments)";
    let count = |row: &rusqlite::Row<'_>, at| row.get::<_, i64>(at).map(i64::unsigned_abs);
    db.query_row(sql, [], |row| {
        Ok(LedgerSums {
            paid: count(row, 0)?,
            amount_minor: row.get(1)?,
            twice: count(row, 2)?,
            queued: count(row, 3)?,
            asked: count(row, 4)?,
        })
    })
}
