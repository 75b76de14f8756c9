//! The facade itself: what it holds, and how its parts are reached.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tillroll_domain::business_day::BusinessCalendar;
use tillroll_domain::clock::Clock;
use tillroll_spooler::Spooler;
use tillroll_store::{RegisterSettings, Store};
use tokio::task::JoinHandle;

use crate::Access;
use crate::assets::Logos;
use crate::folder::FolderLock;
use crate::limits::Limits;

/// A running register. Cheap to clone; the last clone frees the folder.
#[derive(Clone)]
pub struct Register {
    inner: Arc<Inner>,
}

struct Inner {
    parts: Parts,
    access: Mutex<BTreeMap<[u8; 32], Access>>,
    limits: Limits,
    keeping: Mutex<Option<JoinHandle<()>>>,
}

/// What a register is made of.
pub(crate) struct Parts {
    pub folder: PathBuf,
    #[expect(dead_code, reason = "held, not read: the folder is locked while it lives")]
    pub lock: FolderLock,
    pub settings: RegisterSettings,
    pub calendar: BusinessCalendar,
    pub logos: Logos,
    pub spooler: Spooler,
}

/// A register that may have ended.
pub(crate) struct WeakRegister(Weak<Inner>);

impl WeakRegister {
    pub(crate) fn upgrade(&self) -> Option<Register> {
        self.0.upgrade().map(|inner| Register { inner })
    }
}

impl Register {
    pub(crate) fn assemble(parts: Parts) -> Self {
        let inner = Inner {
            parts,
            access: Mutex::default(),
            limits: Limits::default(),
            keeping: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn downgrade(&self) -> WeakRegister {
        WeakRegister(Arc::downgrade(&self.inner))
    }

    pub(crate) fn keep(&self, keeping: JoinHandle<()>) {
        *self.inner.keeping.lock().unwrap_or_else(PoisonError::into_inner) = Some(keeping);
    }

    pub(crate) fn end_keeping(&self) {
        let keeping = self.inner.keeping.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(keeping) = keeping {
            keeping.abort();
        }
    }

    /// The durable state.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.spooler().context().store
    }

    /// The workers.
    #[must_use]
    pub fn spooler(&self) -> &Spooler {
        &self.inner.parts.spooler
    }

    /// Both clocks.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        self.spooler().context().clock.as_ref()
    }

    /// Who and where this register is.
    #[must_use]
    pub fn settings(&self) -> &RegisterSettings {
        &self.inner.parts.settings
    }

    /// Its business days.
    #[must_use]
    pub fn calendar(&self) -> &BusinessCalendar {
        &self.inner.parts.calendar
    }

    /// Its data folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.inner.parts.folder
    }

    pub(crate) fn logos(&self) -> &Logos {
        &self.inner.parts.logos
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// Rings the bell of every worker.
    pub(crate) async fn wake_all(&self) {
        if let Ok(printers) = self.store().printers().await {
            for printer in printers {
                self.store().feed().wake(printer.id);
            }
        }
    }

    /// A client whose token was checked before; bounded by the number of clients.
    pub(crate) fn known_access(&self, hash: &[u8; 32]) -> Option<Access> {
        self.access().get(hash).cloned()
    }

    pub(crate) fn remember_access(&self, hash: [u8; 32], access: Access) {
        self.access().insert(hash, access);
    }

    /// Rights changed: everything is looked up again.
    pub(crate) fn forget_access(&self) {
        self.access().clear();
    }

    fn access(&self) -> std::sync::MutexGuard<'_, BTreeMap<[u8; 32], Access>> {
        self.inner.access.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
