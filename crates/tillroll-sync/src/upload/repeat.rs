//! A request without an answer is repeated once, on another connection: it may have met a lost packet
//! whose repetition takes far longer than the request. Ids make that free for the books; a budget makes it
//! cheap for a server that is slow.

use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tillroll_domain::clock::Clock;
use tokio::time::sleep;

use crate::{Lane, LinkError};

/// The least wait before a repeat.
const AT_LEAST: Duration = Duration::from_millis(30);
/// Requests that earn one repeat: 10 %.
const REQUESTS_A_REPEAT: u32 = 10;
/// Repeats saved up at most.
const SAVED_MOST: u32 = 10;

/// When a request is repeated, and how often one may be.
#[derive(Debug, Default)]
pub(super) struct Repeats(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Smoothed time of an answer, 7/8 of it the past's (RFC 6298 2.3).
    answer: Option<Duration>,
    /// In tenths of a repeat.
    saved: u32,
}

impl Default for State {
    fn default() -> Self {
        Self { answer: None, saved: REQUESTS_A_REPEAT }
    }
}

impl Repeats {
    /// Asks on the first lane and, without an answer in time, once more on the second. The first good
    /// answer counts.
    pub(super) async fn ask<T, F>(
        &self,
        clock: &dyn Clock,
        ask: impl Fn(Lane) -> F,
    ) -> Result<T, LinkError>
    where
        F: Future<Output = Result<T, LinkError>>,
    {
        self.earn();
        let began = clock.boot();
        let mut first = pin!(ask(Lane::First));
        tokio::select! {
            answer = &mut first => {
                if answer.is_ok() {
                    self.measured(clock.boot().saturating_sub(began));
                }
                return answer;
            }
            () = sleep(self.wait()) => {}
        }
        if !self.spend() {
            return first.await;
        }
        let mut second = pin!(ask(Lane::Second));
        let (answer, other) = tokio::select! {
            answer = &mut first => (answer, second),
            answer = &mut second => (answer, first),
        };
        if answer.is_ok() { answer } else { other.await }
    }

    /// Twice the time an answer takes.
    fn wait(&self) -> Duration {
        self.state().answer.map_or(AT_LEAST, |answer| (answer * 2).max(AT_LEAST))
    }

    fn measured(&self, took: Duration) {
        let mut state = self.state();
        state.answer = Some(state.answer.map_or(took, |past| (past * 7 + took) / 8));
    }

    fn earn(&self) {
        let mut state = self.state();
        state.saved = (state.saved + 1).min(SAVED_MOST * REQUESTS_A_REPEAT);
    }

    fn spend(&self) -> bool {
        let mut state = self.state();
        let left = state.saved.checked_sub(REQUESTS_A_REPEAT);
        state.saved = left.unwrap_or(state.saved);
        left.is_some()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tillroll_testkit::ManualClock;

    use super::*;

    fn clock() -> ManualClock {
        ManualClock::reading("2026-10-12T10:00:00Z")
    }

    /// The lanes that were asked when the first never answers.
    async fn lanes_of(repeats: &Repeats, second: Result<u8, LinkError>) -> Vec<Lane> {
        let (asked, second) = (RefCell::new(Vec::new()), RefCell::new(Some(second)));
        let clock = clock();
        let answer = repeats.ask(&clock, |lane| {
            asked.borrow_mut().push(lane);
            let answer = match lane {
                Lane::First => None,
                Lane::Second => second.borrow_mut().take(),
            };
            async move {
                match answer {
                    Some(answer) => answer,
                    None => std::future::pending().await,
                }
            }
        });
        let _ = tokio::time::timeout(Duration::from_secs(1), answer).await;
        asked.into_inner()
    }

    #[tokio::test(start_paused = true)]
    async fn request_without_an_answer_is_repeated_once_on_another_connection() {
        let lanes = lanes_of(&Repeats::default(), Ok(1)).await;
        assert_eq!(lanes, [Lane::First, Lane::Second]);
    }

    #[tokio::test(start_paused = true)]
    async fn one_request_in_ten_is_repeated_at_most() {
        let repeats = Repeats::default();
        let mut repeated = 0;
        for _ in 0..100 {
            repeated += lanes_of(&repeats, Ok(1)).await.len() - 1;
        }
        assert!((10..=11).contains(&repeated), "{repeated}");
    }

    #[tokio::test(start_paused = true)]
    async fn failed_repeat_leaves_the_first_its_time() {
        let failing = Err(LinkError::Dropped(None));
        assert_eq!(lanes_of(&Repeats::default(), failing).await.len(), 2);
        let repeats = Repeats::default();
        let clock = clock();
        let answer = repeats.ask(&clock, async |lane| match lane {
            Lane::First => {
                sleep(Duration::from_millis(300)).await;
                Ok("first")
            }
            Lane::Second => Err(LinkError::Dropped(None)),
        });
        assert_eq!(answer.await.unwrap(), "first");
    }
}
