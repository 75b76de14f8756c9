//! Openings of the drawer without a sale: who, why, when, and what became of each. Recorded before the
//! pulse is asked for, settled by whoever gave it or let it go.

use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{all, at, ms, word};
use crate::feed::Hint;
use crate::{ClientId, PrinterId, Store, StoreError};

/// Row of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpeningId(pub i64);

/// An opening that is asked for.
#[derive(Debug, Clone)]
pub struct NewDrawerOpening {
    /// The printer whose drawer it is.
    pub printer: PrinterId,
    /// Who asked.
    pub client: Option<ClientId>,
    /// Why.
    pub reason: String,
    /// The business day.
    pub day: Date,
}

/// What became of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningOutcome {
    /// Its pulse is still to be given.
    Due,
    /// Its pulse was given.
    Opened,
    /// The printer could not take it in time; it does not come later.
    Dropped,
    /// The link broke at the pulse: nobody knows.
    Unconfirmed,
}

impl OpeningOutcome {
    const ALL: [Self; 4] = [Self::Due, Self::Opened, Self::Dropped, Self::Unconfirmed];

    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Opened => "opened",
            Self::Dropped => "dropped",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}

impl FromStr for OpeningOutcome {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
            .ok_or_else(|| StoreError::unreadable(text))
    }
}

/// An opening as recorded.
#[derive(Debug, Clone)]
pub struct DrawerOpening {
    /// Name of the printer whose drawer it is.
    pub printer: String,
    /// Who asked.
    pub client: Option<String>,
    /// Why.
    pub reason: String,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// What became of it.
    pub outcome: OpeningOutcome,
}

impl Store {
    /// Records an opening before its pulse is asked for.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn record_drawer_opening(
        &self,
        opening: NewDrawerOpening,
        now: Timestamp,
    ) -> Result<OpeningId, StoreError> {
        let id = self.write(move |db| insert(db, &opening, now)).await?;
        self.feed().hint(Hint::Day);
        Ok(id)
    }

    /// Records what became of an opening; one that is settled already stays as it is.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn settle_drawer_opening(
        &self,
        id: OpeningId,
        outcome: OpeningOutcome,
    ) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "UPDATE drawer_openings SET outcome = ?2 WHERE id = ?1 AND outcome = 'due'",
                params![id.0, outcome.as_str()],
            )?;
            Ok(())
        })
        .await?;
        self.feed().hint(Hint::Day);
        Ok(())
    }

    /// The openings of a day, first to last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn drawer_openings(&self, day: Date) -> Result<Vec<DrawerOpening>, StoreError> {
        self.read(move |db| of_day(db, day)).await
    }
}

fn insert(
    db: &Connection,
    opening: &NewDrawerOpening,
    now: Timestamp,
) -> Result<OpeningId, StoreError> {
    db.execute(
        "INSERT INTO drawer_openings (printer, client, reason, business_day, opened_at, outcome)
         VALUES (?1, ?2, ?3, ?4, ?5, 'due')",
        params![
            opening.printer.0,
            opening.client.map(|client| client.0),
            opening.reason,
            opening.day.to_string(),
            ms(now)
        ],
    )?;
    Ok(OpeningId(db.last_insert_rowid()))
}

/// A pulse that was due when the program ended is not given by the next one.
pub(crate) fn drop_due(db: &Connection) -> Result<(), StoreError> {
    db.execute("UPDATE drawer_openings SET outcome = 'dropped' WHERE outcome = 'due'", [])?;
    Ok(())
}

/// Whether any is due.
pub(crate) fn is_any_due(db: &Connection) -> Result<bool, StoreError> {
    Ok(db.prepare("SELECT 1 FROM drawer_openings WHERE outcome = 'due'")?.exists([])?)
}

/// The openings of a day.
pub(crate) const OF_DAY: &str =
    "SELECT p.name AS printer, c.name AS client, o.reason, o.opened_at, o.outcome
    FROM drawer_openings o JOIN printers p ON p.id = o.printer LEFT JOIN clients c ON c.id = o.client
    WHERE o.business_day = ?1 ORDER BY o.id";

fn of_day(db: &Connection, day: Date) -> Result<Vec<DrawerOpening>, StoreError> {
    all(db, OF_DAY, [day.to_string()], |row| {
        Ok(DrawerOpening {
            printer: row.get("printer")?,
            client: row.get("client")?,
            reason: row.get("reason")?,
            asked_at: at(row, "opened_at")?,
            outcome: word(row, "outcome")?,
        })
    })
}
