//! The link of a worker: open it, greet the device, wait while it cannot print.

use std::time::Duration;

use tillroll_domain::printer::{PrinterState, StopReason};
use tokio::time::timeout;

use super::Worker;
use crate::device::{self, OpenError, Unreachability};
use crate::session::{Broken, Hello, Session, greet};

/// What came of looking for a usable link.
pub(super) enum Standing {
    /// The device can print.
    Ready,
    /// It cannot; this long until it is worth looking again.
    Stopped(Duration),
    /// It says why not on an open link, which will tell when it is over.
    Blocked(StopReason),
}

impl Worker {
    /// Opens and greets where there is no link, and says how the device stands.
    pub(super) async fn stand(&mut self) -> Standing {
        if self.session.is_none()
            && let Err(delay) = self.connect().await
        {
            return Standing::Stopped(delay);
        }
        match self.session.as_ref().and_then(Session::blocked) {
            Some(reason) => Standing::Blocked(reason),
            None => Standing::Ready,
        }
    }

    /// Opens the device and greets it; on failure the printer is stopped for the delay.
    async fn connect(&mut self) -> Result<(), Duration> {
        match self.open().await {
            Ok((session, _cleared)) => {
                self.came_up(session);
                self.late_proof().await;
                Ok(())
            }
            Err((reason, detail)) => Err(self.went_down(reason, Some(detail))),
        }
    }

    /// Opens and greets, all within limits. The second part tells whether the buffer was cleared.
    pub(super) async fn open(&mut self) -> Result<(Session, bool), (StopReason, String)> {
        let context = &self.setup.context;
        let link = device::open(&self.setup.uri, &context.timings.device, &context.virtuals)
            .await
            .map_err(|error| (reason_of(&error), chain(&error)))?;
        let hello = Hello {
            level: self.level(),
            unresolved: self.unresolved,
            answer: context.timings.answer,
        };
        // Every answer has its limit; the whole has one too, for a device that says something for ever.
        let whole = context.timings.answer * 8 + context.timings.device.write_stall;
        let greeted = timeout(whole, greet(link, hello)).await;
        let (session, cleared) = greeted
            .map_err(|_| (StopReason::TimedOut, "the device did not answer in time".to_owned()))?
            .map_err(|error| (StopReason::LinkLost, chain(&error)))?;
        if self.is_mute(&session) {
            session.abort();
            let detail = "the device took the questions and answered none".to_owned();
            return Err((StopReason::TimedOut, detail));
        }
        Ok((session, cleared))
    }

    /// A device that is set up as one that answers, and says nothing at all, is not ready.
    fn is_mute(&self, session: &Session) -> bool {
        use tillroll_domain::printer::ConfirmationLevel::{
            Counter, InOrder, Realtime, Silent, Token,
        };
        match self.level() {
            Token | Counter => !session.answers_realtime && session.counters.is_none(),
            Realtime => !session.answers_realtime,
            // It may answer in order only: the job's own question will tell.
            InOrder | Silent => false,
        }
    }

    pub(super) fn came_up(&mut self, session: Session) {
        self.unresolved = false;
        self.backoff.up(self.setup.context.clock.boot());
        self.session = Some(session);
    }

    /// The printer stops and backs off; returns for how long.
    pub(super) fn went_down(&mut self, reason: StopReason, detail: Option<String>) -> Duration {
        self.session = None;
        self.stale_checked = false;
        let boot = self.setup.context.clock.boot();
        let delay = self.backoff.failed(boot, (self.setup.context.random)());
        self.show_stopped(reason, Some(delay), detail);
        delay
    }

    /// Waits on the open link until the device can print again, says it is gone, or there is news.
    pub(super) async fn wait_blocked(&mut self, reason: StopReason) {
        self.show_stopped(reason, None, None);
        self.stale_checked = false;
        let look = self.setup.context.timings.ask_condition;
        let answer = self.setup.context.timings.answer;
        let (stop, bell) = (self.setup.stop.clone(), self.bell.clone());
        let Some(session) = self.session.as_mut() else { return };
        let heard = tokio::select! {
            () = stop.cancelled() => return,
            () = bell.notified() => Ok(()),
            heard = timeout(look, session.listen()) => match heard {
                Ok(heard) => heard,
                // Devices without automatic status are asked; those with it answer too.
                Err(_elapsed) => session.ask_condition(answer).await,
            },
        };
        if let Err(error) = heard {
            self.went_down(StopReason::LinkLost, Some(chain(&error)));
        }
    }

    /// A link that broke while no job was at the device.
    pub(super) fn lost_idle(&mut self, error: &Broken) {
        tracing::debug!(printer.name = %self.name(), %error, "the idle link ended");
        self.session = None;
        self.show(PrinterState::Idle, None, None);
    }
}

fn reason_of(error: &OpenError) -> StopReason {
    match error.reason() {
        Unreachability::Refused => StopReason::Refused,
        Unreachability::Unreachable => StopReason::Unreachable,
        Unreachability::UnknownHost => StopReason::UnknownHost,
        Unreachability::Busy => StopReason::Busy,
        Unreachability::Permission => StopReason::Permission,
        Unreachability::TimedOut => StopReason::TimedOut,
        Unreachability::NotFound => StopReason::NotFound,
        Unreachability::Ambiguous => StopReason::Ambiguous,
        Unreachability::Stuck | Unreachability::Io => StopReason::DeviceError,
    }
}

/// An error with its causes.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
