//! Printers as set up: where they are, what they can prove, what their owner chose.

use jiff::Timestamp;
use tillroll_domain::ids::{JobKind, Part};
use tillroll_domain::print_job::{Event, JobState};
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use crate::columns::{all, first, ms, word};
use crate::feed::Hint;
use crate::known_printers::Wanted;
use crate::{Store, StoreError, print_jobs, routes, unreadable};

/// Row of a printer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrinterId(pub i64);

/// A printer to add, or the new settings of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPrinter {
    /// Its name, unique at this register.
    pub name: Part,
    /// Where it is: `tcp://host:9100`, ...
    pub uri: String,
    /// Its profile.
    pub profile: String,
    /// Columns, where they differ from the profile's.
    pub columns: Option<u32>,
    /// What it can prove.
    pub level: ConfirmationLevel,
    /// What its owner chose for jobs without proof.
    pub unproven: Unproven,
    /// Drawer connector pin: 0 is pin 2, 1 is pin 5.
    pub drawer_pin: u8,
}

/// A printer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printer {
    /// Its row.
    pub id: PrinterId,
    /// Its settings.
    pub settings: NewPrinter,
    /// A person paused it.
    pub paused: bool,
}

impl Store {
    /// Adds a printer. The first one becomes the route of every kind.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when the name is in use.
    pub async fn add_printer(&self, printer: NewPrinter) -> Result<PrinterId, StoreError> {
        let name = printer.name.to_string();
        let id = self.write_printers(move |db| add(db, &printer)).await?;
        self.feed().hint(Hint::Printer { name });
        Ok(id)
    }

    /// Changes a printer's settings, not its name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without such a printer.
    pub async fn change_printer(&self, printer: NewPrinter) -> Result<(), StoreError> {
        let name = printer.name.to_string();
        self.write_printers(move |db| change(db, &printer)).await?;
        self.feed().hint(Hint::Printer { name });
        Ok(())
    }

    /// Pauses or resumes a printer.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without such a printer.
    pub async fn pause_printer(&self, id: PrinterId, paused: bool) -> Result<(), StoreError> {
        self.write_printers(move |db| {
            let changed = db.execute(
                "UPDATE printers SET paused = ?2 WHERE id = ?1 AND removed_at IS NULL",
                params![id.0, paused],
            )?;
            if changed == 1 { Ok(()) } else { Err(StoreError::not_found("printer", id.0)) }
        })
        .await?;
        self.feed().wake(id);
        Ok(())
    }

    /// Removes a printer: its waiting jobs become failed (their printer was removed), its routes go to the
    /// oldest printer that is left.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], or [`StoreError::Forbidden`] while a job is at the device.
    pub async fn remove_printer(&self, id: PrinterId, now: Timestamp) -> Result<(), StoreError> {
        self.write_printers(move |db| remove(db, id, now)).await?;
        self.feed().wake(id);
        Ok(())
    }

    /// Every printer that is not removed, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn printers(&self) -> Result<Vec<Printer>, StoreError> {
        self.read(|db| {
            let sql = format!("{SELECT} WHERE removed_at IS NULL ORDER BY id");
            all(db, &sql, [], printer)
        })
        .await
    }

    /// The printer of that name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without such a printer.
    pub async fn printer_named(&self, name: String) -> Result<Printer, StoreError> {
        self.read(move |db| named(db, &name)).await
    }

    /// The printer of that row.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when it was removed.
    pub async fn printer_of(&self, id: PrinterId) -> Result<Printer, StoreError> {
        self.read(move |db| by_id(db, id)).await
    }

    /// The printer to use: the one named, or the route of the kind.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is none.
    pub async fn printer_for(
        &self,
        kind: JobKind,
        name: Option<String>,
    ) -> Result<Printer, StoreError> {
        let wanted = (kind, name);
        let (known, generation) = self.inner.known_printers.get(&wanted);
        if let Some(printer) = known {
            return Ok(printer);
        }
        let asked = wanted.clone();
        let printer = self.read(move |db| wanted_printer(db, &asked)).await?;
        self.inner.known_printers.remember(generation, wanted, &printer);
        Ok(printer)
    }
}

fn wanted_printer(db: &Connection, (kind, name): &Wanted) -> Result<Printer, StoreError> {
    match name {
        Some(name) => named(db, name),
        None => by_id(db, routes::printer_of(db, *kind)?),
    }
}

const SELECT: &str =
    "SELECT id, name, uri, profile, columns, level, unproven, drawer_pin, paused FROM printers";

fn add(db: &Connection, printer: &NewPrinter) -> Result<PrinterId, StoreError> {
    let name = printer.name.as_str();
    let taken: bool = db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM printers WHERE name = ?1 AND removed_at IS NULL)",
        )?
        .query_row([name], |row| row.get(0))?;
    if taken {
        return Err(StoreError::Taken { what: "printer", name: name.to_owned() });
    }
    release_name(db, name)?;
    db.execute(
        "INSERT INTO printers (name, uri, profile, columns, level, unproven, drawer_pin)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            name,
            printer.uri,
            printer.profile,
            printer.columns,
            printer.level.as_str(),
            printer.unproven.as_str(),
            printer.drawer_pin
        ],
    )?;
    let id = PrinterId(db.last_insert_rowid());
    routes::fill_missing(db, id)?;
    Ok(id)
}

/// A removed printer keeps its row for the story of its jobs, but not its name.
fn release_name(db: &Connection, name: &str) -> Result<(), StoreError> {
    db.execute(
        "UPDATE printers SET name = name || '~removed~' || id WHERE name = ?1 AND removed_at IS NOT NULL",
        [name],
    )?;
    Ok(())
}

fn change(db: &Connection, printer: &NewPrinter) -> Result<(), StoreError> {
    let changed = db.execute(
        "UPDATE printers SET uri = ?2, profile = ?3, columns = ?4, level = ?5, unproven = ?6, drawer_pin = ?7
         WHERE name = ?1 AND removed_at IS NULL",
        params![
            printer.name.as_str(),
            printer.uri,
            printer.profile,
            printer.columns,
            printer.level.as_str(),
            printer.unproven.as_str(),
            printer.drawer_pin
        ],
    )?;
    if changed == 1 { Ok(()) } else { Err(StoreError::not_found("printer", &printer.name)) }
}

fn remove(db: &Connection, id: PrinterId, now: Timestamp) -> Result<(), StoreError> {
    let jobs = print_jobs::of_printer(db, id, &[JobState::Printing])?;
    if !jobs.is_empty() {
        return Err(StoreError::Forbidden("a job is at the printer: wait for its answer"));
    }
    let changed = db.execute(
        "UPDATE printers SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL",
        params![id.0, ms(now)],
    )?;
    if changed != 1 {
        return Err(StoreError::not_found("printer", id.0));
    }
    db.execute("DELETE FROM routes WHERE printer = ?1", [id.0])?;
    routes::fill_from_oldest(db)?;
    unreadable::set_aside_all(db, now)?;
    for job in print_jobs::of_printer(db, id, &[JobState::Pending, JobState::Held])? {
        print_jobs::apply(db, &job, Event::PrinterRemoved, now, 0)?;
    }
    Ok(())
}

pub(crate) fn named(db: &Connection, name: &str) -> Result<Printer, StoreError> {
    let sql = format!("{SELECT} WHERE name = ?1 AND removed_at IS NULL");
    first(db, &sql, [name], printer)?.ok_or_else(|| StoreError::not_found("printer", name))
}

/// Refuses a printer that was removed: nobody would print there.
pub(crate) fn require(db: &Connection, id: PrinterId) -> Result<(), StoreError> {
    let mut statement =
        db.prepare_cached("SELECT 1 FROM printers WHERE id = ?1 AND removed_at IS NULL")?;
    if statement.exists([id.0])? {
        return Ok(());
    }
    Err(StoreError::Forbidden("its printer was removed: send it to another"))
}

fn by_id(db: &Connection, id: PrinterId) -> Result<Printer, StoreError> {
    let sql = format!("{SELECT} WHERE id = ?1 AND removed_at IS NULL");
    first(db, &sql, [id.0], printer)?.ok_or_else(|| StoreError::not_found("printer", id.0))
}

fn printer(row: &Row<'_>) -> Result<Printer, StoreError> {
    Ok(Printer {
        id: PrinterId(row.get("id")?),
        settings: NewPrinter {
            name: word(row, "name")?,
            uri: row.get("uri")?,
            profile: row.get("profile")?,
            columns: row.get("columns")?,
            level: word(row, "level")?,
            unproven: word(row, "unproven")?,
            drawer_pin: row.get("drawer_pin")?,
        },
        paused: row.get("paused")?,
    })
}
