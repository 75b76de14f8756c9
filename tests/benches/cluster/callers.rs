//! Callers in a closed loop: each has one call under way.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anyhow::Result;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::latencies::Latencies;
use crate::turns::Rival;

/// One of them.
pub trait Caller: Send + 'static {
    /// Makes call number `n`; what it did.
    fn call(&mut self, n: u64) -> impl Future<Output = Result<u64>> + Send;
}

/// Several of a kind.
pub struct Callers<C> {
    runtime: Rc<Runtime>,
    callers: Vec<C>,
    next: Arc<AtomicU64>,
}

impl<C: Caller> Callers<C> {
    /// Callers that draw their numbers from 1 on, together.
    pub fn new(runtime: &Rc<Runtime>, callers: Vec<C>) -> Self {
        Self::from(runtime, callers, &Arc::new(AtomicU64::new(1)))
    }

    /// Callers that draw their numbers together with others.
    pub fn from(runtime: &Rc<Runtime>, callers: Vec<C>, next: &Arc<AtomicU64>) -> Self {
        Self { runtime: Rc::clone(runtime), callers, next: Arc::clone(next) }
    }
}

impl<C: Caller> Rival for Callers<C> {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let mut at_work = JoinSet::new();
        for caller in self.callers.drain(..) {
            let next = Arc::clone(&self.next);
            at_work.spawn_on(call_until(caller, next, deadline), self.runtime.handle());
        }
        let mut done = 0;
        for ended in self.runtime.block_on(at_work.join_all()) {
            let (caller, mut own, count) = ended?;
            self.callers.push(caller);
            calls.append(&mut own);
            done += count;
        }
        Ok(done)
    }
}

async fn call_until<C: Caller>(
    mut caller: C,
    next: Arc<AtomicU64>,
    deadline: Instant,
) -> Result<(C, Latencies, u64)> {
    let (mut calls, mut done) = (Latencies::default(), 0);
    while Instant::now() < deadline {
        let begun = Instant::now();
        done += caller.call(next.fetch_add(1, Relaxed)).await?;
        calls.note(begun.elapsed());
    }
    Ok((caller, calls, done))
}

/// A kept HTTP connection.
impl Caller for Client {
    async fn call(&mut self, n: u64) -> Result<u64> {
        self.ask(n).await?;
        Ok(1)
    }
}
