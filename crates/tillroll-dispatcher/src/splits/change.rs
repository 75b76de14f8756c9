//! Changes of a split's row, as the machine of states makes them.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::splits::{
    Call, Due, Event, Facts, Refusal, SplitReason, SplitState, Verb, WINDOW, transition,
};

use super::{Split, SplitKey};

/// A call that nothing was heard of is over this long after its limit.
const CALL_MARGIN: Duration = Duration::from_secs(5);

/// When and by whom a split is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Now.
    pub now: Timestamp,
    /// Any number, evenly drawn: the next wait depends on it.
    pub random: u32,
    /// The person or system that asked, if one did.
    pub by: Option<String>,
    /// A person's reason or evidence, or what the channel said.
    pub note: Option<String>,
}

impl Cause {
    /// The dispatcher itself.
    #[must_use]
    pub fn itself(now: Timestamp, random: u32) -> Self {
        Self { now, random, by: None, note: None }
    }
}

/// A change of a row, made from one version of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitChange {
    /// The row.
    pub key: SplitKey,
    /// The version it is made from.
    pub version: i64,
    /// What happened.
    pub event: &'static str,
    /// The facts from then on.
    pub facts: Facts,
    /// Why.
    pub reason: Option<SplitReason>,
    /// When it is due.
    pub due_at: Option<Timestamp>,
    /// When its time for tries began.
    pub window_at: Option<Timestamp>,
    /// By whom.
    pub by: Option<String>,
    /// In what words.
    pub note: Option<String>,
    /// When.
    pub now: Timestamp,
    /// The call to make once it is durable.
    pub call: Option<Call>,
}

impl Split {
    /// The change that an event makes.
    ///
    /// # Errors
    /// [`Refusal`] where the split's state does not allow it.
    pub fn after(&self, event: Event, cause: &Cause) -> Result<SplitChange, Refusal> {
        let change = transition(self.facts, event)?;
        Ok(SplitChange {
            key: self.key,
            version: self.version,
            event: event.as_str(),
            facts: change.facts,
            reason: change.reason,
            due_at: self.due_at(change.due, change.facts.tries, cause),
            window_at: if change.window_begins { Some(cause.now) } else { self.window_at },
            by: cause.by.clone(),
            note: cause.note.clone(),
            now: cause.now,
            call: change.call,
        })
    }

    /// The change that confirms it. A refund whose original is not paid yet is due once that is.
    pub(crate) fn confirmed(
        &self,
        original: Option<&Self>,
        now: Timestamp,
    ) -> Result<SplitChange, Refusal> {
        let change = self.after(Event::Confirm, &Cause::itself(now, 0))?;
        let waits = original.is_some_and(|split| split.facts.state != SplitState::Succeeded);
        Ok(if waits { SplitChange { due_at: None, window_at: None, ..change } } else { change })
    }

    /// The change that takes a refund back that waits for an original nobody will pay.
    pub(crate) fn canceled_with_original(&self, now: Timestamp) -> Result<SplitChange, Refusal> {
        let note = Some("the split it takes back from was canceled".to_owned());
        self.after(Event::Asked(Verb::Cancel), &Cause { note, ..Cause::itself(now, 0) })
    }

    /// Refunds of it may wait for what just became of it.
    pub(crate) fn may_be_waited_for(&self) -> bool {
        self.of.is_none() && matches!(self.facts.state, SplitState::Succeeded | SplitState::Failed)
    }

    /// The change that claims a split which is due: a try, or the end of its tries.
    pub(crate) fn claimed(&self, now: Timestamp) -> Result<SplitChange, Refusal> {
        let over = self.window_at.is_some_and(|from| after(from, WINDOW) <= now);
        let event = if over { Event::GiveUp } else { Event::Claim };
        self.after(event, &Cause::itself(now, 0))
    }

    fn due_at(&self, due: Due, tries: u32, cause: &Cause) -> Option<Timestamp> {
        match due {
            Due::Now => Some(cause.now),
            Due::AfterTries(tries) => Some(after(cause.now, self.pace.wait(tries, cause.random))),
            Due::CallOver => Some(after(cause.now, self.pace.limit(tries) + CALL_MARGIN)),
            Due::Never => None,
        }
    }
}

fn after(at: Timestamp, wait: Duration) -> Timestamp {
    at.checked_add(wait).unwrap_or(Timestamp::MAX)
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitChanged {
    /// It is made.
    Done(Split),
    /// The row has changed since; nothing was done.
    Stale(Split),
    /// There is no such row.
    Gone(SplitKey),
}

/// One change as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitRecord {
    /// The version it led to.
    pub version: i64,
    /// What happened.
    pub event: String,
    /// Where it led.
    pub state: SplitState,
    /// Why.
    pub reason: Option<SplitReason>,
    /// Who asked.
    pub by: Option<String>,
    /// In what words.
    pub note: Option<String>,
    /// When.
    pub at: Timestamp,
}
