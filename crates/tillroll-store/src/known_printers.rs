//! Printers that were looked up for a sale, so that the next sale costs no look-up. Only printers that
//! were found are kept, so kinds and printers bound it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tillroll_domain::ids::JobKind;

use crate::Printer;

/// What a sale asks for: its kind, and the printer it names.
pub(crate) type Wanted = (JobKind, Option<String>);

/// Printers by what asked for them.
#[derive(Default)]
pub(crate) struct KnownPrinters(Mutex<Known>);

#[derive(Default)]
struct Known {
    generation: u64,
    printers: BTreeMap<Wanted, Printer>,
}

impl KnownPrinters {
    /// The printer, and the generation: it changes whenever printers or routes may have.
    pub(crate) fn get(&self, wanted: &Wanted) -> (Option<Printer>, u64) {
        let known = self.lock();
        (known.printers.get(wanted).cloned(), known.generation)
    }

    /// Keeps what was looked up, unless something changed since `generation`.
    pub(crate) fn remember(&self, generation: u64, wanted: Wanted, printer: &Printer) {
        let mut known = self.lock();
        if generation == known.generation {
            known.printers.insert(wanted, printer.clone());
        }
    }

    /// Printers or routes changed: all are looked up again.
    pub(crate) fn forget(&self) {
        let mut known = self.lock();
        known.generation += 1;
        known.printers.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
