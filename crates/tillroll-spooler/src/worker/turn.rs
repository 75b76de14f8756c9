//! One turn of a worker: what is due is claimed and delivered.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::drawer;
use tillroll_domain::print_job::{Event, JobReason};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason};
use tillroll_escpos::command::{self, DrawerPin};
use tillroll_store::{Claim, Claimed, DrawerState, DueJob, JobRow, Settlement, StoreError};
use tokio::sync::mpsc;

use super::link::Standing;
use super::{Handed, Next, Worker};
use crate::render::Rendered;
use crate::session::{Delivery, Progress};
use crate::status::Board;
use crate::token::Tokens;

impl Worker {
    /// Looks what is due and does it.
    pub(super) async fn turn(
        &mut self,
        pulses: &mut mpsc::Receiver<()>,
    ) -> Result<Next, StoreError> {
        if self.setup.printer.paused {
            self.commit_ended().await?;
            return Ok(self.wait_paused().await);
        }
        if pulses.try_recv().is_ok() {
            self.commit_ended().await?;
            self.pulse_without_sale().await;
        }
        let now = self.setup.context.clock.now();
        let Some(due) = self.setup.context.store.due_job(self.setup.printer.id, now).await? else {
            self.commit_ended().await?;
            return self.idle().await;
        };
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

    /// Renders and claims a job; a job that cannot be rendered fails and costs the next nothing.
    async fn start(&mut self, due: DueJob) -> Result<Next, StoreError> {
        if self.hold_stale().await? {
            return Ok(Next::Look);
        }
        let rendered = match self.setup.renderer.render(&due.job, &due.body) {
            Ok(rendered) => rendered,
            Err(error) => {
                self.commit_ended().await?;
                tracing::warn!(job.id = %due.job.job_id, %error, "job {} cannot be printed", due.job.job_id);
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

    /// A pulse is given with the first attempt, soon after acceptance, in the same run of the machine.
    fn drawer_of(&self, due: &DueJob) -> DrawerState {
        if due.job.drawer != DrawerState::Due {
            return DrawerState::None;
        }
        let accepted = u64::try_from(due.accepted_boot_ms).unwrap_or(0);
        let boot = self.setup.context.clock.boot();
        let since = boot.checked_sub(Duration::from_millis(accepted));
        if since.is_some_and(drawer::is_fresh) { DrawerState::Opened } else { DrawerState::Dropped }
    }

    /// Commits how the last attempt ended, if that is not yet done.
    pub(super) async fn commit_ended(&mut self) -> Result<(), StoreError> {
        if self.ended.is_some() { self.commit(None).await.map(drop) } else { Ok(()) }
    }

    async fn commit(&mut self, claim: Option<Claim>) -> Result<Option<Claimed>, StoreError> {
        let now = self.setup.context.clock.now();
        let (store, printer) = (&self.setup.context.store, self.setup.printer.id);
        match store.settle_and_claim(printer, self.ended.clone(), claim, now).await {
            Ok((_, claimed)) => {
                self.ended = None;
                Ok(claimed)
            }
            // A person answered first, or an unknown commit was done after all: theirs stands.
            Err(StoreError::Refused(refusal)) if self.ended.is_some() => {
                tracing::info!(%refusal, "the attempt was settled already");
                self.ended = None;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Backlog that waited too long is held when its printer is back: nothing floods.
    async fn hold_stale(&mut self) -> Result<bool, StoreError> {
        if self.stale_checked {
            return Ok(false);
        }
        let context = &self.setup.context;
        let now = context.clock.now();
        let before = now.checked_sub(context.timings.stale_after).unwrap_or(Timestamp::MIN);
        let held = context.store.hold_stale(self.setup.printer.id, before, now).await?;
        self.stale_checked = true;
        if held > 0 {
            tracing::warn!(printer.name = %self.name(), held, "jobs waited too long and are held for an answer");
        }
        Ok(held > 0)
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
            event
        };
        let random = (self.setup.context.random)();
        self.ended = Some(Settlement { job: claimed.job, attempt: claimed.attempt, event, random });
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
        if job.drawer == DrawerState::Opened && claimed.number == 1 {
            // No retry: a pulse that fails is not given again.
            let _ = session.send(&self.pulse()).await;
        }
        let context = self.setup.context.clone();
        let level = if rendered.provable { self.level() } else { ConfirmationLevel::Silent };
        let delivery = Delivery {
            rendered,
            tokens: Tokens::of(claimed.attempt),
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

    /// A device that cannot confirm must at least take the end of the job in order: everything is
    /// written, the other side closes. Only a reset speaks against it.
    async fn close_unproven(&mut self, session: crate::session::Session, event: Event) -> Event {
        let close = self.setup.context.timings.device.close;
        match session.finish(close).await {
            Ok(()) => event,
            Err(error) if error.kind() == std::io::ErrorKind::TimedOut => event,
            Err(error) => {
                tracing::debug!(printer.name = %self.name(), %error, "the link broke at the end of the job");
                self.unresolved = true;
                Event::MaybeOnPaper(JobReason::from(StopReason::LinkLost))
            }
        }
    }

    fn pulse(&self) -> [u8; 5] {
        let pin = match self.setup.printer.settings.drawer_pin {
            0 => DrawerPin::Two,
            _ => DrawerPin::Five,
        };
        command::pulse(pin, command::PULSE_ON_MS, command::PULSE_OFF_MS)
    }

    /// A pulse somebody with the right to it asked for; recorded before it was asked for. No retry.
    async fn pulse_without_sale(&mut self) {
        if !matches!(self.stand().await, Standing::Ready) {
            tracing::warn!(printer.name = %self.name(), "the drawer was not opened: the printer cannot be used");
            return;
        }
        let pulse = self.pulse();
        if let Some(session) = self.session.as_mut()
            && let Err(error) = session.send(&pulse).await
        {
            self.lost_idle(&error);
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
