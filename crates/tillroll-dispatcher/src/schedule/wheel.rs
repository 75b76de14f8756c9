//! A hierarchical timing wheel of job keys: wakes for what is due, and only then.
//!
//! It holds keys and nothing else; what is due about a job is in its row. An entry is never early; it
//! is late by the timer's resolution of 1 ms. An empty or idle wheel arms no timer that ticks.

use std::future::poll_fn;
use std::task::{Context, Poll};

use tokio::time::Instant;
use tokio_util::time::DelayQueue;
use tokio_util::time::delay_queue;

use crate::job::JobKey;

/// Keys by the time they are due.
#[derive(Debug, Default)]
pub struct Wheel(DelayQueue<JobKey>);

/// One entry of a wheel. It must not be used after its entry came due.
#[derive(Debug, PartialEq, Eq)]
pub struct Timer(delay_queue::Key);

/// An entry that came due.
#[derive(Debug, PartialEq, Eq)]
pub struct Due {
    /// The job.
    pub key: JobKey,
    /// The entry it was.
    pub timer: Timer,
}

/// The furthest an entry lies ahead: well within what the wheel can hold.
const FURTHEST: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

impl Wheel {
    /// Adds an entry. One further ahead than a day comes due after a day: what it is for has to be
    /// looked up in any case.
    pub fn insert(&mut self, key: JobKey, at: Instant) -> Timer {
        Timer(self.0.insert_at(key, at.min(Instant::now() + FURTHEST)))
    }

    /// Takes an entry out.
    pub fn cancel(&mut self, timer: &Timer) {
        self.0.try_remove(&timer.0);
    }

    /// Waits for the next entry that is due; for ever in an empty wheel.
    pub async fn due(&mut self) -> Due {
        poll_fn(|cx| self.poll_due(cx)).await
    }

    /// As [`Self::due`], for one poll.
    pub fn poll_due(&mut self, cx: &mut Context<'_>) -> Poll<Due> {
        match self.0.poll_expired(cx) {
            Poll::Ready(Some(expired)) => {
                let timer = Timer(expired.key());
                Poll::Ready(Due { key: expired.into_inner(), timer })
            }
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }

    /// Entries in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes every entry out; no [`Timer`] of before may be used again.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::job::StoreNo;

    fn key(seq: i64) -> JobKey {
        JobKey { store: StoreNo(1), seq }
    }

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[tokio::test(start_paused = true)]
    async fn entries_come_in_order_and_never_early() {
        let (mut wheel, start) = (Wheel::default(), Instant::now());
        for seq in [30, 10, 20, 5_000] {
            wheel.insert(key(seq), start + ms(seq.unsigned_abs()));
        }
        for seq in [10, 20, 30, 5_000] {
            assert_eq!(wheel.due().await.key, key(seq));
            let late = start.elapsed() - ms(seq.unsigned_abs());
            assert!(late <= ms(1), "{late:?} late");
        }
        assert!(wheel.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn canceled_entry_does_not_come() {
        let (mut wheel, start) = (Wheel::default(), Instant::now());
        let first = wheel.insert(key(1), start + ms(10));
        wheel.insert(key(2), start + ms(20));
        wheel.cancel(&first);
        assert_eq!(wheel.due().await.key, key(2));
        assert_eq!(start.elapsed(), ms(20));
    }

    #[tokio::test(start_paused = true)]
    async fn past_entry_comes_at_once_and_far_one_does_not_panic() {
        let (mut wheel, start) = (Wheel::default(), Instant::now());
        wheel.insert(key(2), start + Duration::from_secs(1_000 * 365 * 86_400));
        wheel.insert(key(1), start);
        assert_eq!(wheel.due().await.key, key(1));
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
