//! Sliding windows: how often an action may be done. Pure; instants of a monotonic clock are passed in.
//!
//! A refused call does not count. The window holds as many instants as its limit, so it is bounded.

use std::collections::VecDeque;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::printer::UnknownWord;

/// An action that is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// An article is scanned: 20 in 1 s.
    Scan,
    /// A payment: 5 in 2 s.
    Pay,
    /// A refund: 3 in 5 s.
    Refund,
    /// A synchronisation asked for by hand: 50 in 60 s.
    Sync,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 4] = [Self::Scan, Self::Pay, Self::Refund, Self::Sync];

    /// The word in addresses and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Pay => "pay",
            Self::Refund => "refund",
            Self::Sync => "sync",
        }
    }

    /// How many calls in how long, without promotion.
    #[must_use]
    pub fn quota(self) -> (u32, Duration) {
        match self {
            Self::Scan => (20, Duration::from_secs(1)),
            Self::Pay => (5, Duration::from_secs(2)),
            Self::Refund => (3, Duration::from_secs(5)),
            Self::Sync => (50, Duration::from_secs(60)),
        }
    }
}

impl FromStr for Action {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.into_iter().find(|action| action.as_str() == text).ok_or_else(|| UnknownWord {
            text: text.to_owned(),
            allowed: "scan, pay, refund, sync",
        })
    }
}

/// The answer to "may I?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Whether the calls may be done; only then they counted.
    pub allowed: bool,
    /// Calls left in the window afterwards.
    pub remaining: u32,
    /// Fewer than 20 % are left.
    pub low: bool,
    /// After how long refused calls may be tried again; zero when allowed.
    pub retry_after: Duration,
}

/// Factor of a promotion in percent: 1.5 times the quota.
pub const PROMOTION_PERCENT: u32 = 150;
/// A promotion ends by itself after this.
pub const PROMOTION_LASTS: Duration = Duration::from_secs(2 * 60 * 60);

/// How a window stands before calls that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Calls in the window.
    pub used: u32,
    /// Most calls in it.
    pub limit: u32,
    /// How long until there is room for what is asked; zero when there is. More calls than the limit never
    /// have room.
    pub wait: Duration,
}

impl Answer {
    /// The answer to calls that pass several windows, each as it stands: all of them have room, or the calls
    /// count in none.
    #[must_use]
    pub fn of(standings: &[Standing], calls: u32) -> Self {
        let retry_after = standings.iter().map(|one| one.wait).max().unwrap_or_default();
        let allowed = retry_after.is_zero();
        let counted = if allowed { calls } else { 0 };
        let left = |one: &Standing| one.limit.saturating_sub(one.used.saturating_add(counted));
        let is_low = |one: &Standing| u64::from(left(one)) * 5 < u64::from(one.limit);
        Self {
            allowed,
            remaining: standings.iter().map(left).min().unwrap_or(u32::MAX),
            low: standings.iter().any(is_low),
            retry_after,
        }
    }
}

/// The calls of one action within its window.
#[derive(Debug, Clone)]
pub struct SlidingWindow {
    window: Duration,
    calls: VecDeque<Duration>,
}

impl SlidingWindow {
    /// An empty window of that length.
    #[must_use]
    pub fn new(window: Duration) -> Self {
        Self { window, calls: VecDeque::new() }
    }

    /// Asks for one call at an instant of a monotonic clock, under a limit of calls in the window.
    pub fn ask(&mut self, now: Duration, limit: u32) -> Answer {
        let answer = Answer::of(&[self.look(now, 1, limit)], 1);
        if answer.allowed {
            self.count(now, 1);
        }
        answer
    }

    /// How it stands before so many calls; they do not count yet.
    pub fn look(&mut self, now: Duration, calls: u32, limit: u32) -> Standing {
        self.let_go(now);
        let used = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
        let wait = match used.saturating_add(calls).saturating_sub(limit) {
            0 => Duration::ZERO,
            over => self.until_leave(over, now),
        };
        Standing { used, limit, wait }
    }

    /// Counts calls that were allowed.
    pub fn count(&mut self, now: Duration, calls: u32) {
        self.let_go(now);
        self.calls.extend((0..calls).map(|_| now));
    }

    /// Whether every call has left it.
    #[must_use]
    pub fn is_empty(&self, now: Duration) -> bool {
        self.calls.back().is_none_or(|call| now.saturating_sub(*call) >= self.window)
    }

    /// Forgets what has left the window.
    fn let_go(&mut self, now: Duration) {
        while self.calls.front().is_some_and(|call| now.saturating_sub(*call) >= self.window) {
            self.calls.pop_front();
        }
    }

    /// How long until so many of the oldest calls have left; a whole window when there are not as many.
    fn until_leave(&self, over: u32, now: Duration) -> Duration {
        let last = usize::try_from(over - 1).unwrap_or(usize::MAX);
        self.calls.get(last).map_or(self.window, |call| (*call + self.window).saturating_sub(now))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn sixth_payment_in_two_seconds_waits_until_the_first_leaves() {
        let (limit, window) = Action::Pay.quota();
        let mut pay = SlidingWindow::new(window);
        let remaining: Vec<_> = (0..5).map(|i| pay.ask(ms(i * 100), limit).remaining).collect();
        assert_eq!(remaining, [4, 3, 2, 1, 0]);
        let refused = pay.ask(ms(500), limit);
        assert_eq!((refused.allowed, refused.retry_after), (false, ms(1500)));
        assert!(!pay.ask(ms(1999), limit).allowed, "one millisecond early");
        assert!(pay.ask(ms(2000), limit).allowed, "exactly at the border");
    }

    #[test]
    fn refused_calls_do_not_count() {
        let mut window = SlidingWindow::new(ms(1000));
        assert!(window.ask(ms(0), 1).allowed);
        for i in 1..1000 {
            assert!(!window.ask(ms(i), 1).allowed);
        }
        assert!(window.ask(ms(1000), 1).allowed);
    }

    #[test]
    fn warning_comes_under_a_fifth() {
        let mut window = SlidingWindow::new(ms(1000));
        let low: Vec<_> = (0..10).map(|i| window.ask(ms(i), 10).low).collect();
        assert_eq!(low.iter().position(|low| *low), Some(8), "1 of 10 left");
    }

    #[test]
    fn window_that_shrank_waits_for_room() {
        let mut window = SlidingWindow::new(ms(1000));
        for i in 0..6 {
            assert!(window.ask(ms(i * 10), 6).allowed, "promotion");
        }
        let refused = window.ask(ms(100), 4);
        assert_eq!(refused.retry_after, ms(20 + 1000 - 100), "the third call must leave");
    }

    #[test]
    fn several_calls_count_as_one_or_not_at_all() {
        let mut window = SlidingWindow::new(ms(1000));
        window.count(ms(0), 2);
        window.count(ms(100), 1);
        let standing = window.look(ms(200), 4, 5);
        assert_eq!(standing, Standing { used: 3, limit: 5, wait: ms(800) }, "the first two leave");
        assert_eq!(window.look(ms(200), 2, 5).wait, ms(0));
        assert_eq!(window.look(ms(200), 6, 5).wait, ms(1000), "never");
        assert!(!window.is_empty(ms(1099)) && window.is_empty(ms(1100)));
    }

    #[test]
    fn window_keeps_no_call_that_left_it() {
        let mut window = SlidingWindow::new(ms(1000));
        for i in 0..10_000 {
            window.count(ms(i * 10), 1);
        }
        assert_eq!(window.calls.len(), 100);
    }

    #[test]
    fn call_through_several_windows_is_as_free_as_the_narrowest() {
        let wide = Standing { used: 3, limit: 100, wait: ms(0) };
        let narrow = Standing { used: 3, limit: 5, wait: ms(0) };
        let answer = |standings: &[Standing]| Answer::of(standings, 2);
        assert_eq!(
            answer(&[wide, narrow]),
            Answer { allowed: true, remaining: 0, low: true, retry_after: ms(0) }
        );
        let full = Standing { used: 99, wait: ms(70), ..wide };
        assert_eq!(
            answer(&[full, narrow]),
            Answer { allowed: false, remaining: 1, low: true, retry_after: ms(70) }
        );
    }

    proptest! {
        #[test]
        fn never_more_than_the_limit_in_any_window(gaps in proptest::collection::vec(0u64..400, 1..200), limit in 1u32..8) {
            let mut window = SlidingWindow::new(ms(1000));
            let (mut now, mut allowed) = (0, Vec::new());
            for gap in gaps {
                now += gap;
                if window.ask(ms(now), limit).allowed {
                    allowed.push(now);
                }
            }
            for (i, &start) in allowed.iter().enumerate() {
                let inside = allowed[i..].iter().take_while(|&&at| at < start + 1000).count();
                prop_assert!(inside <= limit as usize);
            }
        }
    }
}
