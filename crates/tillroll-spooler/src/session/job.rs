//! One job on the wire: print data, token, cut, token or status request; then the wait for proof.

use std::time::Duration;

use tillroll_domain::print_job::{Confirmation, Event, JobCause, JobReason};
use tillroll_domain::printer::{ConfirmationLevel, StopReason};
use tillroll_escpos::command;
use tillroll_escpos::status::Reply;
use tokio::time::{Instant, timeout, timeout_at};

use super::{Broken, Counters, Session};
use crate::render::Rendered;
use crate::timings::Timings;
use crate::token::Tokens;

/// What shows how a job goes on, for whoever looks at the printer.
pub(crate) trait Progress {
    /// The device shows a cause in the middle of the job, or none any more.
    fn cause(&mut self, cause: Option<StopReason>);
}

/// A job to deliver.
pub(crate) struct Delivery<'a> {
    pub rendered: &'a Rendered,
    pub tokens: Tokens,
    pub level: ConfirmationLevel,
    pub timings: &'a Timings,
}

/// How a delivery ended, and whether the link can be used on.
pub(crate) struct Delivered {
    pub event: Event,
    /// The link broke or is in an unknown state.
    pub broken: bool,
}

impl Session {
    /// Delivers a job and waits for its proof.
    pub(crate) async fn deliver(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Delivered {
        self.forget();
        let bytes = delivery.bytes();
        match self.put_first(&bytes).await {
            Err(nothing_sent) => return Delivered::broken(Event::LeftNothing(nothing_sent)),
            Ok(first) => {
                if let Err(reason) = self.put_rest(&bytes[first..], delivery, progress).await {
                    return Delivered::broken(Event::MaybeOnPaper(reason));
                }
            }
        }
        self.prove(delivery, progress).await
    }

    /// Writes a first part. An error here means that no byte was sent.
    async fn put_first(&mut self, bytes: &[u8]) -> Result<usize, JobReason> {
        let (_, writer) = self.link.split();
        match writer.write_some(bytes).await {
            Ok(count) => Ok(count),
            // The write goes on in the driver: whether a byte left is not known, so it counts as sent.
            Err(error) if error.kind() == std::io::ErrorKind::TimedOut => Ok(0),
            Err(_) => Err(StopReason::LinkLost.into()),
        }
    }

    /// Writes the rest. A device that takes no more is given time while it shows a cause.
    async fn put_rest(
        &mut self,
        bytes: &[u8],
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<(), JobReason> {
        let mut sent = 0;
        let mut patience = Patience::new(delivery.timings, delivery.timings.stall);
        while sent < bytes.len() {
            match self.put_some(&bytes[sent..], delivery.timings.ask_condition).await {
                Ok(0) => {}
                Ok(count) => {
                    sent += count;
                    patience.renew();
                }
                Err(_) => return Err(StopReason::LinkLost.into()),
            }
            let cause = self.blocked();
            progress.cause(cause);
            patience.check(cause).map_err(|cause| cause.unwrap_or(JobCause::Stalled.into()))?;
        }
        progress.cause(None);
        Ok(())
    }

    /// Writes some bytes or hears something; 0 when nothing happened for a while.
    async fn put_some(&mut self, bytes: &[u8], pause: Duration) -> Result<usize, Broken> {
        let mut said = [0; 512];
        let (reader, writer) = self.link.split();
        let step = async {
            tokio::select! {
                biased;
                read = reader.read(&mut said) => (Some(read), None),
                written = writer.write_some(bytes) => (None, Some(written)),
            }
        };
        match timeout(pause, step).await {
            Err(_elapsed) => Ok(0),
            Ok((Some(read), _)) => self.take_in(read, &said).map(|()| 0),
            Ok((None, Some(Ok(count)))) => Ok(count),
            Ok((None, Some(Err(error)))) if error.kind() == std::io::ErrorKind::TimedOut => Ok(0),
            Ok((None, Some(Err(error)))) => Err(error.into()),
            Ok((None, None)) => Ok(0),
        }
    }

    async fn prove(&mut self, delivery: &Delivery<'_>, progress: &mut impl Progress) -> Delivered {
        let proved = match delivery.level {
            ConfirmationLevel::Token => self.await_token(delivery, progress).await,
            ConfirmationLevel::Counter => self.await_counter(delivery, progress).await,
            ConfirmationLevel::InOrder => self.await_in_order(delivery, progress).await,
            ConfirmationLevel::Realtime | ConfirmationLevel::Silent => {
                return self.await_taken(delivery).await;
            }
        };
        match proved {
            Ok(confirmation) => Delivered { event: Event::Confirmed(confirmation), broken: false },
            Err(reason) => Delivered::broken(Event::MaybeOnPaper(reason)),
        }
    }

    /// The token after the print data proves it; the one after the cut ends the wait.
    async fn await_token(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<Confirmation, JobReason> {
        let Tokens { printed, cut } = delivery.tokens;
        let heard = |token: [u8; 4]| {
            move |session: &mut Self| session.tokens.contains(&token).then_some(())
        };
        self.await_proof(delivery, progress, heard(printed)).await?;
        // The ticket is printed. A cutter that jams now is the printer's trouble, not the job's.
        let _ = self.expect(delivery.timings.answer, heard(cut)).await;
        let _ = self.ask_counters(delivery.timings.answer).await;
        Ok(Confirmation::Token)
    }

    async fn await_in_order(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<Confirmation, JobReason> {
        self.await_proof(delivery, progress, |session| session.take(in_order)).await?;
        Ok(Confirmation::InOrder)
    }

    /// The answer in order, and counters that moved by this job.
    async fn await_counter(
        &mut self,
        delivery: &Delivery<'_>,
        progress: &mut impl Progress,
    ) -> Result<Confirmation, JobReason> {
        let before = self.counters;
        self.await_proof(delivery, progress, |session| session.take(in_order)).await?;
        self.ask_counters(delivery.timings.answer)
            .await
            .map_err(|_| JobReason::from(StopReason::LinkLost))?;
        let moved = |before: Counters, after: Counters| {
            after.lines > before.lines && after.cuts == before.cuts + delivery.rendered.cuts
        };
        match (before, self.counters) {
            (Some(before), Some(after)) if moved(before, after) => Ok(Confirmation::Counter),
            (None, _) | (_, None) => Ok(Confirmation::InOrder),
            (Some(_), Some(_)) => Err(JobCause::NoAnswer.into()),
        }
    }

    /// Waits for a proof while the device shows a cause, else for the limit of a proof.
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
                Err(_elapsed) if self.answers_realtime => self.ask_condition(timings.answer).await,
                Err(_elapsed) => Ok(()),
            };
            asked.map_err(|_| JobReason::from(StopReason::LinkLost))?;
        }
    }

    /// A device that cannot confirm: it must at least show no fault.
    async fn await_taken(&mut self, delivery: &Delivery<'_>) -> Delivered {
        let asks = delivery.level == ConfirmationLevel::Realtime && self.can_reply();
        if asks && self.ask_condition(delivery.timings.answer).await.is_err() {
            return Delivered::broken(Event::MaybeOnPaper(StopReason::LinkLost.into()));
        }
        match self.blocked() {
            Some(cause) => Delivered::broken(Event::MaybeOnPaper(cause.into())),
            None => Delivered { event: Event::BytesTaken, broken: false },
        }
    }
}

impl Delivered {
    fn broken(event: Event) -> Self {
        Self { event, broken: true }
    }
}

impl Delivery<'_> {
    /// Everything that goes out, in order.
    fn bytes(&self) -> Vec<u8> {
        let Rendered { body, cut, .. } = self.rendered;
        let mut bytes = Vec::with_capacity(body.len() + cut.len() + 32);
        bytes.extend_from_slice(body);
        if self.level == ConfirmationLevel::Token {
            bytes.extend_from_slice(&command::token(self.tokens.printed));
        }
        bytes.extend_from_slice(cut);
        match self.level {
            ConfirmationLevel::Token => {
                bytes.extend_from_slice(&command::token(self.tokens.cut));
            }
            ConfirmationLevel::Counter | ConfirmationLevel::InOrder => {
                bytes.extend_from_slice(&command::GS_R_PAPER);
            }
            ConfirmationLevel::Realtime | ConfirmationLevel::Silent => {}
        }
        bytes
    }
}

fn in_order(reply: &Reply) -> Option<u8> {
    if let Reply::InOrder(answer) = reply { Some(*answer) } else { None }
}

/// How long a job in the middle may wait: long while a cause is shown, shorter while none is.
struct Patience {
    silent: Duration,
    with_cause: Duration,
    look: Duration,
    since: Instant,
    cause_since: Option<Instant>,
}

impl Patience {
    fn new(timings: &Timings, silent: Duration) -> Self {
        Self {
            silent,
            with_cause: timings.mid_job_wait,
            look: timings.ask_condition,
            since: Instant::now(),
            cause_since: None,
        }
    }

    /// Something moved.
    fn renew(&mut self) {
        self.since = Instant::now();
    }

    /// When to look again at the latest.
    fn next_look(&self) -> Instant {
        Instant::now() + self.look.min(self.silent)
    }

    /// Whether the wait goes on; else the cause that was shown, if one was.
    fn check(&mut self, cause: Option<StopReason>) -> Result<(), Option<JobReason>> {
        let now = Instant::now();
        match cause {
            Some(cause) => {
                let since = *self.cause_since.get_or_insert(now);
                // When the cause ends, the time without one begins anew.
                self.since = now;
                if now - since < self.with_cause { Ok(()) } else { Err(Some(cause.into())) }
            }
            None => {
                self.cause_since = None;
                if now - self.since < self.silent { Ok(()) } else { Err(None) }
            }
        }
    }
}
