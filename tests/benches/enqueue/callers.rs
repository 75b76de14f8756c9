//! Callers that record receipts in process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anyhow::Result;
use tillroll_store::{PrinterId, Store};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::latencies::Latencies;
use crate::receipts::Receipts;
use crate::turns::Rival;

/// One caller without a runtime.
pub struct LoneCaller {
    store: Store,
    receipts: Receipts,
    next: u64,
}

impl LoneCaller {
    /// A caller that hands over receipts for a printer.
    pub fn new(store: Store, printer: PrinterId) -> Result<Self> {
        Ok(Self { store, receipts: Receipts::new(printer)?, next: 1 })
    }
}

impl Rival for LoneCaller {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let first = self.next;
        while Instant::now() < deadline {
            let new = self.receipts.number(self.next)?;
            let begun = Instant::now();
            self.store.record_receipt_blocking(new)?;
            calls.note(begun.elapsed());
            self.next += 1;
        }
        Ok(self.next - first)
    }
}

/// Several callers on a runtime, each with one receipt under way.
pub struct AsyncCallers {
    runtime: Arc<Runtime>,
    caller: Caller,
    callers: u32,
}

#[derive(Clone)]
struct Caller {
    store: Store,
    receipts: Receipts,
    next: Arc<AtomicU64>,
}

impl AsyncCallers {
    /// So many callers that hand over receipts for a printer.
    pub fn new(
        runtime: &Arc<Runtime>,
        store: Store,
        printer: PrinterId,
        callers: u32,
    ) -> Result<Self> {
        let caller = Caller { store, receipts: Receipts::new(printer)?, next: Arc::default() };
        Ok(Self { runtime: Arc::clone(runtime), caller, callers })
    }
}

impl Rival for AsyncCallers {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let before = self.caller.next.load(Relaxed);
        let mut tasks = JoinSet::new();
        for _ in 0..self.callers {
            tasks.spawn_on(self.caller.clone().record_until(deadline), self.runtime.handle());
        }
        for recorded in self.runtime.block_on(tasks.join_all()) {
            calls.append(&mut recorded?);
        }
        Ok(self.caller.next.load(Relaxed) - before)
    }
}

impl Caller {
    async fn record_until(self, deadline: Instant) -> Result<Latencies> {
        let mut calls = Latencies::default();
        while Instant::now() < deadline {
            let new = self.receipts.number(self.next.fetch_add(1, Relaxed) + 1)?;
            let begun = Instant::now();
            self.store.record_receipt(new).await?;
            calls.note(begun.elapsed());
        }
        Ok(calls)
    }
}
