//! Hints gathered for a screen, so that a busy till does not make it read everything a thousand times.

use std::time::Duration;

use tillroll_store::Hint as StoreHint;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::{Instant, sleep_until};

use crate::Register;
use crate::view::Hint;

/// A batch that names more things than these says "everything".
const NAMED_MOST: usize = 64;

/// Hints in batches: each thing once in a batch, and a pause between two of them.
pub struct HintBatches {
    hints: Receiver<StoreHint>,
    pause: Duration,
    next_at: Instant,
}

impl Register {
    /// Hints from now on, with `pause` between two batches.
    #[must_use]
    pub fn hint_batches(&self, pause: Duration) -> HintBatches {
        HintBatches::new(self.store().feed().listen(), pause)
    }
}

impl HintBatches {
    fn new(hints: Receiver<StoreHint>, pause: Duration) -> Self {
        Self { hints, pause, next_at: Instant::now() }
    }

    /// The next batch; `None` when the register has ended.
    pub async fn next(&mut self) -> Option<Vec<Hint>> {
        let mut batch = Batch::default();
        match self.hints.recv().await {
            Ok(hint) => batch.add(hint.into()),
            Err(RecvError::Lagged(_)) => batch.add(Hint::Everything),
            Err(RecvError::Closed) => return None,
        }
        // A hint after a quiet time goes on at once; in a flood they gather here.
        sleep_until(self.next_at).await;
        self.next_at = Instant::now() + self.pause;
        self.add_waiting(&mut batch);
        Some(batch.hints)
    }

    fn add_waiting(&mut self, batch: &mut Batch) {
        loop {
            match self.hints.try_recv() {
                Ok(hint) => batch.add(hint.into()),
                Err(TryRecvError::Lagged(_)) => batch.add(Hint::Everything),
                // That it ended is found by the next call.
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }
}

#[derive(Default)]
struct Batch {
    hints: Vec<Hint>,
}

impl Batch {
    fn add(&mut self, hint: Hint) {
        if self.hints.contains(&hint) || self.hints.contains(&Hint::Everything) {
            return;
        }
        if hint == Hint::Everything || self.hints.len() == NAMED_MOST {
            self.hints = vec![Hint::Everything];
        } else {
            self.hints.push(hint);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast;

    use super::*;

    const PAUSE: Duration = Duration::from_millis(100);

    fn job(id: u32) -> StoreHint {
        StoreHint::Job { id: id.to_string() }
    }

    #[tokio::test(start_paused = true)]
    async fn first_hint_goes_on_at_once_and_a_flood_ten_times_a_second_at_most() {
        let sender = broadcast::Sender::new(1024);
        let mut batches = HintBatches::new(sender.subscribe(), PAUSE);
        let begun = Instant::now();
        for nth in 0..20 {
            sender.send(job(nth)).unwrap();
            sender.send(StoreHint::Day).unwrap();
            let batch = batches.next().await.unwrap();
            assert_eq!(batch.len(), 2, "{batch:?}");
        }
        assert!(begun.elapsed() >= PAUSE * 19);
        assert!(begun.elapsed() < PAUSE * 20);
    }

    #[tokio::test(start_paused = true)]
    async fn the_same_thing_is_named_once() {
        let sender = broadcast::Sender::new(1024);
        let mut batches = HintBatches::new(sender.subscribe(), PAUSE);
        for _ in 0..50 {
            sender.send(StoreHint::Day).unwrap();
        }
        assert_eq!(batches.next().await, Some(vec![Hint::Day]));
    }

    #[tokio::test(start_paused = true)]
    async fn too_many_or_missed_hints_are_everything() {
        let sender = broadcast::Sender::new(1024);
        let mut batches = HintBatches::new(sender.subscribe(), PAUSE);
        for nth in 0..100 {
            sender.send(job(nth)).unwrap();
        }
        assert_eq!(batches.next().await, Some(vec![Hint::Everything]));
        let small = broadcast::Sender::new(2);
        let mut batches = HintBatches::new(small.subscribe(), PAUSE);
        for nth in 0..9 {
            small.send(job(nth)).unwrap();
        }
        assert_eq!(batches.next().await, Some(vec![Hint::Everything]));
    }

    #[tokio::test]
    async fn batches_end_with_the_register() {
        let sender = broadcast::Sender::new(2);
        let mut batches = HintBatches::new(sender.subscribe(), PAUSE);
        drop(sender);
        assert_eq!(batches.next().await, None);
    }
}
