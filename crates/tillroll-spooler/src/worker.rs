//! The worker of one printer: a short loop over named steps.
//!
//! Each turn it looks what is due, sees that the link stands, claims (settling the job before in the same
//! commit), delivers, and remembers how that ended until the next commit.

mod drawer;
mod idle;
mod link;
mod recover;
mod supervise;
mod turn;

use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::print_job::JobReason;
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason};
use tillroll_store::{AttemptId, Hint, Printer, Settlement, StoreError};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

pub(crate) use self::drawer::AskedPulse;
pub(crate) use self::supervise::supervise;
use crate::backoff::Backoff;
use crate::clock_watch::ClockWatch;
use crate::device::DeviceUri;
use crate::ready::{Handed, Reception};
use crate::render::Renderer;
use crate::session::Session;
use crate::spooler::Context;
use crate::status::Board;

/// What a worker is started with.
#[derive(Clone)]
pub(crate) struct Setup {
    pub context: Context,
    pub printer: Printer,
    pub uri: DeviceUri,
    pub renderer: Renderer,
    pub board: Arc<Board>,
    pub reception: Reception,
    pub stop: CancellationToken,
    /// A person wants a stopped printer to be tried at once.
    pub try_now: Arc<Notify>,
}

struct Worker {
    setup: Setup,
    bell: Arc<Notify>,
    session: Option<Session>,
    backoff: Backoff,
    clocks: ClockWatch,
    /// How the last attempt ended, not yet committed.
    ended: Option<Settlement>,
    /// The last attempt of which this worker may have sent a byte.
    begun: Option<AttemptId>,
    /// An attempt was cut off: the device may be in the middle of a command.
    unresolved: bool,
    /// The device may still answer questions of an earlier link.
    owed: bool,
    /// Whether the device counts, once that is known.
    counts: Option<bool>,
    /// The backlog was looked at since the printer came up.
    stale_checked: bool,
    /// The printer was not reached when it was tried last, or never tried: what it shows is not known from
    /// the device.
    unreached: bool,
    /// A commit failed: it may have claimed a job that nobody knows of.
    doubtful: bool,
}

/// What the worker does next.
enum Next {
    /// Look again at once.
    Look,
    /// A job was handed over, claimed already.
    Deliver(Box<Handed>),
    /// End.
    Stop,
}

impl Worker {
    fn new(setup: Setup) -> Self {
        let bell = setup.context.store.feed().bell(setup.printer.id);
        let backoff = Backoff::new(setup.context.timings.retry);
        let clocks = ClockWatch::new(setup.context.clock.as_ref());
        Self {
            setup,
            bell,
            session: None,
            backoff,
            clocks,
            ended: None,
            begun: None,
            unresolved: false,
            owed: false,
            counts: None,
            stale_checked: false,
            unreached: true,
            doubtful: false,
        }
    }

    async fn run(mut self, pulses: &mut mpsc::Receiver<AskedPulse>, cause: JobReason) {
        let stop = self.setup.stop.clone();
        if !self.recover(cause).await {
            return;
        }
        while !stop.is_cancelled() {
            match self.turn(pulses).await {
                Ok(Next::Look) => {}
                Ok(Next::Deliver(handed)) => self.deliver(*handed).await,
                Ok(Next::Stop) => break,
                Err(error) => self.rest_after(&error).await,
            }
        }
        self.leave().await;
    }

    /// Commits what is not yet committed, and closes the link in order.
    async fn leave(mut self) {
        if let Err(error) = self.commit_ended().await {
            tracing::error!(printer.name = %self.name(), %error, "the last attempt could not be settled; it is judged at the next start");
        }
        let close = self.setup.context.timings.device.close;
        if let Some(session) = self.session.take()
            && let Err(error) = session.finish(close).await
        {
            tracing::debug!(printer.name = %self.name(), %error, "the link did not close in order");
        }
    }

    /// The database did not take it: what it may have claimed is not printed. Tried again after a while.
    async fn rest_after(&mut self, error: &StoreError) {
        self.doubtful = true;
        tracing::warn!(printer.name = %self.name(), %error, "the queue could not be read or written");
        let random = (self.setup.context.random)();
        let delay = self.setup.context.timings.retry.delay(1, random);
        tokio::select! {
            () = self.setup.stop.cancelled() => {}
            () = tokio::time::sleep(delay) => {}
        }
    }

    fn name(&self) -> String {
        self.setup.printer.settings.name.to_string()
    }

    fn level(&self) -> ConfirmationLevel {
        self.setup.printer.settings.level
    }

    /// Shows a state; a change is told to whoever looks at the printer, once.
    fn show(&self, state: PrinterState, next_try: Option<Duration>, detail: Option<String>) {
        let now = self.setup.context.clock.now();
        let next_try_at = next_try.and_then(|delay| now.checked_add(delay).ok());
        let near_end =
            self.session.as_ref().is_some_and(|session| session.condition.paper_near_end);
        let moved = self.setup.board.show(now, |status| {
            status.state = state;
            status.next_try_at = next_try_at;
            status.paper_near_end = near_end;
            status.detail.clone_from(&detail);
            if !matches!(state, PrinterState::Printing) {
                status.job_id = None;
                status.mid_job_cause = None;
            }
        });
        if moved {
            self.tell(state, detail.as_deref());
        }
    }

    fn tell(&self, state: PrinterState, detail: Option<&str>) {
        let name = self.name();
        if let PrinterState::Stopped(reason) = state {
            tracing::warn!(printer.name = %name, %reason, detail, "printer {name} stopped: {reason}");
        }
        self.setup.context.store.feed().hint(Hint::Printer { name });
    }

    fn show_stopped(&self, reason: StopReason, next_try: Option<Duration>, detail: Option<String>) {
        self.show(PrinterState::Stopped(reason), next_try, detail);
    }
}
