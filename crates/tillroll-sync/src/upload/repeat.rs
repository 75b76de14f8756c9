//! A request without an answer is repeated on another connection, and again after a while: it may have met a lost
//! packet whose repetition takes far longer than the request. Ids make that free for the books; a budget makes it
//! cheap for a server that is slow.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tillroll_domain::clock::Clock;
use tokio::time::sleep;

use crate::{Lane, LinkError};

/// The least wait before a repeat of a request with a few records, ...
const AT_LEAST: Duration = Duration::from_millis(30);
/// ... and of one with many, which takes its time at the other side.
const OF_MANY_AT_LEAST: Duration = Duration::from_millis(500);
/// Records up to which they are few.
const FEW: usize = 32;
/// Requests that earn one repeat: 10 %.
const REQUESTS_A_REPEAT: u32 = 10;
/// Repeats saved up at most.
const SAVED_MOST: u32 = 10;
/// Waits for an answer after which a repeat costs nothing: by then a try would have been given up.
const FREE_AFTER: u32 = 3;

/// When a request is repeated, and how often one may be.
#[derive(Debug)]
pub(super) struct Repeats {
    /// Between a repeat and the next.
    again: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    few: Answers,
    many: Answers,
    /// In tenths of a repeat.
    saved: u32,
}

impl Default for State {
    fn default() -> Self {
        let (few, many) = (Answers::new(AT_LEAST), Answers::new(OF_MANY_AT_LEAST));
        Self { few, many, saved: SAVED_MOST * REQUESTS_A_REPEAT }
    }
}

impl State {
    fn answers(&mut self, records: usize) -> &mut Answers {
        if records > FEW { &mut self.many } else { &mut self.few }
    }
}

/// How long answers take.
#[derive(Debug)]
struct Answers {
    at_least: Duration,
    /// Smoothed, 7/8 of it the past's (RFC 6298 2.3).
    usual: Option<Duration>,
}

impl Answers {
    fn new(at_least: Duration) -> Self {
        Self { at_least, usual: None }
    }

    fn measured(&mut self, took: Duration) {
        self.usual = Some(self.usual.map_or(took, |past| (past * 7 + took) / 8));
    }

    /// Twice the time an answer takes.
    fn wait(&self) -> Duration {
        self.usual.map_or(self.at_least, |usual| (usual * 2).max(self.at_least))
    }
}

impl Repeats {
    pub(super) fn new(again: Duration) -> Self {
        Self { again, state: Mutex::default() }
    }

    /// Asks on the first lane and, while there is no answer, again on the other one. The first good answer
    /// counts; those that were asked before keep their time. The request has so many records.
    pub(super) async fn ask<T, F>(
        &self,
        clock: &dyn Clock,
        records: usize,
        ask: impl Fn(Lane) -> F,
    ) -> Result<T, LinkError>
    where
        F: Future<Output = Result<T, LinkError>>,
    {
        self.earn();
        let began = clock.boot();
        let mut lanes = [Lane::First, Lane::Second].into_iter().cycle();
        let mut asked = FuturesUnordered::new();
        asked.extend(lanes.next().map(&ask));
        let mut wait = self.wait(records);
        let (mut repeated, mut waits) = (false, 0);
        loop {
            tokio::select! {
                Some(answer) = asked.next() => {
                    if answer.is_ok() && !repeated {
                        let took = clock.boot().saturating_sub(began);
                        self.state().answers(records).measured(took);
                    }
                    if answer.is_ok() || asked.is_empty() {
                        return answer;
                    }
                }
                () = sleep(wait) => {
                    waits += 1;
                    if waits > FREE_AFTER || self.spend() {
                        asked.extend(lanes.next().map(&ask));
                        (repeated, waits) = (true, 0);
                    }
                    wait = self.again;
                }
            }
        }
    }

    fn wait(&self, records: usize) -> Duration {
        self.state().answers(records).wait()
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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tillroll_testkit::ManualClock;

    use super::*;

    const AGAIN: Duration = Duration::from_secs(1);

    fn clock() -> ManualClock {
        ManualClock::reading("2026-10-12T10:00:00Z")
    }

    /// The lanes that were asked when the first never answers.
    async fn lanes_of(repeats: &Repeats, second: Result<u8, LinkError>) -> Vec<Lane> {
        let (asked, second) = (RefCell::new(Vec::new()), RefCell::new(Some(second)));
        let clock = clock();
        let answer = repeats.ask(&clock, 1, |lane| {
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
        let lanes = lanes_of(&Repeats::new(AGAIN), Ok(1)).await;
        assert_eq!(lanes, [Lane::First, Lane::Second]);
    }

    #[tokio::test(start_paused = true)]
    async fn one_request_in_ten_is_repeated_at_most() {
        let repeats = Repeats::new(AGAIN);
        let mut repeated = 0;
        for _ in 0..100 {
            repeated += lanes_of(&repeats, Ok(1)).await.len() - 1;
        }
        assert!((19..=20).contains(&repeated), "{repeated}");
    }

    #[tokio::test(start_paused = true)]
    async fn failed_repeat_leaves_the_first_its_time() {
        let failing = Err(LinkError::Dropped(None));
        assert_eq!(lanes_of(&Repeats::new(AGAIN), failing).await.len(), 2);
        let repeats = Repeats::new(AGAIN);
        let clock = clock();
        let answer = repeats.ask(&clock, 1, async |lane| match lane {
            Lane::First => {
                sleep(Duration::from_millis(300)).await;
                Ok("first")
            }
            Lane::Second => Err(LinkError::Dropped(None)),
        });
        assert_eq!(answer.await.unwrap(), "first");
    }
}
