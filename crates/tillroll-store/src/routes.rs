//! Which printer prints which kind. The first printer added is the route of every kind.

use tillroll_domain::ids::JobKind;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{all, first, word};
use crate::{PrinterId, Store, StoreError, printers};

impl Store {
    /// Every route: kind and printer name, by kind.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn routes(&self) -> Result<Vec<(JobKind, String)>, StoreError> {
        self.read(|db| {
            all(db, "SELECT kind, name FROM routes JOIN printers ON printers.id = routes.printer ORDER BY kind", [], |row| Ok((word(row, "kind")?, row.get("name")?)))
        })
        .await
    }

    /// Sends a kind to a printer from now on.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without such a printer.
    pub async fn set_route(&self, kind: JobKind, printer: String) -> Result<(), StoreError> {
        self.write_printers(move |db| {
            let printer = printers::named(db, &printer)?;
            db.execute(
                "INSERT INTO routes (kind, printer) VALUES (?1, ?2)
                 ON CONFLICT (kind) DO UPDATE SET printer = excluded.printer",
                params![kind.as_str(), printer.id.0],
            )?;
            Ok(())
        })
        .await
    }
}

pub(crate) fn printer_of(db: &Connection, kind: JobKind) -> Result<PrinterId, StoreError> {
    first(db, "SELECT printer FROM routes WHERE kind = ?1", [kind.as_str()], |row| {
        Ok(PrinterId(row.get("printer")?))
    })?
    .ok_or_else(|| StoreError::not_found("printer for kind", kind))
}

/// Routes every kind that has no printer to this one.
pub(crate) fn fill_missing(db: &Connection, printer: PrinterId) -> Result<(), StoreError> {
    let mut statement =
        db.prepare_cached("INSERT OR IGNORE INTO routes (kind, printer) VALUES (?1, ?2)")?;
    for kind in JobKind::ALL {
        statement.execute(params![kind.as_str(), printer.0])?;
    }
    Ok(())
}

/// Routes every kind that has no printer to the oldest one; nothing happens without any.
pub(crate) fn fill_from_oldest(db: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT id FROM printers WHERE removed_at IS NULL ORDER BY id LIMIT 1";
    match first(db, sql, [], |row| Ok(PrinterId(row.get(0)?)))? {
        Some(oldest) => fill_missing(db, oldest),
        None => Ok(()),
    }
}
