//! The seam the register fills: states turned by hand, pushes recorded in the till's own database.

use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::{JobKind, Part};
use tillroll_domain::printer::StopReason;
use tillroll_store::{Expiry, NewReceipt, PrinterId, Pushed, Store, StoreError};
use tillroll_sync::{Announced, Printers, Untaken, receipt_of};
use tillroll_wire::Code;
use tillroll_wire::channel::{PrinterReport, Push};
use tokio::sync::watch;

use super::TestClock;
use super::till::new_receipt;

#[derive(Clone)]
pub struct TestPrinters {
    store: Store,
    clock: TestClock,
    front: PrinterId,
    announced: Arc<watch::Sender<Announced>>,
}

impl TestPrinters {
    pub fn new(store: Store, clock: TestClock, front: PrinterId) -> Self {
        let report = PrinterReport { name: name("front"), ready: true, reason: None };
        let routes = [(JobKind::Receipt, name("front"))].into();
        let announced = Announced { printers: vec![report], routes };
        Self { store, clock, front, announced: Arc::new(watch::Sender::new(announced)) }
    }

    /// Stops the front printer, or has it go on.
    pub fn stop(&self, reason: Option<StopReason>) {
        self.announced.send_modify(|announced| {
            announced.printers[0].ready = reason.is_none();
            announced.printers[0].reason = reason;
        });
    }

    pub fn set(&self, announced: Announced) {
        self.announced.send_replace(announced);
    }
}

pub fn name(text: &str) -> Part {
    text.parse().unwrap()
}

impl Printers for TestPrinters {
    async fn announced(&self) -> Announced {
        self.announced.borrow().clone()
    }

    async fn changed(&self) {
        let _ = self.announced.subscribe().changed().await;
    }

    async fn take(&self, push: Push) -> Result<(), Untaken> {
        let receipt = receipt_of(&push, &name("S1"))?;
        let remaining = push.remaining_ms.map(Duration::from_millis);
        let expiry = remaining
            .map(|remaining| Expiry::after(remaining, self.clock.now(), self.clock.boot()));
        let client = self.store.cloud().await.unwrap().unwrap().client;
        let new = NewReceipt {
            client: Some(client),
            held: push.held,
            pushed: Some(Pushed { expiry }),
            ..new_receipt(&receipt, &self.clock, self.front)
        };
        match self.store.record_receipt(new).await {
            Ok(_) => Ok(()),
            Err(error @ StoreError::Conflict { .. }) => {
                Err(Untaken::refused(Code::Conflict, error.to_string()))
            }
            Err(error) => Err(Untaken::NotNow(error.to_string())),
        }
    }
}
