//! After a crash, or a link that broke in mid-job: evidence from the device, else a person is asked.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::print_job::{Event, JobCause, JobReason, JobState};
use tillroll_domain::printer::ConfirmationLevel;
use tillroll_store::{
    Attempt, AttemptId, Claimed, Interrupted, JobRowId, Outcome, Settlement, StoreError,
};
use tokio::time::Instant;

use super::{Next, Worker};
use crate::evidence::{Evidence, judge};
use crate::render::Rendered;
use crate::token::Tokens;

/// So long after an attempt began, and the search for evidence, what the device counted is taken for it:
/// a restart of the program fits in, another host's next ticket hardly does.
const COUNTED_WITHIN: Duration = Duration::from_secs(60);

impl Worker {
    /// Makes right what the rows say: due times of a wrong clock, and the attempt that was open when the
    /// program ended. False when the worker was stopped meanwhile.
    pub(super) async fn recover(&mut self, cause: JobReason) -> bool {
        loop {
            match self.recover_once(cause).await {
                Ok(()) => return true,
                Err(error) => self.rest_after(&error).await,
            }
            if self.setup.stop.is_cancelled() {
                return false;
            }
        }
    }

    async fn recover_once(&mut self, cause: JobReason) -> Result<(), StoreError> {
        if self.ended.is_some() {
            // Judged already, only not committed: the device has nothing to add.
            return self.commit_ended().await;
        }
        self.pull_in_due_times().await?;
        let (store, printer) = (self.setup.context.store.clone(), self.setup.printer.id);
        let Some(Interrupted { job, attempt }) = store.interrupted(printer).await? else {
            self.unresolved = self.left_unresolved().await?;
            return Ok(());
        };
        self.unresolved = true;
        let since = attempt.started_at;
        let Some(event) = self.evidence(&attempt, since, cause).await else { return Ok(()) };
        tracing::warn!(job.id = %job.job_id, ?event, "job {} was interrupted", job.job_id);
        self.settle_alone(job.id, &attempt, event).await
    }

    /// Whether the last attempt at this printer may have left the device in the middle of a command.
    async fn left_unresolved(&self) -> Result<bool, StoreError> {
        let last = self.setup.context.store.last_attempt_at(self.setup.printer.id).await?;
        let torn = [None, Some(Outcome::Unconfirmed), Some(Outcome::LeftNothing)];
        Ok(last.is_some_and(|last| torn.contains(&last.attempt.outcome)))
    }

    /// On a new link the device may prove what nobody could tell before: a token it kept, or a cut
    /// counter that went up by the last attempt. Nothing else follows from it.
    /// `torn` says that the link is the first one since: what the device counts later may be of others.
    pub(super) async fn late_proof(&mut self, torn: bool) {
        if let Err(error) = self.settle_late(torn).await {
            tracing::debug!(printer.name = %self.name(), %error, "no late proof could be recorded");
        }
    }

    async fn settle_late(&mut self, torn: bool) -> Result<(), StoreError> {
        let (store, printer) = (self.setup.context.store.clone(), self.setup.printer.id);
        let Some(Interrupted { job, attempt }) = store.last_attempt_at(printer).await? else {
            return Ok(());
        };
        let Some(session) = &self.session else { return Ok(()) };
        if !matches!(job.state, JobState::Unconfirmed | JobState::Sent) {
            return Ok(());
        }
        let counters = session.counters.filter(|_| torn);
        let recent = self.is_recent(attempt.started_at);
        let evidence = Evidence { tokens: &session.tokens, cleared: false, counters, recent };
        let own = self.tokens(attempt.id);
        let event = judge(&attempt, own, &evidence, JobCause::NoAnswer.into());
        if matches!(event, Event::Confirmed(_)) {
            tracing::info!(job.id = %job.job_id, "job {} was proved late", job.job_id);
            self.settle_alone(job.id, &attempt, event).await?;
        }
        Ok(())
    }

    /// After a broken link: what the device can tell of the attempt, before a person is asked. `None` when
    /// the worker was stopped meanwhile: the attempt is judged at the next start.
    pub(super) async fn seek_evidence(
        &mut self,
        claimed: &Claimed,
        rendered: &Rendered,
        cause: JobReason,
    ) -> Option<Event> {
        self.session = None;
        // Up to now the link was this attempt's own.
        let since = self.setup.context.clock.now();
        if !rendered.provable {
            return Some(Event::MaybeOnPaper(cause));
        }
        match self.setup.context.store.attempt(claimed.attempt).await {
            Ok(attempt) => self.evidence(&attempt, since, cause).await,
            Err(error) => {
                tracing::warn!(%error, "the attempt could not be read back");
                Some(Event::MaybeOnPaper(cause))
            }
        }
    }

    /// The tokens of an attempt of this register.
    pub(super) fn tokens(&self, attempt: AttemptId) -> Tokens {
        Tokens::of(self.setup.context.store.installation(), attempt)
    }

    /// Whether so little time went by since then that the device printed for nobody else. A clock that was
    /// set tells nothing.
    fn is_recent(&self, since: Timestamp) -> bool {
        let window = COUNTED_WITHIN + self.setup.context.timings.evidence;
        let age = Duration::try_from(self.setup.context.clock.now().duration_since(since));
        age.is_ok_and(|age| age <= window) && self.clocks.trusts(window)
    }

    /// Tries to reach the device until it has told what it can, or the time for that is over. Nobody
    /// else used the device until `since`.
    async fn evidence(
        &mut self,
        attempt: &Attempt,
        since: Timestamp,
        cause: JobReason,
    ) -> Option<Event> {
        let unknown = Some(Event::MaybeOnPaper(cause));
        if !matches!(self.level(), ConfirmationLevel::Token | ConfirmationLevel::Counter) {
            return unknown;
        }
        let deadline = Instant::now() + self.setup.context.timings.evidence;
        loop {
            match self.open().await {
                Ok((session, cleared)) => {
                    let (counters, recent) = (session.counters, self.is_recent(since));
                    let evidence = Evidence { tokens: &session.tokens, cleared, counters, recent };
                    let event = judge(attempt, self.tokens(attempt.id), &evidence, cause);
                    self.came_up(session);
                    return Some(event);
                }
                Err((reason, detail)) => {
                    let delay = self.went_down(reason, Some(detail));
                    if Instant::now() + delay >= deadline {
                        return unknown;
                    }
                    if matches!(self.wait_stopped(delay).await, Next::Stop) {
                        return None;
                    }
                }
            }
        }
    }

    /// A claimed job whose hand-over got lost: no byte of it was sent. One this worker did send would be
    /// asked about, never sent again.
    pub(super) async fn return_unsent(&mut self) -> Result<(), StoreError> {
        let (store, printer) = (self.setup.context.store.clone(), self.setup.printer.id);
        let Some(Interrupted { job, attempt }) = store.interrupted(printer).await? else {
            return Ok(());
        };
        let cause = JobCause::Interrupted.into();
        let event = match self.begun {
            Some(begun) if begun == attempt.id => Event::MaybeOnPaper(cause),
            _ => Event::LeftNothing(cause),
        };
        self.settle_alone(job.id, &attempt, event).await
    }

    async fn settle_alone(
        &mut self,
        job: JobRowId,
        attempt: &Attempt,
        event: Event,
    ) -> Result<(), StoreError> {
        debug_assert!(attempt.outcome.is_none_or(|outcome| outcome != Outcome::Printed));
        let random = (self.setup.context.random)();
        self.ended = Some(Settlement { job, attempt: attempt.id, event, random });
        self.commit_ended().await
    }
}
