//! What passed through the proxy.

use std::sync::{Arc, Mutex};

use tokio::sync::watch;

use super::{Side, lock};

/// Bytes recorded of one direction of one connection; more pass, unrecorded.
const RECORD_MAX: usize = 64 * 1024 * 1024;

/// One connection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exchange {
    /// What the device got.
    pub up: Vec<u8>,
    /// What the client got.
    pub down: Vec<u8>,
    /// Whether the link is over.
    pub closed: bool,
}

/// Every connection of a proxy.
#[derive(Debug, Default)]
pub(super) struct Records {
    exchanges: Mutex<Vec<Exchange>>,
    most_open: Mutex<usize>,
    changed: watch::Sender<()>,
    /// Whether connections are refused right now.
    pub(super) refusing: watch::Sender<bool>,
}

impl Records {
    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        lock(&self.exchanges).clone()
    }

    pub(super) fn most_open(&self) -> usize {
        *lock(&self.most_open)
    }

    /// Begins the record of a new connection.
    pub(super) fn open(self: &Arc<Self>) -> Record {
        let mut exchanges = lock(&self.exchanges);
        exchanges.push(Exchange::default());
        let open = exchanges.iter().filter(|exchange| !exchange.closed).count();
        let mut most = lock(&self.most_open);
        *most = open.max(*most);
        self.changed.send_replace(());
        Record { records: Arc::clone(self), nth: exchanges.len() - 1 }
    }

    pub(super) async fn until(&self, wanted: impl Fn(&[Exchange]) -> bool) {
        let mut changed = self.changed.subscribe();
        while !wanted(&lock(&self.exchanges)) {
            if changed.changed().await.is_err() {
                return;
            }
        }
    }
}

/// The record of one connection; it is closed when dropped.
pub(super) struct Record {
    records: Arc<Records>,
    nth: usize,
}

impl Record {
    pub(super) fn add(&self, side: Side, bytes: &[u8]) {
        self.change(|exchange| {
            let recorded = match side {
                Side::Up => &mut exchange.up,
                Side::Down => &mut exchange.down,
            };
            let room = RECORD_MAX.saturating_sub(recorded.len()).min(bytes.len());
            recorded.extend_from_slice(&bytes[..room]);
        });
    }

    fn change(&self, by: impl FnOnce(&mut Exchange)) {
        if let Some(exchange) = lock(&self.records.exchanges).get_mut(self.nth) {
            by(exchange);
        }
        self.records.changed.send_replace(());
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        self.change(|exchange| exchange.closed = true);
    }
}
