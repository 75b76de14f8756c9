//! The network, as the workers see it: questions and a channel. The real one is
//! [`crate::HttpLink`]; a simulation puts its own here.

use std::error::Error;
use std::future::Future;
use std::time::Duration;

use jiff::civil::Date;
use tillroll_domain::splits::Verb;
use tillroll_wire::channel::{Down, Up};
use tillroll_wire::day::CloudDay;
use tillroll_wire::record::{Batch, Verdicts};
use tillroll_wire::repair::{Digests, HourIds};
use tillroll_wire::split::{SplitAction, SplitDayView, SplitList, SplitView};
use tillroll_wire::{Code, Problem};
use tokio::sync::mpsc;

/// The way to the dispatcher. The callers set the time limits.
pub trait Link: Send + Sync + 'static {
    /// Sends records and gets a verdict for each that was looked at.
    fn send_records(
        &self,
        batch: &Batch,
        lane: Lane,
    ) -> impl Future<Output = Result<Verdicts, LinkError>> + Send;

    /// Tells the hours this side knows of and gets the dispatcher's for the same range.
    fn digests(&self, ours: Digests) -> impl Future<Output = Result<Digests, LinkError>> + Send;

    /// What the dispatcher has of an hour.
    fn hour_ids(&self, hour: i64) -> impl Future<Output = Result<HourIds, LinkError>> + Send;

    /// A day as the dispatcher has it.
    fn day(&self, day: Date) -> impl Future<Output = Result<CloudDay, LinkError>> + Send;

    /// A day's splits of the store. An office that shares no orders has no answer.
    fn split_day(
        &self,
        _day: Date,
    ) -> impl Future<Output = Result<SplitDayView, LinkError>> + Send {
        std::future::ready(Err(no_splits()))
    }

    /// The store's splits that wait for a person, newest first.
    fn manual_splits(&self) -> impl Future<Output = Result<SplitList, LinkError>> + Send {
        std::future::ready(Err(no_splits()))
    }

    /// A person settles a split of the store.
    fn act_on_split(
        &self,
        _id: &str,
        _verb: Verb,
        _action: &SplitAction,
    ) -> impl Future<Output = Result<SplitView, LinkError>> + Send {
        std::future::ready(Err(no_splits()))
    }

    /// Opens the push channel.
    fn open_channel(&self) -> impl Future<Output = Result<Channel, LinkError>> + Send;
}

fn no_splits() -> LinkError {
    LinkError::Refused(Problem::new(Code::NotFound, "there are no splits"))
}

/// Which connection a request takes. One that got no answer may be repeated on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// The usual one.
    First,
    /// Another one, for a repeat.
    Second,
}

/// An open push channel. Dropping both ends closes it.
#[derive(Debug)]
pub struct Channel {
    /// To the dispatcher; bounded.
    pub up: mpsc::Sender<Up>,
    /// From the dispatcher, in order; the last item may say why it ended.
    pub down: mpsc::Receiver<Result<Down, LinkError>>,
}

/// Why the dispatcher was not reached, or did not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// No connection could be made.
    #[error("no connection: {0}")]
    Unreachable(#[source] Box<dyn Error + Send + Sync>),
    /// Somebody answered who cannot prove to be the head office.
    #[error("what answered is not trusted: {0}")]
    Untrusted(#[from] Distrust),
    /// No answer in time.
    #[error("no answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// The connection ended.
    #[error("the connection ended{}", named(.0))]
    Dropped(#[source] Option<Box<dyn Error + Send + Sync>>),
    /// The dispatcher refused it.
    #[error("refused, {}: {}", .0.code, .0.detail)]
    Refused(Problem),
    /// Something else answered, such as a proxy or a sign-in page.
    #[error("something that is not the dispatcher answered, with status {status}")]
    NotOurs {
        /// The HTTP status.
        status: u16,
    },
    /// The answer cannot be read.
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
}

/// Why whoever answered is not believed to be the head office, and what a person can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Distrust {
    /// The certificate's time is over.
    #[error("its certificate has expired; it must be renewed, if this computer's date is right")]
    Expired,
    /// The certificate's time has not come.
    #[error("its certificate is not valid yet; see that this computer's date is right")]
    NotYetValid,
    /// The certificate was made out to another name.
    #[error("its certificate is for another name; see that the address is right")]
    OtherName,
    /// Nobody this computer trusts vouches for it, as where a network looks into what passes.
    #[error("nobody this computer trusts vouches for its certificate; see which network this is")]
    UnknownIssuer,
    /// It has no certificate to show, as the sign-in page of a guest network.
    #[error("it does not answer with TLS; see which network this is")]
    NoTls,
}

fn named(source: &Option<Box<dyn Error + Send + Sync>>) -> String {
    source.as_ref().map(|source| format!(": {source}")).unwrap_or_default()
}

/// The longest that a dispatcher's wish to be left alone is obeyed.
const LEFT_ALONE_MOST: Duration = Duration::from_secs(600);

impl LinkError {
    /// The refusal that trying again will not change, if it is one.
    #[must_use]
    pub fn lasting(&self) -> Option<&Problem> {
        self.problem().filter(|problem| is_lasting(problem.code))
    }

    /// How long the dispatcher wants to be left alone, within reason.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.problem()?.retry_after_ms.map(left_alone)
    }

    fn problem(&self) -> Option<&Problem> {
        if let Self::Refused(problem) = self { Some(problem) } else { None }
    }

    /// Whether nobody answered at all.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Untrusted(_) | Self::TimedOut(_))
    }
}

/// Whether a refusal stands until a person does something.
#[must_use]
pub(crate) fn is_lasting(code: Code) -> bool {
    matches!(code, Code::Unauthorized | Code::Replaced | Code::UnknownProtocol)
}

/// A wait the dispatcher asked for, as far as it is obeyed.
#[must_use]
pub(crate) fn left_alone(ms: u64) -> Duration {
    Duration::from_millis(ms).min(LEFT_ALONE_MOST)
}
