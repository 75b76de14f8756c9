//! The rival that first comes to mind: one sleeping task a job.

use std::time::Duration;

use anyhow::Result;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::jobs::Deadlines;
use crate::latencies::Latencies;

/// So many tasks with these deadlines.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sleepers {
    /// When each is due.
    pub deadlines: Deadlines,
    /// Until when it is looked who wakes.
    pub until: Timestamp,
}

/// How late those were that woke.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Late {
    /// How many woke.
    pub count: usize,
    /// Of their lateness, in nanoseconds.
    pub p50_ns: u64,
    /// As [`Self::p50_ns`].
    pub p99_ns: u64,
    /// As [`Self::p50_ns`].
    pub most_ns: u64,
}

impl Late {
    /// Of so many.
    pub fn of(count: usize, late: &Latencies) -> Self {
        let ns = |share| u64::try_from(late.quantile(share).as_nanos()).unwrap_or(u64::MAX);
        Self { count, p50_ns: ns(0.5), p99_ns: ns(0.99), most_ns: ns(1.0) }
    }
}

impl Sleepers {
    /// Says when all of them sleep, and how late they were at the end.
    pub async fn run(self) -> Result<()> {
        let (instant, now) = (Instant::now(), SystemClock.now());
        let at = |due: Timestamp| {
            instant + Duration::try_from(due.duration_since(now)).unwrap_or_default()
        };
        let (woke, mut waking) = mpsc::unbounded_channel();
        for number in 0..self.deadlines.count() {
            let (woke, due) = (woke.clone(), at(self.deadlines.of(number)));
            tokio::spawn(async move {
                tokio::time::sleep_until(due).await;
                // Whoever counted may have gone.
                let _ = woke.send(due.elapsed());
            });
        }
        println!("{}", serde_json::to_string(&self.deadlines.count())?);
        let (mut late, mut count, end) = (Latencies::default(), 0, at(self.until));
        while let Ok(Some(by)) = tokio::time::timeout_at(end, waking.recv()).await {
            late.note(by);
            count += 1;
        }
        println!("{}", serde_json::to_string(&Late::of(count, &late))?);
        // What a task a job costs to put away is not asked.
        std::future::pending().await
    }
}
