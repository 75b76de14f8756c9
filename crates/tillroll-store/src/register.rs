//! The one row about this register: who it is, its settings, its epoch and number floors.

use serde::{Deserialize, Serialize};
use tillroll_domain::business_day::BusinessCalendar;
use tillroll_domain::ids::Part;
use tillroll_domain::money::Currency;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{first, word};
use crate::installation::Installation;
use crate::mark::Numbers;
use crate::{Store, StoreError, outbox_batch, sessions};

/// What is fixed at set-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterSettings {
    /// The store's name, first part of every job id.
    pub store: Part,
    /// This register's name.
    pub register: Part,
    /// Time zone of the store, a name of the zone database.
    pub zone: String,
    /// When the business day begins, `04:00`.
    pub cutoff: String,
    /// The store's currency.
    pub currency: Currency,
    /// Language of the paper: `zh-CN`, `en`, `fr`, `de`.
    pub locale: String,
}

impl RegisterSettings {
    /// The calendar these settings make.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] when zone or cut-off are not known to this program.
    pub fn calendar(&self) -> Result<BusinessCalendar, StoreError> {
        BusinessCalendar::parse(&self.zone, &self.cutoff).map_err(StoreError::unreadable)
    }
}

impl Store {
    /// The settings.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn settings(&self) -> Result<RegisterSettings, StoreError> {
        self.inner.database.read(settings)
    }
}

/// Writes the row at set-up; over one of a making that was cut off, never over a register in use.
pub(crate) fn create(db: &Connection, installation: &Installation) -> Result<(), StoreError> {
    if numbers(db)? != Numbers::default() {
        return Err(StoreError::AlreadyInitialised);
    }
    put(db, installation)
}

/// The row as the installation says it; floors that are there stay.
fn put(db: &Connection, installation: &Installation) -> Result<(), StoreError> {
    let settings = &installation.settings;
    db.execute(
        "INSERT INTO register (id, store, register, zone, cutoff, currency, locale, installation, epoch)
         VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (id) DO UPDATE SET store = excluded.store, register = excluded.register, zone = excluded.zone,
             cutoff = excluded.cutoff, currency = excluded.currency, locale = excluded.locale,
             installation = excluded.installation, epoch = excluded.epoch",
        params![
            settings.store.as_str(),
            settings.register.as_str(),
            settings.zone,
            settings.cutoff,
            settings.currency.code(),
            settings.locale,
            installation.id,
            installation.epoch
        ],
    )?;
    Ok(())
}

fn settings(db: &Connection) -> Result<RegisterSettings, StoreError> {
    let read = first(
        db,
        "SELECT store, register, zone, cutoff, currency, locale FROM register WHERE id = 1",
        [],
        |row| {
            Ok(RegisterSettings {
                store: word(row, "store")?,
                register: word(row, "register")?,
                zone: row.get("zone")?,
                cutoff: row.get("cutoff")?,
                currency: word(row, "currency")?,
                locale: row.get("locale")?,
            })
        },
    )?;
    read.ok_or(StoreError::NotInitialised)
}

/// Installation id and epoch as the database knows them; `None` when the row is lost.
pub(crate) fn identity(db: &Connection) -> Result<Option<(String, u32)>, StoreError> {
    first(db, "SELECT installation, epoch FROM register WHERE id = 1", [], |row| {
        Ok((row.get("installation")?, row.get("epoch")?))
    })
}

/// The last numbers the database gave out, not below its floors.
pub(crate) fn numbers(db: &Connection) -> Result<Numbers, StoreError> {
    let one = |sql| Ok::<i64, StoreError>(db.prepare_cached(sql)?.query_row([], |row| row.get(0))?);
    Ok(Numbers {
        flow_no: one(LAST_FLOW_NO)?,
        attempt: one(LAST_ATTEMPT)?,
        answer: one(LAST_ANSWER)?,
        z_no: one(LAST_Z_NO)?,
    })
}

/// The last flow number given out.
pub(crate) const LAST_FLOW_NO: &str = "SELECT max(coalesce((SELECT max(flow_no) FROM receipts), 0), coalesce((SELECT flow_floor FROM register), 0))";
/// The last attempt begun.
pub(crate) const LAST_ATTEMPT: &str = "SELECT max(coalesce((SELECT max(id) FROM attempts), 0), coalesce((SELECT attempt_floor FROM register), 0))";
/// The last answer recorded.
pub(crate) const LAST_ANSWER: &str = "SELECT max(coalesce((SELECT max(id) FROM answers), 0), coalesce((SELECT answer_floor FROM register), 0))";

/// The last Z number given to a session.
pub(crate) const LAST_Z_NO: &str = "SELECT max(coalesce((SELECT max(z_no) FROM sessions), 0), coalesce((SELECT z_floor FROM register), 0))";

/// The number after the last one of a query above.
pub(crate) fn next_number(db: &Connection, last: &str) -> Result<i64, StoreError> {
    let last: i64 = db.prepare_cached(last)?.query_row([], |row| row.get(0))?;
    Ok(last + 1)
}

/// Begins an epoch: numbers go on above the floors. A row that is lost, or another register's, is
/// written anew.
pub(crate) fn begin_epoch(
    db: &Connection,
    installation: &Installation,
    above: Numbers,
) -> Result<(), StoreError> {
    put(db, installation)?;
    raise_floors(db, above)?;
    sessions::renumber_open(db)
}

/// Another machine gave out numbers as this register: they go on above them. Returns whether they were
/// higher than those of this machine.
pub(crate) fn go_on_above(db: &Connection, above: Numbers) -> Result<bool, StoreError> {
    if numbers(db)?.flow_no >= above.flow_no {
        return Ok(false);
    }
    outbox_batch::freeze(db)?;
    raise_floors(db, above)?;
    sessions::renumber_open(db)?;
    Ok(true)
}

fn raise_floors(db: &Connection, above: Numbers) -> Result<(), StoreError> {
    db.execute(
        "UPDATE register SET flow_floor = max(flow_floor, ?1), attempt_floor = max(attempt_floor, ?2),
             answer_floor = max(answer_floor, ?3), z_floor = max(z_floor, ?4)",
        params![above.flow_no, above.attempt, above.answer, above.z_no],
    )?;
    Ok(())
}
