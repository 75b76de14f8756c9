//! The drawer opened without a sale: who, why, when.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::params;

use crate::columns::ms;
use crate::{ClientId, PrinterId, Store, StoreError};

/// An opening without a sale.
#[derive(Debug, Clone)]
pub struct DrawerOpening {
    /// The printer whose drawer it is.
    pub printer: PrinterId,
    /// Who asked.
    pub client: Option<ClientId>,
    /// Why.
    pub reason: String,
}

impl Store {
    /// Records an opening before the pulse is given.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn record_drawer_opening(
        &self,
        opening: DrawerOpening,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "INSERT INTO drawer_openings (printer, client, reason, opened_at) VALUES (?1, ?2, ?3, ?4)",
                params![
                    opening.printer.0,
                    opening.client.map(|client| client.0),
                    opening.reason,
                    ms(now)
                ],
            )?;
            Ok(())
        })
        .await
    }
}
