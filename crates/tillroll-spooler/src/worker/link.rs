//! The link of a worker: open it, greet the device, wait while it cannot print.

use std::time::Duration;

use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason};
use tokio::time::timeout;

use super::Worker;
use crate::device::{self, OpenError, Unreachability};
use crate::session::{Broken, Hello, Session, greet};
use crate::timings::Timings;

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
        if !self.link_stands().await
            && let Err(delay) = self.connect().await
        {
            return Standing::Stopped(delay);
        }
        if self.blocked().is_none()
            && let Err(delay) = self.prepare().await
        {
            return Standing::Stopped(delay);
        }
        self.blocked().map_or(Standing::Ready, Standing::Blocked)
    }

    /// Why the device at the open link does not print.
    pub(super) fn blocked(&self) -> Option<StopReason> {
        self.session.as_ref().and_then(Session::blocked)
    }

    /// Whether there is a link that is not known to be gone.
    pub(super) async fn link_stands(&mut self) -> bool {
        let Some(session) = self.session.as_mut() else { return false };
        let Err(error) = session.drain().await else { return true };
        self.lost_idle(&error);
        false
    }

    /// Prepares a device that could not be when it was greeted, since it was blocked.
    async fn prepare(&mut self) -> Result<(), Duration> {
        let (hello, limit) = (self.hello(), self.greeting_limit());
        let Some(session) = self.session.as_mut().filter(|session| !session.prepared) else {
            return Ok(());
        };
        let prepared = timeout(limit, session.prepare(hello)).await;
        let (reason, detail) = match prepared {
            Ok(Ok(())) if !is_mute(hello.level, session) => {
                self.note_prepared();
                // What the device answered in order came before the answers of this.
                self.late_proof(false).await;
                return Ok(());
            }
            Ok(Ok(())) | Err(_) => (StopReason::TimedOut, MUTE.to_owned()),
            Ok(Err(error)) => (StopReason::LinkLost, chain(&error)),
        };
        Err(self.went_down(reason, Some(detail)))
    }

    /// Opens the device and greets it; on failure the printer is stopped for the delay.
    async fn connect(&mut self) -> Result<(), Duration> {
        let torn = self.unresolved;
        match self.open().await {
            Ok((session, _cleared)) => {
                self.came_up(session);
                self.late_proof(torn).await;
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
        // Until it is known better: what it is asked now it may answer on a later link.
        let hello = self.hello();
        self.owed = true;
        let greeted = timeout(self.greeting_limit(), greet(link, hello)).await;
        let (session, cleared) = greeted
            .map_err(|_| (StopReason::TimedOut, "the device did not answer in time".to_owned()))?
            .map_err(|error| (StopReason::LinkLost, chain(&error)))?;
        if is_mute(self.level(), &session) {
            session.abort();
            return Err((StopReason::TimedOut, MUTE.to_owned()));
        }
        Ok((session, cleared))
    }

    fn hello(&self) -> Hello {
        Hello {
            level: self.level(),
            torn: self.unresolved,
            owed: self.owed,
            counts: self.counts != Some(false),
            answer: self.setup.context.timings.answer,
            longest_command: self.setup.renderer.longest_command(),
        }
    }

    /// Every answer has its limit; the whole has one too, for a device that says something for ever.
    fn greeting_limit(&self) -> Duration {
        let timings = &self.setup.context.timings;
        timings.answer * 8 + timings.device.write_stall
    }

    pub(super) fn came_up(&mut self, session: Session) {
        self.backoff.up(self.setup.context.clock.boot());
        self.unreached = false;
        self.session = Some(session);
        self.note_prepared();
    }

    /// What the preparation of a device tells of it.
    fn note_prepared(&mut self) {
        let Some(session) = &self.session else { return };
        self.unresolved = session.torn;
        if session.prepared {
            let counted = session.counters.is_some();
            // One that is to prove by its counters does count, and one that answered nothing in order
            // may still do so.
            let silent = session.answers_in_order == Some(false);
            if counted || !(silent || self.level() == ConfirmationLevel::Counter) {
                self.counts = Some(counted || self.counts == Some(true));
            }
        }
        // Without any answer it does not count, rather than late.
        let counts = self.counts == Some(true) || self.level() == ConfirmationLevel::Counter;
        self.owed = session.owes && counts;
    }

    /// The printer stops and backs off; returns for how long.
    pub(super) fn went_down(&mut self, reason: StopReason, detail: Option<String>) -> Duration {
        self.session = None;
        self.unreached = true;
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
        let timings = self.setup.context.timings;
        let (stop, bell) = (self.setup.stop.clone(), self.bell.clone());
        let Some(session) = self.session.as_mut() else { return };
        let there = tokio::select! {
            () = stop.cancelled() => return,
            () = bell.notified() => return,
            there = still_there(session, &timings) => there,
        };
        let (reason, detail) = match there {
            Ok(Some(true)) => return,
            Ok(Some(false)) => (StopReason::TimedOut, MUTE.to_owned()),
            // A new link will tell; until then what it said last is shown.
            Ok(None) => return self.close_idle().await,
            Err(error) => (StopReason::LinkLost, chain(&error)),
        };
        self.went_down(reason, Some(detail));
    }

    /// A link that broke while no job was at the device.
    pub(super) fn lost_idle(&mut self, error: &Broken) {
        tracing::debug!(printer.name = %self.name(), %error, "the idle link ended");
        self.session = None;
        self.show(PrinterState::Idle, None, None);
    }
}

/// What a printer that takes questions and answers none is told about.
const MUTE: &str = "the device took the questions and did not answer";

/// A device that is set up as one that answers, and says nothing at all, is not ready.
fn is_mute(level: ConfirmationLevel, session: &Session) -> bool {
    match level {
        _ if session.blocked().is_some() => false,
        ConfirmationLevel::Token => !session.answers_realtime && session.counters.is_none(),
        ConfirmationLevel::Counter => session.counters.is_none(),
        ConfirmationLevel::InOrder => session.answers_in_order != Some(true),
        ConfirmationLevel::Realtime => !session.answers_realtime,
        ConfirmationLevel::Silent => false,
    }
}

/// Hears a blocked device, or asks it after a while: those without automatic status tell nothing by
/// themselves. False when it answered before and does no more; `None` when it never did and has been silent
/// for so long that the link may be dead.
async fn still_there(session: &mut Session, timings: &Timings) -> Result<Option<bool>, Broken> {
    if let Ok(heard) = timeout(timings.ask_condition, session.listen()).await {
        return heard.map(|()| Some(true));
    }
    let answered = session.ask_condition(timings.answer).await?;
    if answered || session.answers_realtime {
        return Ok(Some(answered));
    }
    Ok((session.silence() < timings.blocked_silence).then_some(true))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_way_to_be_missing_keeps_its_own_advice() {
        let cause = || std::io::Error::other("as the system said").into();
        let limit = Duration::from_secs(5);
        let errors = [
            OpenError::Refused(cause()),
            OpenError::Unreachable(cause()),
            OpenError::UnknownHost { host: "front".to_owned(), source: cause() },
            OpenError::Busy(cause()),
            OpenError::Permission(cause()),
            OpenError::TimedOut { limit },
            OpenError::NotFound(cause()),
            OpenError::Ambiguous { count: 2 },
            OpenError::Io(cause()),
        ];
        let advice: BTreeSet<_> = errors.iter().map(|error| reason_of(error).advice()).collect();
        assert_eq!(advice.len(), errors.len());
    }
}
