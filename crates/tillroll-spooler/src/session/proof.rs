//! The wait for the proof of a delivered job, by what its device can prove.

use tillroll_domain::print_job::{Confirmation, Event, JobCause, JobReason};
use tillroll_domain::printer::{ConfirmationLevel, StopReason};
use tillroll_escpos::status::Reply;
use tokio::time::timeout_at;

use super::job::{Delivered, Delivery, Progress};
use super::patience::Patience;
use super::{Counters, Session};
use crate::token::Tokens;

impl Session {
    /// Everything is written: waits for what the device can tell.
    pub(super) async fn prove(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Delivered {
        let proved = match delivery.level {
            ConfirmationLevel::Token => self.await_token(delivery, progress).await,
            ConfirmationLevel::Counter => self.await_counter(delivery, progress).await,
            ConfirmationLevel::InOrder => self.await_in_order(delivery, progress).await,
            ConfirmationLevel::Realtime | ConfirmationLevel::Silent => {
                self.await_taken(delivery, progress).await
            }
        };
        match proved {
            Ok(event) => Delivered { event, broken: false },
            Err(reason) => Delivered::broken(Event::MaybeOnPaper(reason)),
        }
    }

    /// The token after the print data proves it; the one after the cut ends the wait.
    async fn await_token(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<Event, JobReason> {
        let Tokens { printed, cut } = delivery.tokens;
        let heard = |token: [u8; 4]| {
            move |session: &mut Self| session.tokens.contains(&token).then_some(())
        };
        self.await_proof(delivery, progress, heard(printed)).await?;
        // The ticket is printed. A cutter that jams now is the printer's trouble, not the job's.
        let cut_done = self.expect(delivery.timings.answer, heard(cut)).await;
        if self.counters.is_some() {
            if matches!(cut_done, Ok(Some(()))) {
                // A link that breaks now is noticed before the next job.
                let _ = self.ask_counters(delivery.timings.answer).await;
            } else {
                self.counters = None;
            }
            self.prepared = self.counters.is_some();
        }
        Ok(Event::Confirmed(Confirmation::Token))
    }

    async fn await_in_order(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<Event, JobReason> {
        self.await_proof(delivery, progress, |session| session.take(in_order)).await?;
        Ok(Event::Confirmed(Confirmation::InOrder))
    }

    /// The answer in order, and counters that moved by this job.
    async fn await_counter(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<Event, JobReason> {
        let before = self.counters;
        self.await_proof(delivery, progress, |session| session.take(in_order)).await?;
        self.ask_counters(delivery.timings.answer)
            .await
            .map_err(|_| JobReason::from(StopReason::LinkLost))?;
        let moved = |before: Counters, after: Counters| {
            after.lines > before.lines && after.cuts == before.cuts + delivery.rendered.cuts
        };
        match (before, self.counters) {
            (Some(before), Some(after)) if moved(before, after) => {
                Ok(Event::Confirmed(Confirmation::Counter))
            }
            (None, _) | (_, None) => {
                self.prepared = false;
                Ok(Event::Confirmed(Confirmation::InOrder))
            }
            (Some(_), Some(_)) => Err(JobCause::NoAnswer.into()),
        }
    }

    /// A device that cannot confirm must at least be there and show no fault; while it shows one, the
    /// job waits for it to go on.
    async fn await_taken(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<Event, JobReason> {
        let still_there = if delivery.level == ConfirmationLevel::Realtime && self.can_reply() {
            self.ask_condition(delivery.timings.answer).await.map(drop)
        } else {
            self.drain().await
        };
        still_there.map_err(|_| JobReason::from(StopReason::LinkLost))?;
        let goes_on = |session: &mut Self| session.blocked().is_none().then_some(());
        self.await_proof(delivery, progress, goes_on).await?;
        Ok(Event::BytesTaken)
    }

    /// Waits for a proof: long while the device shows a cause, else for the limit of a proof.
    async fn await_proof<T>(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
        mut found: impl FnMut(&mut Self) -> Option<T>,
    ) -> Result<T, JobReason> {
        let timings = delivery.timings;
        let mut patience = Patience::new(timings, timings.proof);
        loop {
            if let Some(proof) = found(self) {
                progress.cause(None);
                return Ok(proof);
            }
            let cause = self.blocked();
            progress.cause(cause);
            patience.check(cause).map_err(|cause| cause.unwrap_or(JobCause::NoAnswer.into()))?;
            let heard = timeout_at(patience.next_look(), self.listen()).await;
            let asked = match heard {
                Ok(heard) => heard,
                // A full buffer keeps the question from being heard, so no answer means nothing here.
                Err(_elapsed) if self.answers_realtime => {
                    self.ask_condition(timings.answer).await.map(drop)
                }
                Err(_elapsed) => Ok(()),
            };
            asked.map_err(|_| JobReason::from(StopReason::LinkLost))?;
        }
    }
}

fn in_order(reply: &Reply) -> Option<u8> {
    if let Reply::InOrder(answer) = reply { Some(*answer) } else { None }
}
