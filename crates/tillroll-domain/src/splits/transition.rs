//! One function from (facts, event) to what becomes of the split.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{ChannelFault, ChannelRefusal, SplitReason, SplitState};
use crate::printer::UnknownWord;

/// What the machine knows of a split when something happens to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Facts {
    /// Where it stands.
    pub state: SplitState,
    /// It may be paid: whoever recorded it has asked for that.
    pub confirmed: bool,
    /// Tries since it was confirmed, or since a person asked for them anew.
    pub tries: u32,
    /// A call to pay it may have arrived: the channel is asked before another one is made.
    pub doubtful: bool,
    /// It is settled by a person's evidence, not by the channel's word.
    pub by_hand: bool,
}

/// Something that happens to a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It may be paid from now on.
    Confirm,
    /// It is due: a try is recorded before its first byte leaves.
    Claim,
    /// Asked about it, the channel does not know it.
    NotThere,
    /// The channel has paid it.
    Paid,
    /// The channel has it, and will pay later.
    Queued,
    /// The channel will not pay it.
    Refused(ChannelRefusal),
    /// The try met a fault that passes.
    Faulted(ChannelFault),
    /// Its time for tries is over.
    GiveUp,
    /// The channel has another amount under its id.
    Differs,
    /// It was paid, and the channel does not know it.
    Missing,
    /// A person asks for something.
    Asked(Verb),
}

impl Event {
    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Claim => "claim",
            Self::NotThere => "not_there",
            Self::Paid => "paid",
            Self::Queued => "queued",
            Self::Refused(_) => "refused",
            Self::Faulted(_) => "faulted",
            Self::GiveUp => "give_up",
            Self::Differs => "differs",
            Self::Missing => "missing",
            Self::Asked(verb) => verb.as_str(),
        }
    }
}

/// What a person may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SplitVerb"))]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Try it now, with its whole time.
    Retry,
    /// It is paid; evidence is recorded.
    Settle,
    /// Do not pay it; a reason is recorded.
    Cancel,
}

impl Verb {
    /// Every verb.
    pub const ALL: [Self; 3] = [Self::Retry, Self::Settle, Self::Cancel];

    /// The word in addresses, rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Settle => "settle",
            Self::Cancel => "cancel",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Verb {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL
            .into_iter()
            .find(|verb| verb.as_str() == text)
            .ok_or_else(|| UnknownWord { text: text.to_owned(), allowed: "retry, settle, cancel" })
    }
}

/// The call to make once the change is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Call {
    /// Ask whether it is paid.
    Ask,
    /// Pay it.
    Pay,
}

/// When a split is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// At once.
    Now,
    /// After the wait of this many tries.
    AfterTries(u32),
    /// When the call can no longer be under way, if nothing is heard of it.
    CallOver,
    /// Never by itself.
    Never,
}

/// What the row becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The facts from then on.
    pub facts: Facts,
    /// Why, where the state has a why.
    pub reason: Option<SplitReason>,
    /// When it is due.
    pub due: Due,
    /// Its time for tries begins anew.
    pub window_begins: bool,
    /// The call to make.
    pub call: Option<Call>,
}

/// The event is not allowed in this state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a split that is {state} {}", .because)]
pub struct Refusal {
    /// The state it is in.
    pub state: SplitState,
    /// Why not.
    pub because: &'static str,
}

/// What becomes of a split with these facts when this happens.
///
/// # Errors
/// [`Refusal`] when the event is not allowed in the state.
pub fn transition(facts: Facts, event: Event) -> Result<Change, Refusal> {
    match event {
        Event::Confirm => confirm(facts),
        Event::Claim => claim(facts),
        Event::NotThere => in_call(facts, pay),
        Event::Paid => paid(facts),
        Event::Queued => in_call(facts, queued),
        Event::Refused(refusal) => in_call(facts, |facts| refused(facts, refusal)),
        Event::Faulted(fault) => in_call(facts, |facts| faulted(facts, fault)),
        Event::GiveUp => give_up(facts),
        Event::Differs => differs(facts),
        Event::Missing => missing(facts),
        Event::Asked(Verb::Retry) => retry(facts),
        Event::Asked(Verb::Settle) => settle(facts),
        Event::Asked(Verb::Cancel) => cancel(facts),
    }
}

fn confirm(facts: Facts) -> Result<Change, Refusal> {
    if facts.state != SplitState::Init || facts.confirmed {
        return refuse(facts, "was confirmed, or ended, before");
    }
    let confirmed = Facts { confirmed: true, ..facts };
    Ok(Change { due: Due::Now, window_begins: true, ..rest(confirmed, SplitState::Init, None) })
}

fn claim(facts: Facts) -> Result<Change, Refusal> {
    match facts.state {
        SplitState::Init if !facts.confirmed => refuse(facts, "is not confirmed"),
        SplitState::Init | SplitState::RetryableFailed => Ok(call(one_try_more(facts))),
        // Whoever made the last call says no more, or the channel has queued it.
        SplitState::Processing => Ok(call(one_try_more(Facts { doubtful: true, ..facts }))),
        SplitState::Succeeded | SplitState::Failed | SplitState::Manual => {
            refuse(facts, "is not due")
        }
    }
}

fn one_try_more(facts: Facts) -> Facts {
    Facts { tries: facts.tries.saturating_add(1), ..facts }
}

/// A call that may have arrived is asked about first.
fn call(facts: Facts) -> Change {
    calling(facts, if facts.doubtful { Call::Ask } else { Call::Pay })
}

fn pay(facts: Facts) -> Change {
    calling(facts, Call::Pay)
}

fn calling(facts: Facts, call: Call) -> Change {
    let change = rest(facts, SplitState::Processing, None);
    Change { due: Due::CallOver, call: Some(call), ..change }
}

fn in_call(facts: Facts, then: impl FnOnce(Facts) -> Change) -> Result<Change, Refusal> {
    match facts.state {
        SplitState::Processing => Ok(then(facts)),
        SplitState::Init
        | SplitState::Succeeded
        | SplitState::RetryableFailed
        | SplitState::Failed
        | SplitState::Manual => refuse(facts, "has no call under way"),
    }
}

/// Money that moved is never argued with, wherever the split stood.
fn paid(facts: Facts) -> Result<Change, Refusal> {
    if facts.state == SplitState::Succeeded {
        return refuse(facts, "is paid");
    }
    Ok(rest(Facts { doubtful: false, ..facts }, SplitState::Succeeded, None))
}

fn queued(facts: Facts) -> Change {
    let doubtful = Facts { doubtful: true, ..facts };
    let change = rest(doubtful, SplitState::Processing, Some(SplitReason::Queued));
    Change { due: Due::AfterTries(facts.tries), ..change }
}

/// The channel knows the id and has not paid it.
fn refused(facts: Facts, refusal: ChannelRefusal) -> Change {
    rest(Facts { doubtful: false, ..facts }, SplitState::Manual, Some(refusal.into()))
}

fn faulted(facts: Facts, fault: ChannelFault) -> Change {
    let doubtful = facts.doubtful || fault == ChannelFault::Unanswered;
    let facts = Facts { doubtful, ..facts };
    let change = rest(facts, SplitState::RetryableFailed, Some(fault.into()));
    Change { due: Due::AfterTries(facts.tries), ..change }
}

fn give_up(facts: Facts) -> Result<Change, Refusal> {
    let doubtful = match facts.state {
        SplitState::Processing => true,
        SplitState::RetryableFailed => facts.doubtful,
        SplitState::Init if facts.confirmed => facts.doubtful,
        SplitState::Init | SplitState::Succeeded | SplitState::Failed | SplitState::Manual => {
            return refuse(facts, "is not tried by itself");
        }
    };
    Ok(rest(Facts { doubtful, ..facts }, SplitState::Manual, Some(SplitReason::Exhausted)))
}

fn differs(facts: Facts) -> Result<Change, Refusal> {
    if facts.state == SplitState::Manual || facts.by_hand {
        return refuse(facts, "is with a person, or settled by one");
    }
    let doubtful = Facts { doubtful: true, ..facts };
    Ok(rest(doubtful, SplitState::Manual, Some(SplitReason::AmountDiffers)))
}

fn missing(facts: Facts) -> Result<Change, Refusal> {
    if facts.state != SplitState::Succeeded || facts.by_hand {
        return refuse(facts, "is not one that the channel has paid");
    }
    Ok(anew(facts, Some(SplitReason::Missing)))
}

fn retry(facts: Facts) -> Result<Change, Refusal> {
    match facts.state {
        SplitState::Manual => Ok(anew(facts, None)),
        SplitState::RetryableFailed => {
            Ok(Change { due: Due::Now, ..rest(facts, SplitState::RetryableFailed, None) })
        }
        SplitState::Init => refuse(facts, "has not been tried"),
        SplitState::Processing => refuse(facts, "has a call under way: wait for its end"),
        SplitState::Succeeded => refuse(facts, "is paid"),
        SplitState::Failed => refuse(facts, "was taken back for good"),
    }
}

/// From the beginning, and the channel is asked first: what it said before may be long ago.
fn anew(facts: Facts, reason: Option<SplitReason>) -> Change {
    let facts = Facts { tries: 0, doubtful: true, by_hand: false, confirmed: true, ..facts };
    let change = rest(facts, SplitState::RetryableFailed, reason);
    Change { due: Due::Now, window_begins: true, ..change }
}

fn settle(facts: Facts) -> Result<Change, Refusal> {
    match facts.state {
        SplitState::Manual => {
            let settled = Facts { by_hand: true, doubtful: false, ..facts };
            Ok(rest(settled, SplitState::Succeeded, None))
        }
        SplitState::Succeeded => refuse(facts, "is paid"),
        SplitState::Failed => refuse(facts, "was taken back for good"),
        SplitState::Init | SplitState::Processing | SplitState::RetryableFailed => {
            refuse(facts, "is still tried by itself")
        }
    }
}

fn cancel(facts: Facts) -> Result<Change, Refusal> {
    let is_open =
        matches!(facts.state, SplitState::Init | SplitState::RetryableFailed | SplitState::Manual);
    match facts.state {
        _ if is_open && facts.doubtful => {
            refuse(facts, "may be paid: retry it, or settle it with evidence")
        }
        SplitState::Init | SplitState::RetryableFailed | SplitState::Manual => {
            Ok(rest(facts, SplitState::Failed, Some(SplitReason::Canceled)))
        }
        SplitState::Processing => refuse(facts, "has a call under way: wait for its end"),
        SplitState::Succeeded => refuse(facts, "is paid: refund it"),
        SplitState::Failed => refuse(facts, "was taken back before"),
    }
}

/// The same facts in another state, with nothing due.
fn rest(facts: Facts, state: SplitState, reason: Option<SplitReason>) -> Change {
    let facts = Facts { state, ..facts };
    Change { facts, reason, due: Due::Never, window_begins: false, call: None }
}

fn refuse<T>(facts: Facts, because: &'static str) -> Result<T, Refusal> {
    Err(Refusal { state: facts.state, because })
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
