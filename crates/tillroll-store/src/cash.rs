//! Cash in the drawer that is no sale: float, paid in, paid out, and the count.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::money::Minor;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{all, at, ms, word};
use crate::feed::Hint;
use crate::mark::Numbers;
use crate::{ClientId, Store, StoreError, sessions};

/// What a movement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MovementKind {
    /// In the drawer at the start of the session; the last one counts.
    Float,
    /// Put in without a sale.
    PaidIn,
    /// Taken out without a refund.
    PaidOut,
    /// Counted; the last one counts.
    Count,
}

impl MovementKind {
    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::PaidIn => "paid_in",
            Self::PaidOut => "paid_out",
            Self::Count => "count",
        }
    }
}

impl std::str::FromStr for MovementKind {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        [Self::Float, Self::PaidIn, Self::PaidOut, Self::Count]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| StoreError::unreadable(text))
    }
}

/// A movement of cash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CashMovement {
    /// What it is.
    pub kind: MovementKind,
    /// How much, never negative.
    pub amount: Minor,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub moved_at: Timestamp,
}

impl Store {
    /// Records a movement in the open session of a day, beginning one when there is none.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn record_cash(
        &self,
        day: Date,
        movement: CashMovement,
        client: Option<ClientId>,
    ) -> Result<(), StoreError> {
        let session = self
            .write(move |db| {
                let session = sessions::open_session(db, day, movement.moved_at)?;
                insert(db, session, &movement, client)?;
                Ok(session)
            })
            .await?;
        self.note(Numbers { z_no: session, ..Numbers::default() });
        self.feed().hint(Hint::Day);
        Ok(())
    }
}

/// Writes a movement into a session.
pub(crate) fn insert(
    db: &Connection,
    session: i64,
    movement: &CashMovement,
    client: Option<ClientId>,
) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO cash_movements (session, kind, amount_minor, reason, client, moved_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            session,
            movement.kind.as_str(),
            movement.amount.0,
            movement.reason,
            client.map(|client| client.0),
            ms(movement.moved_at)
        ],
    )?;
    Ok(())
}

pub(crate) fn of_session(db: &Connection, session: i64) -> Result<Vec<CashMovement>, StoreError> {
    all(
        db,
        "SELECT kind, amount_minor, reason, moved_at FROM cash_movements WHERE session = ?1 ORDER BY id",
        [session],
        |row| {
            Ok(CashMovement {
                kind: word(row, "kind")?,
                amount: Minor(row.get("amount_minor")?),
                reason: row.get("reason")?,
                moved_at: at(row, "moved_at")?,
            })
        },
    )
}
