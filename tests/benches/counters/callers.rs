//! Callers that sell in process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anyhow::Result;
use tillroll_dispatcher::counters::Counters;
use tillroll_dispatcher::store::DispatcherStore;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::latencies::Latencies;
use crate::shop::Shop;
use crate::turns::Rival;

/// What callers ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// A new sale each time.
    Anew,
    /// One of a thousand sales that counted before.
    Again,
}

/// Several callers on a runtime, each with one sale under way.
pub struct Callers<S> {
    runtime: Arc<Runtime>,
    shop: Shop<S>,
    callers: u32,
    asks: Asks,
    next: Arc<AtomicU64>,
}

impl<S: Counters + DispatcherStore> Callers<S> {
    /// So many callers of a shop; their sales are none of other callers' here.
    pub fn new(runtime: &Arc<Runtime>, shop: &Shop<S>, callers: u32, asks: Asks) -> Self {
        let next = Arc::new(AtomicU64::new(u64::from(callers) * 1_000_000));
        Self { runtime: Arc::clone(runtime), shop: shop.clone(), callers, asks, next }
    }
}

impl<S: Counters + DispatcherStore> Rival for Callers<S> {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let before = self.next.load(Relaxed);
        let mut tasks = JoinSet::new();
        for _ in 0..self.callers {
            let (shop, next, asks) = (self.shop.clone(), Arc::clone(&self.next), self.asks);
            tasks.spawn_on(sell_until(deadline, shop, next, asks), self.runtime.handle());
        }
        for sold in self.runtime.block_on(tasks.join_all()) {
            calls.append(&mut sold?);
        }
        Ok(self.next.load(Relaxed) - before)
    }
}

async fn sell_until<S: Counters + DispatcherStore>(
    deadline: Instant,
    shop: Shop<S>,
    next: Arc<AtomicU64>,
    asks: Asks,
) -> Result<Latencies> {
    let mut calls = Latencies::default();
    while Instant::now() < deadline {
        let n = next.fetch_add(1, Relaxed);
        let n = if asks == Asks::Again { n % 1_000 } else { n };
        let begun = Instant::now();
        shop.sell(n).await?;
        calls.note(begun.elapsed());
    }
    Ok(calls)
}
