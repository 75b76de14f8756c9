//! The seat of a printer's worker: whoever holds it is the only one to stop and start that worker, so
//! that two of them never stand at one printer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tillroll_store::{Printer, PrinterId};
use tokio::sync::OwnedMutexGuard;

use crate::spooler::{Spooler, SpoolerError};

/// The seats somebody holds or waits for.
#[derive(Default)]
pub(crate) struct Seats(Mutex<BTreeMap<PrinterId, Arc<tokio::sync::Mutex<()>>>>);

impl Seats {
    fn of(&self, printer: PrinterId) -> Arc<tokio::sync::Mutex<()>> {
        let mut seats = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seats.retain(|_, seat| Arc::strong_count(seat) > 1);
        Arc::clone(seats.entry(printer).or_default())
    }
}

/// The held seat of one printer's worker; given back when it is dropped.
pub struct Seat<'a> {
    spooler: &'a Spooler,
    printer: PrinterId,
    _held: OwnedMutexGuard<()>,
}

impl Spooler {
    /// Waits for the seat of a printer's worker.
    pub async fn seat(&self, printer: PrinterId) -> Seat<'_> {
        let held = self.seats().of(printer).lock_owned().await;
        Seat { spooler: self, printer, _held: held }
    }
}

impl Seat<'_> {
    /// Asks the worker to end, and waits until it has: a job at the device ends by its own limits.
    /// Whoever stops waiting has asked all the same.
    pub async fn vacate(&self) {
        self.spooler.drain(self.printer).await;
    }

    /// Starts a worker in the seat that was vacated.
    ///
    /// # Errors
    /// [`SpoolerError::Running`] when it was not; or the printer's settings cannot be used.
    pub fn start(&self, printer: Printer) -> Result<(), SpoolerError> {
        debug_assert_eq!(printer.id, self.printer, "another printer's seat");
        self.spooler.start(printer)
    }
}
