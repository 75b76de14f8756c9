//! One job on the wire: a known state, print data, token, cut, token or status request.

use std::time::Duration;

use tillroll_domain::print_job::{Event, JobCause, JobReason};
use tillroll_domain::printer::{ConfirmationLevel, StopReason};
use tillroll_escpos::command;
use tokio::time::timeout;

use super::hello::initialisation;
use super::patience::Patience;
use super::{Broken, Session};
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
        self.drain().await.map_err(|_| StopReason::LinkLost)?;
        self.forget();
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
}

impl Delivered {
    pub(super) fn broken(event: Event) -> Self {
        Self { event, broken: true }
    }
}

impl Delivery<'_> {
    /// How long the proof may take: the slowest printer comes to the end of the paper in that time.
    pub(super) fn proof_limit(&self) -> Duration {
        let dots = self.rendered.paper_dots.saturating_mul(1_000);
        let printing = dots / u64::from(self.timings.slowest_print.max(1));
        self.timings.proof + Duration::from_millis(printing)
    }

    /// Everything that goes out, in order.
    fn bytes(&self) -> Vec<u8> {
        let Rendered { mark, body, cut, .. } = self.rendered;
        let mut bytes = initialisation(self.level);
        bytes.reserve(mark.len() + body.len() + cut.len() + 32);
        if !mark.is_empty() {
            bytes.extend_from_slice(mark);
            bytes.extend_from_slice(&initialisation(self.level));
        }
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
