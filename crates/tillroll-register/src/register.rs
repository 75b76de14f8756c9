//! The facade itself: what it holds, and how its parts are reached.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use tillroll_domain::business_day::BusinessCalendar;
use tillroll_domain::clock::Clock;
use tillroll_escpos::typeset::Typesetter;
use tillroll_machine::FolderLock;
use tillroll_paper::fonts::DocumentFonts;
use tillroll_spooler::Spooler;
use tillroll_store::{RegisterSettings, Store};
use tokio::task::JoinHandle;

use crate::assets::Logos;
use crate::cloud::CloudSeat;
use crate::known_clients::KnownClients;
use crate::limits::Limits;
use crate::view::HealthView;

/// A running register. Cheap to clone. [`Register::stop`] ends it for every clone and frees the folder;
/// without it the last clone does.
#[derive(Clone)]
pub struct Register {
    inner: Arc<Inner>,
}

struct Inner {
    parts: Parts,
    access: Mutex<KnownClients>,
    limits: Limits,
    cloud: CloudSeat,
    keeping: Mutex<Vec<JoinHandle<()>>>,
    changing_settings: tokio::sync::Mutex<()>,
    previews: OnceLock<Arc<Mutex<Typesetter>>>,
    making_documents: Arc<tokio::sync::Mutex<()>>,
    stopped: AtomicBool,
}

/// What a register is made of.
pub(crate) struct Parts {
    pub folder: PathBuf,
    pub lock: Mutex<Option<FolderLock>>,
    pub settings: RegisterSettings,
    pub calendar: BusinessCalendar,
    pub logos: Logos,
    pub spooler: Spooler,
    /// Fonts were found at the start.
    pub has_fonts: bool,
    pub document_fonts: DocumentFonts,
    /// Limits of what waits for the head office.
    pub sync: tillroll_sync::Timings,
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
            cloud: CloudSeat::default(),
            keeping: Mutex::default(),
            changing_settings: tokio::sync::Mutex::default(),
            previews: OnceLock::new(),
            making_documents: Arc::default(),
            stopped: AtomicBool::new(false),
        };
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn downgrade(&self) -> WeakRegister {
        WeakRegister(Arc::downgrade(&self.inner))
    }

    pub(crate) fn keep(&self, keeping: JoinHandle<()>) {
        self.keeping().push(keeping);
    }

    pub(crate) fn end_keeping(&self) {
        for keeping in self.keeping().drain(..) {
            keeping.abort();
        }
    }

    fn keeping(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.inner.keeping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether [`Register::stop`] was called, on whichever clone.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.inner.stopped.load(Relaxed)
    }

    pub(crate) fn note_stopped(&self) {
        self.inner.stopped.store(true, Relaxed);
    }

    /// Another program may run the register of this folder.
    pub(crate) fn free_folder(&self) {
        self.inner.parts.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
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

    /// Whether it can take receipts and print them.
    #[must_use]
    pub fn health(&self) -> HealthView {
        HealthView::of(self.store().health().condition, self.inner.parts.has_fonts)
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

    /// The place of the head office's workers.
    pub(crate) fn cloud_seat(&self) -> &CloudSeat {
        &self.inner.cloud
    }

    pub(crate) fn sync_timings(&self) -> &tillroll_sync::Timings {
        &self.inner.parts.sync
    }

    /// Sets previews, so that no printer waits for a picture that somebody looks at. Made when the first
    /// is wanted.
    pub(crate) fn preview_typesetter(&self) -> Arc<Mutex<Typesetter>> {
        let sibling = || {
            let printing = &self.spooler().context().stationery.typesetter;
            let printing = printing.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::new(Mutex::new(printing.sibling()))
        };
        Arc::clone(self.inner.previews.get_or_init(sibling))
    }

    /// Where the fonts of documents lie.
    pub(crate) fn document_fonts(&self) -> &DocumentFonts {
        &self.inner.parts.document_fonts
    }

    /// Documents are made one at a time.
    pub(crate) fn making_documents(&self) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(&self.inner.making_documents)
    }

    /// Settings of printers are read, changed and written back by one at a time.
    pub(crate) async fn changing_settings(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.inner.changing_settings.lock().await
    }

    /// Rings the bell of every worker.
    pub(crate) async fn wake_all(&self) {
        if let Ok(printers) = self.store().printers().await {
            for printer in printers {
                self.store().feed().wake(printer.id);
            }
        }
    }

    /// Clients whose token was checked.
    pub(crate) fn access(&self) -> MutexGuard<'_, KnownClients> {
        self.inner.access.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
