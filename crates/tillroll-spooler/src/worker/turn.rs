//! One turn of a worker: what is due is claimed and delivered.

use jiff::Timestamp;
use tillroll_domain::print_job::{Event, JobReason};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason};
use tillroll_store::{Claim, Claimed, DrawerState, DueJob, JobRow, Settlement, StoreError};
use tokio::sync::mpsc;

use super::drawer::AskedPulse;
use super::link::Standing;
use super::{Handed, Next, Worker};
use crate::render::Rendered;
use crate::session::{Delivery, Progress};
use crate::status::Board;

impl Worker {
    /// Looks what is due and does it.
    pub(super) async fn turn(
        &mut self,
        pulses: &mut mpsc::Receiver<AskedPulse>,
    ) -> Result<Next, StoreError> {
        self.clear_doubts().await?;
        if self.setup.printer.paused {
            self.commit_ended().await?;
            return Ok(self.wait_paused().await);
        }
        if let Ok(asked) = pulses.try_recv() {
            self.commit_ended().await?;
            self.pulse_without_sale(asked).await;
        }
        let now = self.setup.context.clock.now();
        let Some(due) = self.setup.context.store.due_job(self.setup.printer.id, now).await? else {
            self.commit_ended().await?;
            return self.rest().await;
        };
        if !self.link_stands().await {
            // To connect takes its time, and what is known must not wait for it.
            self.commit_ended().await?;
        }
        match self.stand().await {
            Standing::Ready => self.start(due).await,
            Standing::Stopped(delay) => {
                self.commit_ended().await?;
                Ok(self.wait_stopped(delay).await)
            }
            Standing::Blocked(reason) => {
                self.commit_ended().await?;
                self.wait_blocked(reason).await;
                Ok(Next::Look)
            }
        }
    }

    /// Nothing is due. A printer that was not reached is tried all the same, so that an address nobody
    /// answers at does not look healthy until the first sale.
    async fn rest(&mut self) -> Result<Next, StoreError> {
        if self.unreached {
            let stop = self.setup.stop.clone();
            let standing = tokio::select! {
                () = stop.cancelled() => return Ok(Next::Stop),
                standing = self.stand() => standing,
            };
            if let Standing::Stopped(delay) = standing {
                return Ok(self.wait_for_work(delay).await);
            }
        }
        self.idle().await
    }

    /// After a commit of unknown outcome or a set clock: what the rows say is made right before it is used.
    async fn clear_doubts(&mut self) -> Result<(), StoreError> {
        if self.doubtful {
            self.commit_ended().await?;
            self.return_unsent().await?;
            self.doubtful = false;
        }
        self.read_clocks().await
    }

    async fn read_clocks(&mut self) -> Result<(), StoreError> {
        if self.clocks.jumped(self.setup.context.clock.as_ref()) {
            self.pull_in_due_times().await?;
        }
        Ok(())
    }

    /// No job waits for days because a clock was wrong when its next try was set.
    pub(super) async fn pull_in_due_times(&self) -> Result<(), StoreError> {
        let now = self.setup.context.clock.now();
        let pulled_in = self.setup.context.store.clamp_due_times(now).await?;
        if pulled_in > 0 {
            tracing::warn!(pulled_in, "the clock was set: next tries of jobs were pulled in");
        }
        Ok(())
    }

    /// Renders and claims a job; a job that cannot be rendered fails and costs the next nothing.
    async fn start(&mut self, due: DueJob) -> Result<Next, StoreError> {
        if self.hold_stale().await? || self.hold_expired(&due).await? {
            return Ok(Next::Look);
        }
        let rendered = match self.rendered(&due).await {
            Ok(rendered) => rendered,
            Err(error) => {
                self.commit_ended().await?;
                tracing::warn!(job.id = %due.job.job_id, error, "job {} cannot be printed", due.job.job_id);
                let now = self.setup.context.clock.now();
                self.setup.context.store.fail_unrenderable(due.job, now).await?;
                return Ok(Next::Look);
            }
        };
        let claimed = self.claim(&due, &rendered).await?;
        Ok(match claimed {
            Some((job, claimed)) => Next::Deliver(Box::new(Handed { job, claimed, rendered })),
            None => Next::Look,
        })
    }

    /// The job's bytes, or why there are none. A short job costs less than the way to another thread; a long
    /// one takes its time, for which nobody else on the runtime must wait.
    async fn rendered(&self, due: &DueJob) -> Result<Rendered, String> {
        let body = due.body.as_ref().map_err(ToString::to_string)?;
        if let Some(rendered) = self.setup.renderer.try_render_job(&due.job, body) {
            return Ok(rendered);
        }
        let (renderer, job, body) = (self.setup.renderer.clone(), due.job.clone(), body.clone());
        let rendering = tokio::task::spawn_blocking(move || renderer.render(&job, &body));
        // A panic is an error of the rendering already; a runtime that shuts down ends this task too.
        let rendered = rendering.await.map_err(|error| error.to_string())?;
        rendered.map_err(|error| error.to_string())
    }

    /// One commit: how the last attempt ended, and the claim of the next job.
    async fn claim(
        &mut self,
        due: &DueJob,
        rendered: &Rendered,
    ) -> Result<Option<(JobRow, Claimed)>, StoreError> {
        let counters = self.session.as_ref().and_then(|session| session.counters);
        let mut job = due.job.clone();
        let drawer = self.drawer_of(due);
        let claim = Claim {
            job: job.id,
            row_version: job.row_version,
            planned: rendered.planned(counters),
            drawer,
        };
        let claimed = self.commit(Some(claim)).await?;
        if job.drawer == DrawerState::Due {
            job.drawer = drawer;
        }
        Ok(claimed.map(|claimed| (job, claimed)))
    }

    /// Commits how the last attempt ended, if that is not yet done.
    pub(super) async fn commit_ended(&mut self) -> Result<(), StoreError> {
        if self.ended.is_some() { self.commit(None).await.map(drop) } else { Ok(()) }
    }

    async fn commit(&mut self, claim: Option<Claim>) -> Result<Option<Claimed>, StoreError> {
        let both = claim.is_some() && self.ended.is_some();
        let mut committed = self.settle_and_claim(claim).await;
        if both && matches!(committed, Err(StoreError::Refused(_))) {
            // Which of the two was refused is not known, and the settlement must not get lost.
            committed = self.settle_and_claim(None).await;
        }
        match committed {
            // An unknown commit was done after all: it stands.
            Err(StoreError::Refused(refusal)) if self.ended.is_some() => {
                tracing::info!(%refusal, "the attempt was settled already");
                self.ended = None;
                Ok(None)
            }
            committed => committed,
        }
    }

    async fn settle_and_claim(
        &mut self,
        claim: Option<Claim>,
    ) -> Result<Option<Claimed>, StoreError> {
        let now = self.setup.context.clock.now();
        let (store, printer) = (&self.setup.context.store, self.setup.printer.id);
        let ended = self.ended.clone();
        let (_, claimed) = store.settle_and_claim(printer, ended, claim, now).await?;
        self.ended = None;
        Ok(claimed)
    }

    /// Backlog that waited too long is held when its printer is back: nothing floods.
    async fn hold_stale(&mut self) -> Result<bool, StoreError> {
        if std::mem::replace(&mut self.stale_checked, true) {
            return Ok(false);
        }
        self.read_clocks().await?;
        let context = &self.setup.context;
        let chosen = context.store.preferences().stale_after;
        let (age, now) = (chosen.unwrap_or(context.timings.stale_after), self.clocks.now());
        if !self.clocks.trusts(age) {
            return Ok(false);
        }
        let before = now.checked_sub(age).unwrap_or(Timestamp::MIN);
        let held = context.store.hold_stale(self.setup.printer.id, before, now).await?;
        if held > 0 {
            tracing::warn!(printer.name = %self.name(), held, "jobs waited too long and are held for an answer");
        }
        Ok(held > 0)
    }

    /// A job the head office wanted by now is held instead of being claimed.
    async fn hold_expired(&self, due: &DueJob) -> Result<bool, StoreError> {
        let Some(expiry) = due.expiry else { return Ok(false) };
        let context = &self.setup.context;
        let (now, boot) = (context.clock.now(), context.clock.boot());
        if !expiry.remaining(now, boot).is_zero() {
            return Ok(false);
        }
        context.store.hold_expired(now, boot).await?;
        Ok(true)
    }

    /// Delivers a claimed job and remembers how that ended.
    pub(super) async fn deliver(&mut self, handed: Handed) {
        let Handed { job, claimed, rendered } = handed;
        let now = self.setup.context.clock.now();
        let (id, board) = (job.job_id.to_string(), self.setup.board.clone());
        self.show(PrinterState::Printing, None, None);
        board.show(now, |status| status.job_id = Some(id));
        let event = self.attempt(&job, &claimed, &rendered, &board).await;
        if matches!(event, Event::Confirmed(_)) {
            self.backoff.confirmed();
        }
        let event = if let Event::MaybeOnPaper(cause) = event {
            self.seek_evidence(&claimed, &rendered, cause).await
        } else {
            Some(event)
        };
        let random = (self.setup.context.random)();
        let settled =
            |event| Settlement { job: claimed.job, attempt: claimed.attempt, event, random };
        self.ended = event.map(settled);
        let left = self.setup.context.clock.now();
        board.show(left, |status| {
            status.job_id = None;
            status.mid_job_cause = None;
        });
    }

    /// The attempt on the wire.
    async fn attempt(
        &mut self,
        job: &JobRow,
        claimed: &Claimed,
        rendered: &Rendered,
        board: &Board,
    ) -> Event {
        let Some(mut session) = self.session.take() else {
            return Event::LeftNothing(StopReason::LinkLost.into());
        };
        if job.drawer == DrawerState::Opened
            && claimed.number == 1
            && let Err(error) = session.send(&self.pulse()).await
        {
            // A pulse that fails is not given again. Its rest may still be on its way to the device, where
            // the job's first bytes would be taken for it.
            tracing::debug!(printer.name = %self.name(), %error, "the link broke at the drawer pulse");
            self.unresolved = true;
            session.abort();
            return Event::LeftNothing(StopReason::LinkLost.into());
        }
        self.begun = Some(claimed.attempt);
        let context = self.setup.context.clone();
        let level = if rendered.provable { self.level() } else { ConfirmationLevel::Silent };
        let delivery = Delivery {
            rendered,
            tokens: self.tokens(claimed.attempt),
            level,
            timings: &context.timings,
        };
        let mut shown = Shown { board, clock: context.clock.as_ref() };
        let delivered = session.deliver(&delivery, &mut shown).await;
        if delivered.broken {
            self.unresolved = true;
            session.abort();
            return delivered.event;
        }
        if level.proves() {
            self.session = Some(session);
            return delivered.event;
        }
        self.close_unproven(session, delivered.event).await
    }

    /// A device that cannot confirm must at least have taken the end of the job: everything has left this
    /// computer and arrived. It is given the time of a device that takes no more bytes.
    async fn close_unproven(&mut self, session: crate::session::Session, event: Event) -> Event {
        match session.finish(self.setup.context.timings.stall).await {
            Ok(()) => event,
            Err(error) => {
                tracing::debug!(printer.name = %self.name(), %error, "the link broke at the end of the job");
                self.unresolved = true;
                Event::MaybeOnPaper(JobReason::from(StopReason::LinkLost))
            }
        }
    }
}

/// Shows the cause a device tells in the middle of a job.
struct Shown<'a> {
    board: &'a Board,
    clock: &'a dyn tillroll_domain::clock::Clock,
}

impl Progress for Shown<'_> {
    fn cause(&mut self, cause: Option<StopReason>) {
        self.board.show(self.clock.now(), |status| status.mid_job_cause = cause);
    }
}
