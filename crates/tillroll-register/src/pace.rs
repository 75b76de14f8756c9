//! Keeping house: when the wall clock was set, the workers are woken, since each pulls in due times that it
//! left far ahead; bodies of old receipts are dropped, a portion at a time.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::clock::was_set;
use tillroll_store::{Dropped, Portion};

use crate::register::WeakRegister;

/// How often the clocks are compared.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often a search for old bodies begins.
const DROP_EVERY: Duration = Duration::from_secs(60 * 60);
/// Bodies of settled receipts are kept so long.
const BODIES_KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);
/// What a look takes of the receipts: a search through a million of them takes a hundred looks.
const PORTION: Portion = Portion { looked_at: 10_000, dropped: 1_000 };

/// Runs until the register ends.
pub(crate) async fn keep(register: WeakRegister) {
    let mut last: Option<(Timestamp, Duration)> = None;
    let mut search = Search { begin_at: Duration::ZERO, next: None };
    loop {
        let Some(register) = register.upgrade() else { return };
        let clock = register.clock();
        let reading = (clock.now(), clock.boot());
        if last.is_some_and(|before| was_set(before, reading)) {
            tracing::warn!("the wall clock was set");
            register.wake_all().await;
        }
        last = Some(reading);
        if let Some(from) = search.at(reading.1) {
            search.next = register.drop_old_bodies(reading.0, from).await;
        }
        drop(register);
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// A search for old bodies through all receipts, a portion a look.
struct Search {
    /// On the clock that counts since the computer's start.
    begin_at: Duration,
    /// The flow number it is at; none between two searches.
    next: Option<i64>,
}

impl Search {
    /// The flow number to look from at a moment, if anything is to be looked at.
    fn at(&mut self, boot: Duration) -> Option<i64> {
        if self.next.is_none() && boot >= self.begin_at {
            self.begin_at = boot + DROP_EVERY;
            self.next = Some(0);
        }
        self.next
    }
}

impl crate::Register {
    /// Where the search goes on; one that failed begins anew at its time.
    async fn drop_old_bodies(&self, now: Timestamp, from: i64) -> Option<i64> {
        let before = now.saturating_sub(BODIES_KEPT).unwrap_or(Timestamp::MIN);
        match self.store().drop_bodies(before, from, PORTION).await {
            Ok(Dropped { bodies, next }) => {
                if bodies > 0 {
                    tracing::info!(bodies, "bodies of old receipts were dropped");
                }
                next
            }
            Err(error) => {
                tracing::warn!(%error, "bodies of old receipts could not be dropped");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_goes_on_at_each_look_and_begins_anew_an_hour_after_it_began() {
        let mut search = Search { begin_at: Duration::ZERO, next: None };
        assert_eq!(search.at(LOOK_EVERY), Some(0));
        search.next = Some(7);
        assert_eq!(search.at(LOOK_EVERY * 2), Some(7));
        search.next = None;
        assert_eq!(search.at(DROP_EVERY), None);
        assert_eq!(search.at(LOOK_EVERY + DROP_EVERY), Some(0));
    }
}
