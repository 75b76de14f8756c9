//! The POS at the register: it sells, and keeps its own list of what was acknowledged.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::ids::JobId;
use tillroll_testkit::receipts;
use tokio::time::sleep;

use crate::cloud::job_id;
use crate::shop::Shop;

/// A ticket is out of the printer within this, or something is wrong.
const PATIENCE: Duration = Duration::from_secs(10);

/// A POS. Every sale is one receipt of the same amount.
pub struct Pos {
    pub shop: Arc<Shop>,
    /// How often each acknowledged sale was sent.
    pub acknowledged: BTreeMap<JobId, usize>,
    sold: u32,
}

impl Pos {
    /// A POS that has sold nothing.
    pub fn new(shop: Arc<Shop>) -> Self {
        Self { shop, acknowledged: BTreeMap::new(), sold: 0 }
    }

    /// The id of a sale.
    pub fn id(&self, number: u32) -> JobId {
        job_id(&self.shop.code, &receipts::simple(number))
    }

    /// Sells, waiting for the paper each time and for so long afterwards; the numbers.
    pub async fn sell(&mut self, sales: u32, every: Duration) -> Range<u32> {
        let numbers = self.sold + 1..self.sold + 1 + sales;
        self.sold += sales;
        self.send_again(numbers.clone(), every).await;
        numbers
    }

    /// Sells once at a printer that cannot print; the number.
    pub async fn sell_without_paper(&mut self) -> u32 {
        self.sold += 1;
        self.send(self.sold).await;
        self.sold
    }

    /// Sends sales of those numbers, whether or not they were sent before.
    pub async fn send_again(&mut self, numbers: Range<u32>, every: Duration) {
        for number in numbers {
            let before = self.shop.printer.cut_tickets();
            self.send(number).await;
            let printer = &self.shop.printer;
            printer.wait_until(PATIENCE, |paper| paper.cut_tickets() > before).await.unwrap();
            sleep(every).await;
        }
    }

    async fn send(&mut self, number: u32) {
        self.shop.sells(&receipts::simple(number)).await;
        *self.acknowledged.entry(self.id(number)).or_default() += 1;
    }
}
