//! What became of calls and comparisons, for metrics and tests.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use tillroll_domain::splits::ChannelFault;

use super::{Answer, Round, Told};

/// Counted as it happens.
#[derive(Debug, Default)]
pub(crate) struct PaymentFigures {
    paid: AtomicU64,
    queued: AtomicU64,
    refused: AtomicU64,
    not_there: AtomicU64,
    unanswered: AtomicU64,
    unreached: AtomicU64,
    busy: AtomicU64,
    gone: AtomicBool,
    most_at_once: AtomicU64,
    rounds: AtomicU64,
    repairs: AtomicU64,
    differences: AtomicU64,
    foreign: AtomicU64,
    alarm: AtomicBool,
}

/// The figures at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PaymentCounts {
    /// Answers of the channel by what they say.
    pub answers: [(&'static str, u64); 7],
    /// The channel is gone.
    pub gone: bool,
    /// The most calls that were under way at the same time.
    pub most_at_once: u64,
    /// Comparisons of both sides that came to their end.
    pub rounds: u64,
    /// Splits that the newest one repaired.
    pub repairs: u64,
    /// Of these, or beside them: amounts that differed.
    pub differences: u64,
    /// Payments at the channel that nobody here asked for.
    pub foreign: u64,
    /// The newest comparison repaired too many.
    pub alarm: bool,
}

impl PaymentFigures {
    pub fn told(&self, answer: &Answer<Told>) {
        let counter = match answer {
            Ok(Told::Paid(_)) => &self.paid,
            Ok(Told::Queued(_)) => &self.queued,
            Ok(Told::Refused(_) | Told::Differs) => &self.refused,
            Ok(Told::NotThere) => &self.not_there,
            Err(ChannelFault::Unanswered) => &self.unanswered,
            Err(ChannelFault::Unreached) => &self.unreached,
            Err(ChannelFault::Busy) => &self.busy,
        };
        counter.fetch_add(1, Relaxed);
    }

    pub fn under_way(&self, calls: usize) {
        self.most_at_once.fetch_max(u64::try_from(calls).unwrap_or(u64::MAX), Relaxed);
    }

    pub fn set_gone(&self, gone: bool) {
        self.gone.store(gone, Relaxed);
    }

    pub fn compared(&self, round: &Round, alarm: bool) {
        self.rounds.fetch_add(1, Relaxed);
        self.repairs.store(round.repairs, Relaxed);
        self.differences.store(round.differences, Relaxed);
        self.foreign.store(round.foreign, Relaxed);
        self.alarm.store(alarm, Relaxed);
    }

    pub fn counts(&self) -> PaymentCounts {
        let answers = [
            ("paid", &self.paid),
            ("queued", &self.queued),
            ("refused", &self.refused),
            ("not_there", &self.not_there),
            ("unanswered", &self.unanswered),
            ("unreached", &self.unreached),
            ("busy", &self.busy),
        ];
        PaymentCounts {
            answers: answers.map(|(word, count)| (word, count.load(Relaxed))),
            gone: self.gone.load(Relaxed),
            most_at_once: self.most_at_once.load(Relaxed),
            rounds: self.rounds.load(Relaxed),
            repairs: self.repairs.load(Relaxed),
            differences: self.differences.load(Relaxed),
            foreign: self.foreign.load(Relaxed),
            alarm: self.alarm.load(Relaxed),
        }
    }
}
