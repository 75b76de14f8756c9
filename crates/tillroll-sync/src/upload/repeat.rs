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

use super::budget::Budget;
use crate::{Lane, LinkError};

/// The least wait before a repeat of a request with a few records, ...
const AT_LEAST: Duration = Duration::from_millis(30);
/// ... and of one with many, which takes its time at the other side.
const OF_MANY_AT_LEAST: Duration = Duration::from_millis(500);
/// Records up to which they are few.
const FEW: usize = 32;
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
    budget: Budget,
}

impl Default for State {
    fn default() -> Self {
        let (few, many) = (Answers::new(AT_LEAST), Answers::new(OF_MANY_AT_LEAST));
        Self { few, many, budget: Budget::default() }
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

/// A request under way.
struct Request {
    records: usize,
    /// By the boot clock.
    began: Duration,
    repeats: u32,
    /// Repeats taken from the budget.
    spent: u32,
    /// Waits since it was asked last.
    waits: u32,
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
        let mut request = self.begin(clock.boot(), records);
        let mut asked = FuturesUnordered::from_iter([numbered(0, ask(Lane::First))]);
        let mut wait = self.wait(records);
        loop {
            tokio::select! {
                Some((number, answer)) = asked.next() => {
                    if answer.is_ok() {
                        self.answered(&request, number, clock.boot());
                    }
                    if answer.is_ok() || asked.is_empty() {
                        return answer;
                    }
                }
                () = sleep(wait) => {
                    let repeat = self.repeat(&mut request);
                    asked.extend(repeat.map(|number| numbered(number, ask(lane_of(number)))));
                    wait = self.again;
                }
            }
        }
    }

    /// The connection is back.
    pub(super) fn reconnected(&self) {
        self.state().budget.reconnected();
    }

    fn begin(&self, began: Duration, records: usize) -> Request {
        self.state().budget.asked();
        Request { records, began, repeats: 0, spent: 0, waits: 0 }
    }

    /// Answers that lost packets made late do not make the wait longer than one between repeats.
    fn wait(&self, records: usize) -> Duration {
        self.state().answers(records).wait().min(self.again)
    }

    /// A wait is over; the number of the repeat, if there may be one.
    fn repeat(&self, request: &mut Request) -> Option<u32> {
        request.waits += 1;
        let is_free = request.waits > FREE_AFTER;
        if !is_free && !self.state().budget.spend() {
            return None;
        }
        request.repeats += 1;
        request.spent += u32::from(!is_free);
        request.waits = 0;
        Some(request.repeats)
    }

    /// The try of this number, 0 for the first, was answered.
    fn answered(&self, request: &Request, number: u32, now: Duration) {
        let mut state = self.state();
        if request.repeats == 0 {
            state.answers(request.records).measured(now.saturating_sub(request.began));
        }
        if number > 0 {
            state.budget.won(request.spent);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer, and to which of the tries it is.
async fn numbered<T>(number: u32, answer: impl Future<Output = T>) -> (u32, T) {
    (number, answer.await)
}

/// Each try takes another connection than the one before.
fn lane_of(number: u32) -> Lane {
    if number.is_multiple_of(2) { Lane::First } else { Lane::Second }
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

    #[test]
    fn answer_that_was_late_does_not_put_off_the_next_repeat() {
        let repeats = Repeats::new(AGAIN);
        let request = repeats.begin(Duration::ZERO, 500);
        repeats.answered(&request, 0, Duration::from_secs(8));
        assert_eq!(repeats.wait(500), AGAIN);
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
