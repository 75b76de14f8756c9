//! All printers of the register: starts, stops and replaces their workers, and records receipts on the
//! short way to an idle printer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tillroll_domain::clock::Clock;
use tillroll_escpos::profile::{Profile, ProfileError};
use tillroll_store::{
    Claiming, DrawerState, NewReceipt, OpeningId, Printer, PrinterId, Recorded, Store, StoreError,
};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::device::{DeviceUri, UriError, VirtualPrinters};
use crate::ready::{Handed, Offer, Reception};
use crate::render::{Renderer, Stationery};
use crate::seat::Seats;
use crate::status::{Board, PrinterStatus};
use crate::timings::Timings;
use crate::to_its_end::ToItsEnd;
use crate::worker::{AskedPulse, Setup, supervise};

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
    #[error("its address {0}")]
    Uri(#[from] UriError),
    /// Its profile is not known.
    #[error("there is no printer profile {0:?}")]
    UnknownProfile(String),
    /// Its columns do not fit its profile.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// It has one already: two would print the same jobs.
    #[error("the printer is driven already")]
    Running,
}

/// The running workers.
pub struct Spooler {
    context: Context,
    workers: Mutex<BTreeMap<PrinterId, Running>>,
    seats: Seats,
}

/// A worker that runs, or that was asked to end and has not yet.
struct Running {
    ending: Ending,
    paused: bool,
    reception: Reception,
    status: watch::Receiver<PrinterStatus>,
    drawer: mpsc::Sender<AskedPulse>,
    try_now: Arc<Notify>,
}

impl Spooler {
    /// A spooler without workers.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self { context, workers: Mutex::default(), seats: Seats::default() }
    }

    /// What its workers work with.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn seats(&self) -> &Seats {
        &self.seats
    }

    /// Starts the worker of a printer. Where others may stop and start it too, the [`crate::Seat`]
    /// does that.
    ///
    /// # Errors
    /// [`SpoolerError`] when the printer has a worker, or its settings cannot be used.
    pub fn start(&self, printer: Printer) -> Result<(), SpoolerError> {
        let id = printer.id;
        let mut workers = self.workers();
        if workers.contains_key(&id) {
            return Err(SpoolerError::Running);
        }
        workers.insert(id, Running::begin(&self.context, printer)?);
        Ok(())
    }

    /// Stops a printer's worker. A job at the device is given `limit` to be proved; after that its
    /// attempt stays open and is judged at the next start.
    pub async fn stop(&self, printer: PrinterId, limit: Duration) {
        let Some(ending) = self.ending(printer) else { return };
        ending.within(limit).await;
        self.clear_ended();
    }

    /// As [`Spooler::stop`], but a job at the device ends by its own limits.
    pub(crate) async fn drain(&self, printer: PrinterId) {
        let Some(ending) = self.ending(printer) else { return };
        ending.in_its_time().await;
        self.clear_ended();
    }

    /// Stops every worker, all at once.
    pub async fn stop_all(&self, limit: Duration) {
        let endings: Vec<_> =
            self.workers().values().map(|running| running.ending.clone()).collect();
        let end = |ending: Ending| tokio::spawn(async move { ending.within(limit).await });
        for ended in endings.into_iter().map(end).collect::<Vec<_>>() {
            // A task that only waits does not fail.
            let _ = ended.await;
        }
        self.clear_ended();
    }

    fn ending(&self, printer: PrinterId) -> Option<Ending> {
        self.workers().get(&printer).map(|running| running.ending.clone())
    }

    /// A worker keeps its place until it has ended, whoever waits for that.
    fn clear_ended(&self) {
        self.workers().retain(|_, running| !running.ending.ended.is_cancelled());
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

    /// Asks for the drawer pulse of an opening without a sale. It is given once, or let go, and the opening
    /// settled; false when the printer has no worker, is paused, or another is still to be given.
    pub fn open_drawer(&self, printer: PrinterId, opening: OpeningId) -> bool {
        let asked = match self.workers().get(&printer) {
            Some(running) if running.takes_pulses() => {
                let boot = self.context.clock.boot();
                running.drawer.try_send(AskedPulse { opening, boot }).is_ok()
            }
            Some(_) | None => false,
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
        let store = self.context.store.clone();
        // A caller that goes away must leave no claimed job behind, and none whose worker was not woken.
        ToItsEnd::new(async move {
            match offer {
                Some(offer) => record_claimed(&store, &mut new, offer).await,
                None => store.record_receipt(new).await,
            }
        })
        .await
    }

    fn workers(&self) -> std::sync::MutexGuard<'_, BTreeMap<PrinterId, Running>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running {
    fn begin(context: &Context, printer: Printer) -> Result<Self, SpoolerError> {
        let uri: DeviceUri = printer.settings.uri.parse()?;
        let renderer = renderer(&printer, &context.stationery)?;
        let paused = printer.paused;
        let board = Arc::new(Board::new(context.clock.now()));
        let (stop, reception) = (CancellationToken::new(), Reception::default());
        let try_now = Arc::<Notify>::default();
        let (drawer, pulses) = mpsc::channel(1);
        let status = board.watch();
        let setup = Setup {
            context: context.clone(),
            printer,
            uri,
            renderer,
            board,
            reception: reception.clone(),
            stop: stop.clone(),
            try_now: Arc::clone(&try_now),
        };
        let ended = CancellationToken::new();
        let at_end = ended.clone().drop_guard();
        let task = tokio::spawn(async move {
            // Dropped last, when the link is closed.
            let _at_end = at_end;
            supervise(setup, pulses).await;
        });
        let ending = Ending { stop, ended, abort: task.abort_handle() };
        Ok(Self { ending, paused, reception, status, drawer, try_now })
    }

    /// A worker that waits for its end gives no pulse.
    fn takes_pulses(&self) -> bool {
        !self.paused && !self.ending.stop.is_cancelled()
    }
}

/// A spooler that is dropped takes its workers with it.
impl Drop for Running {
    fn drop(&mut self) {
        self.ending.abort.abort();
    }
}

/// How a worker is brought to its end, by as many as wish it.
#[derive(Clone)]
struct Ending {
    stop: CancellationToken,
    /// The task has ended, its link is closed, and another worker may begin.
    ended: CancellationToken,
    abort: AbortHandle,
}

impl Ending {
    async fn in_its_time(&self) {
        self.stop.cancel();
        self.ended.cancelled().await;
    }

    async fn within(&self, limit: Duration) {
        if timeout(limit, self.in_its_time()).await.is_err() {
            self.abort.abort();
            self.ended.cancelled().await;
        }
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
