//! The wait for the proof of a delivered job, by what its device can prove.

use tillroll_domain::print_job::{Confirmation, Event, JobCause, JobReason};
use tillroll_domain::printer::{ConfirmationLevel, StopReason};
use tillroll_escpos::command;
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
        let before = self.counters.take();
        self.await_proof(delivery, progress, |session| session.take(in_order)).await?;
        // The answer in order may have come before the paper; only the counters wait for it.
        let lines = self.await_count(command::COUNTER_LINES, delivery, progress).await?;
        let cuts = self.await_count(command::COUNTER_CUTS, delivery, progress).await?;
        self.counters = Some(Counters { lines, cuts });
        let moved =
            |before: Counters| lines > before.lines && cuts == before.cuts + delivery.rendered.cuts;
        if before.is_some_and(moved) {
            Ok(Event::Confirmed(Confirmation::Counter))
        } else {
            Err(JobCause::NoAnswer.into())
        }
    }

    /// Asks one counter behind a job, and waits for it as for a proof.
    async fn await_count(
        &mut self,
        number: u8,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<i64, JobReason> {
        self.send(&command::counter(number))
            .await
            .map_err(|_| JobReason::from(StopReason::LinkLost))?;
        let count = |session: &mut Self| session.take(Reply::counter);
        let count = self.await_proof(delivery, progress, count).await?;
        i64::try_from(count).map_err(|_| JobCause::NoAnswer.into())
    }

    /// A device that cannot confirm must at least show no fault, and be there where it can say so; while
    /// it shows one, the job waits for it to go on.
    async fn await_taken(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<Event, JobReason> {
        if delivery.level == ConfirmationLevel::Realtime && self.can_reply() {
            self.await_condition(delivery, progress).await?;
        } else {
            self.drain().await.map_err(|_| JobReason::from(StopReason::LinkLost))?;
        }
        let goes_on = |session: &mut Self| session.blocked().is_none().then_some(());
        self.await_proof(delivery, progress, goes_on).await?;
        Ok(Event::BytesTaken)
    }

    /// Asks a device how it is until it answers: a full buffer may keep the first questions from it.
    async fn await_condition(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<(), JobReason> {
        let mut patience = Patience::new(delivery.timings, delivery.proof_limit());
        loop {
            let answered = self.ask_condition(delivery.timings.answer).await;
            if answered.map_err(|_| JobReason::from(StopReason::LinkLost))? {
                return Ok(());
            }
            let cause = self.blocked();
            progress.cause(cause);
            patience.check(cause).map_err(|cause| cause.unwrap_or(JobCause::NoAnswer.into()))?;
        }
    }

    /// Waits for a proof: long while the device shows a cause, else for the limit of a proof.
    async fn await_proof<T>(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
        mut found: impl FnMut(&mut Self) -> Option<T>,
    ) -> Result<T, JobReason> {
        let timings = delivery.timings;
        let mut patience = Patience::new(timings, delivery.proof_limit());
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
