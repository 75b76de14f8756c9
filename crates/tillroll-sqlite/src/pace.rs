//! How often commits begin: after a short burst at most once in a span, so that those who come meanwhile share the
//! next one.
//!
//! A virtual scheduling algorithm (ITU-T I.371, annex A): each commit moves the time at which the next one is
//! expected by a span, and one that comes no more than a burst of spans before its time need not wait.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Commits that may follow each other without a wait.
const BURST: u32 = 20;

/// When the next commit is expected.
pub(crate) struct Pace {
    span: Duration,
    opened: Instant,
    /// Microseconds from `opened` to the time at which the next commit is expected.
    expected: AtomicU64,
}

impl Pace {
    pub(crate) fn new(span: Duration) -> Self {
        Self { span, opened: Instant::now(), expected: AtomicU64::new(0) }
    }

    /// How long the next commit is to wait yet.
    pub(crate) fn left(&self) -> Duration {
        if self.span.is_zero() {
            return Duration::ZERO;
        }
        let expected = Duration::from_micros(self.expected.load(Relaxed));
        expected.saturating_sub(self.span * BURST).saturating_sub(self.opened.elapsed())
    }

    /// Whether commits come more often than they may.
    pub(crate) fn is_over(&self) -> bool {
        !self.left().is_zero()
    }

    /// A commit begins.
    pub(crate) fn note(&self) {
        if !self.span.is_zero() {
            let expected = Duration::from_micros(self.expected.load(Relaxed));
            let next = (expected.max(self.opened.elapsed()) + self.span).as_micros();
            self.expected.store(u64::try_from(next).unwrap_or(u64::MAX), Relaxed);
        }
    }
}
