//! What a worker does when nothing is due: offer the short way, keep an ear on the link, close it after a
//! while, sleep until the bell or the next due row.

use std::time::Duration;

use tillroll_domain::printer::PrinterState;
use tillroll_store::StoreError;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

use super::{Next, Worker};
use crate::ready::Handed;
use crate::session::{Broken, Session};

/// A recording that took the offer hands over within the limit of a commit on a bad disk.
const HAND_OVER: Duration = Duration::from_secs(30);
/// Without a due row a worker sleeps until its bell; it looks all the same once in so long.
const LOOK_ANYWAY: Duration = Duration::from_secs(60);

enum Woken {
    Bell,
    Handed(Result<Box<Handed>, oneshot::error::RecvError>),
    Heard(Result<(), Broken>),
    LinkIdle,
    Stop,
}

impl Worker {
    /// Nothing is due, and no job is at this worker: one that is claimed all the same was handed to a
    /// worker that had gone.
    pub(super) async fn idle(&mut self) -> Result<Next, StoreError> {
        self.return_unsent().await?;
        self.show_idle();
        let until = self.sleep_until().await?;
        let mut handed = self.offer();
        let idle_close = Instant::now() + self.setup.context.timings.idle_close;
        let heard_before = self.last_token();
        loop {
            match self.woken(&mut handed, until, idle_close).await {
                Woken::Stop => return self.stop_idle(handed).await,
                Woken::Bell => return self.wake(handed).await,
                Woken::Handed(Ok(handed)) => return Ok(Next::Deliver(handed)),
                Woken::Handed(Err(_)) => return self.after_lost_offer().await,
                Woken::Heard(Ok(())) => {
                    if self.last_token() != heard_before {
                        self.late_proof(false).await;
                    }
                    if !self.is_ready() {
                        return self.wake(handed).await;
                    }
                    self.show_idle();
                }
                Woken::Heard(Err(error)) => {
                    let next = self.wake(handed).await;
                    if !matches!(next, Ok(Next::Deliver(_))) {
                        self.lost_idle(&error);
                    }
                    return next;
                }
                Woken::LinkIdle => {
                    let next = self.wake(handed).await;
                    if !matches!(next, Ok(Next::Deliver(_))) {
                        self.close_idle().await;
                    }
                    return next;
                }
            }
        }
    }

    fn last_token(&self) -> Option<[u8; 4]> {
        self.session.as_ref().and_then(|session| session.tokens.back().copied())
    }

    fn is_ready(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.blocked().is_none())
    }

    /// Idle, or stopped where the open link tells why it could not print.
    fn show_idle(&self) {
        match self.blocked() {
            Some(reason) => self.show_stopped(reason, None, None),
            None => self.show(PrinterState::Idle, None, None),
        }
    }

    /// The short way is offered on a prepared link of a device that proves its jobs and can print.
    fn offer(&self) -> Option<oneshot::Receiver<Box<Handed>>> {
        let session = self.session.as_ref()?;
        let ready = self.level().proves() && session.prepared && session.blocked().is_none();
        ready.then(|| {
            let (renderer, bell) = (self.setup.renderer.clone(), self.bell.clone());
            self.setup.reception.offer(renderer, session.counters, bell)
        })
    }

    async fn woken(
        &mut self,
        handed: &mut Option<oneshot::Receiver<Box<Handed>>>,
        until: Instant,
        idle_close: Instant,
    ) -> Woken {
        let stop = self.setup.stop.clone();
        let bell = self.bell.clone();
        // A blocked printer is watched: nobody else can use it either.
        let open = self.is_ready();
        tokio::select! {
            biased;
            () = stop.cancelled() => Woken::Stop,
            given = arrives(handed) => Woken::Handed(given),
            () = bell.notified() => Woken::Bell,
            heard = listens(&mut self.session) => Woken::Heard(heard),
            () = sleep_until(idle_close), if open => Woken::LinkIdle,
            () = sleep_until(until) => Woken::Bell,
        }
    }

    /// Takes the offer back; if somebody has taken it, their job comes first.
    async fn wake(
        &mut self,
        handed: Option<oneshot::Receiver<Box<Handed>>>,
    ) -> Result<Next, StoreError> {
        let Some(handed) = handed else { return Ok(Next::Look) };
        if self.setup.reception.take().is_some() {
            return Ok(Next::Look);
        }
        match timeout(HAND_OVER, handed).await {
            Ok(Ok(handed)) => Ok(Next::Deliver(handed)),
            Ok(Err(_)) | Err(_) => self.after_lost_offer().await,
        }
    }

    async fn stop_idle(
        &mut self,
        handed: Option<oneshot::Receiver<Box<Handed>>>,
    ) -> Result<Next, StoreError> {
        match self.wake(handed).await? {
            Next::Deliver(handed) => Ok(Next::Deliver(handed)),
            Next::Look | Next::Stop => Ok(Next::Stop),
        }
    }

    /// The offer was dropped. Either its job was not claimed, or it was and the hand-over got lost: no byte
    /// of such a job was sent.
    async fn after_lost_offer(&mut self) -> Result<Next, StoreError> {
        self.return_unsent().await?;
        Ok(Next::Look)
    }

    /// When to look at the latest: at the next due row.
    async fn sleep_until(&self) -> Result<Instant, StoreError> {
        let context = &self.setup.context;
        let due = context.store.next_due_at(self.setup.printer.id).await?;
        let wait = due.map_or(LOOK_ANYWAY, |due| {
            let ahead = due.duration_since(context.clock.now());
            Duration::try_from(ahead).unwrap_or(Duration::ZERO)
        });
        Ok(Instant::now() + wait.min(LOOK_ANYWAY))
    }

    /// Lets others use the printer.
    pub(super) async fn close_idle(&mut self) {
        let Some(session) = self.session.take() else { return };
        let close = self.setup.context.timings.device.close;
        if let Err(error) = session.finish(close).await {
            tracing::debug!(printer.name = %self.name(), %error, "the idle link did not close in order");
        }
    }

    /// A stopped printer waits out its back-off, or until a person wants it tried now. The bell does not
    /// end the wait, so that new jobs do not hammer a dead printer.
    pub(super) async fn wait_stopped(&mut self, delay: Duration) -> Next {
        tokio::select! {
            () = self.setup.stop.cancelled() => Next::Stop,
            () = self.setup.try_now.notified() => Next::Look,
            () = tokio::time::sleep(delay) => Next::Look,
        }
    }

    /// As [`Worker::wait_stopped`] where nothing is due: the first job is tried at once.
    pub(super) async fn wait_for_work(&mut self, delay: Duration) -> Next {
        let bell = self.bell.clone();
        tokio::select! {
            next = self.wait_stopped(delay) => next,
            () = bell.notified() => Next::Look,
        }
    }

    /// A paused printer waits until its worker is replaced by one that is not paused.
    pub(super) async fn wait_paused(&mut self) -> Next {
        self.show(PrinterState::Paused, None, None);
        self.close_idle().await;
        self.setup.stop.cancelled().await;
        Next::Stop
    }
}

async fn arrives(
    handed: &mut Option<oneshot::Receiver<Box<Handed>>>,
) -> Result<Box<Handed>, oneshot::error::RecvError> {
    match handed {
        Some(handed) => handed.await,
        None => std::future::pending().await,
    }
}

async fn listens(session: &mut Option<Session>) -> Result<(), Broken> {
    match session {
        Some(session) => session.listen().await,
        None => std::future::pending().await,
    }
}
