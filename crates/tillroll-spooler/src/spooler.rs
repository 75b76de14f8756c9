//! All printers of the register: starts, stops and replaces their workers, and records receipts on the
//! short way to an idle printer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tillroll_domain::clock::Clock;
use tillroll_escpos::profile::{Profile, ProfileError};
use tillroll_store::{
    Claiming, DrawerState, NewReceipt, Printer, PrinterId, Recorded, Store, StoreError,
};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::device::{DeviceUri, UriError, VirtualPrinters};
use crate::ready::{Handed, Offer, Reception};
use crate::render::{Renderer, Stationery};
use crate::status::{Board, PrinterStatus};
use crate::timings::Timings;
use crate::worker::{Setup, supervise};

/// What every worker works with.
#[derive(Clone)]
pub struct Context {
    /// The queue.
    pub store: Store,
    /// Both clocks.
    pub clock: Arc<dyn Clock>,
    /// Limits.
    pub timings: Timings,
    /// What all paper has in common.
    pub stationery: Stationery,
    /// Printers inside this process.
    pub virtuals: VirtualPrinters,
    /// Draws a number for jitter.
    pub random: fn() -> u32,
}

/// Why a printer has no worker.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpoolerError {
    /// Its address cannot be read.
    #[error(transparent)]
    Uri(#[from] UriError),
    /// Its profile is not known.
    #[error("there is no printer profile {0:?}")]
    UnknownProfile(String),
    /// Its columns do not fit its profile.
    #[error(transparent)]
    Profile(#[from] ProfileError),
}

/// The running workers.
pub struct Spooler {
    context: Context,
    workers: Mutex<BTreeMap<PrinterId, Running>>,
}

struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
    reception: Reception,
    status: watch::Receiver<PrinterStatus>,
    /// Takes the boot clock of a pulse that is asked for.
    drawer: mpsc::Sender<Duration>,
    try_now: Arc<Notify>,
}

impl Spooler {
    /// A spooler without workers.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self { context, workers: Mutex::default() }
    }

    /// What its workers work with.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Starts the worker of a printer. One that runs already must have been stopped.
    ///
    /// # Errors
    /// [`SpoolerError`] when the printer's settings cannot be used.
    pub fn start(&self, printer: Printer) -> Result<(), SpoolerError> {
        let uri: DeviceUri = printer.settings.uri.parse()?;
        let renderer = renderer(&printer, &self.context.stationery)?;
        let id = printer.id;
        let board = Arc::new(Board::new(self.context.clock.now()));
        let (stop, reception) = (CancellationToken::new(), Reception::default());
        let try_now = Arc::<Notify>::default();
        let (drawer, pulses) = mpsc::channel(1);
        let status = board.watch();
        let setup = Setup {
            context: self.context.clone(),
            printer,
            uri,
            renderer,
            board,
            reception: reception.clone(),
            stop: stop.clone(),
            try_now: Arc::clone(&try_now),
        };
        let task = tokio::spawn(supervise(setup, pulses));
        let running = Running { stop, task, reception, status, drawer, try_now };
        self.workers().insert(id, running);
        Ok(())
    }

    /// Stops a printer's worker. A job at the device is given `limit` to be proved; after that its
    /// attempt stays open and is judged at the next start.
    pub async fn stop(&self, printer: PrinterId, limit: Duration) {
        let running = self.workers().remove(&printer);
        if let Some(running) = running {
            running.end(limit).await;
        }
    }

    /// Stops every worker, all at once.
    pub async fn stop_all(&self, limit: Duration) {
        let running = std::mem::take(&mut *self.workers());
        let ends: Vec<_> =
            running.into_values().map(|running| tokio::spawn(running.end(limit))).collect();
        for end in ends {
            // A task that only waits does not fail.
            let _ = end.await;
        }
    }

    /// What a printer is doing; `None` without a worker.
    #[must_use]
    pub fn status(&self, printer: PrinterId) -> Option<PrinterStatus> {
        self.watch(printer).map(|status| status.borrow().clone())
    }

    /// Watches what a printer is doing.
    #[must_use]
    pub fn watch(&self, printer: PrinterId) -> Option<watch::Receiver<PrinterStatus>> {
        self.workers().get(&printer).map(|running| running.status.clone())
    }

    /// Asks for a drawer pulse without a sale. One is given; false when the printer has no worker
    /// or another is still to be given.
    pub fn open_drawer(&self, printer: PrinterId) -> bool {
        let asked = match self.workers().get(&printer) {
            Some(running) => running.drawer.try_send(self.context.clock.boot()).is_ok(),
            None => false,
        };
        if asked {
            self.context.store.feed().wake(printer);
        }
        asked
    }

    /// Has a stopped printer tried at once, since a person wants that; false when it has no worker. New jobs
    /// alone do not end its wait.
    pub fn try_now(&self, printer: PrinterId) -> bool {
        let workers = self.workers();
        let Some(running) = workers.get(&printer) else { return false };
        // Not kept for a worker that does not wait: its printer is tried already.
        running.try_now.notify_waiters();
        true
    }

    /// Records a receipt; when its printer is idle and ready, claimed in the same commit.
    ///
    /// # Errors
    /// As [`Store::record_receipt`].
    pub async fn record(&self, mut new: NewReceipt) -> Result<Recorded, StoreError> {
        let offer = match new.held {
            None => self.workers().get(&new.printer).and_then(|running| running.reception.take()),
            Some(_) => None,
        };
        let Some(offer) = offer else { return self.context.store.record_receipt(new).await };
        let store = self.context.store.clone();
        // On its own task: a caller that goes away must not leave a claimed job behind.
        let recording = tokio::spawn(async move { record_claimed(&store, &mut new, offer).await });
        recording.await.unwrap_or(Err(StoreError::OutcomeUnknown))
    }

    fn workers(&self) -> std::sync::MutexGuard<'_, BTreeMap<PrinterId, Running>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running {
    async fn end(mut self, limit: Duration) {
        self.stop.cancel();
        if timeout(limit, &mut self.task).await.is_err() {
            self.task.abort();
            // The link is closed when the task has ended, and another worker may begin.
            let _ = (&mut self.task).await;
        }
    }
}

/// A spooler that is dropped takes its workers with it.
impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn record_claimed(
    store: &Store,
    new: &mut NewReceipt,
    offer: Offer,
) -> Result<Recorded, StoreError> {
    let Some(rendered) = offer.renderer.try_render_new(new) else {
        drop(offer);
        return store.record_receipt(new.clone()).await;
    };
    let drawer = if new.drawer { DrawerState::Opened } else { DrawerState::None };
    new.claiming = Some(Claiming { planned: rendered.planned(offer.counters), drawer });
    let recorded = store.record_receipt(new.clone()).await?;
    if let Some(claimed) = recorded.claimed.clone() {
        offer.hand(Handed { job: recorded.job.clone(), claimed, rendered });
    }
    Ok(recorded)
}

fn renderer(printer: &Printer, stationery: &Stationery) -> Result<Renderer, SpoolerError> {
    let name = &printer.settings.profile;
    let profile = Profile::named(name).ok_or_else(|| SpoolerError::UnknownProfile(name.clone()))?;
    let profile = match printer.settings.columns {
        Some(columns) => profile.with_columns(columns)?,
        None => profile.clone(),
    };
    Ok(Renderer::new(profile, stationery.clone()))
}
