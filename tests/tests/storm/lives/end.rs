//! The end of a life: everything is mended, everything is answered, and everything adds up.

use std::time::Duration;

use tillroll_dispatcher::store::DispatcherStore as _;
use tillroll_domain::print_job::JobState;
use tokio::time::sleep;

use super::Life;
use crate::wrong::Wrong;

/// The amount of every sale.
const PRICE_MINOR: i64 = 1_250;
/// Rounds of waiting and answering until nothing is open.
const ROUNDS: usize = 200;
const ROUND: Duration = Duration::from_secs(5);

impl Life<'_> {
    /// Mends, waits, answers, and judges.
    pub async fn end(&mut self) {
        self.printer_is_well_again();
        self.shop.line.restore();
        self.sold += 1;
        self.sells(self.sold).await;
        let mut open = vec!["the end itself".to_owned()];
        for _ in 0..ROUNDS {
            if open.is_empty() {
                break;
            }
            self.clerk_answers().await;
            sleep(ROUND).await;
            open = self.open().await;
        }
        Wrong::Silent.unless(open.is_empty(), || format!("open for ever: {open:#?}"));
        self.model.check_end(&self.world.history().papers());
        self.check_books().await;
    }

    /// What is not over yet.
    async fn open(&self) -> Vec<String> {
        let (register, _) = self.shop.at_the_counter();
        let unsent = self.shop.unsent().await;
        let mut open: Vec<_> =
            (unsent > 0).then(|| format!("{unsent} unsent")).into_iter().collect();
        for state in JobState::ALL {
            if !matches!(state, JobState::Printed | JobState::Skipped) {
                let jobs = register.jobs(Some(state), 100).await.unwrap();
                open.extend(jobs.iter().map(|job| format!("{job:?}")));
            }
        }
        open
    }

    /// Register and head office have the sales and nothing else.
    async fn check_books(&self) {
        let (register, _) = self.shop.at_the_counter();
        let (sales, today) = (self.model.sales() as i64, self.shop.today());
        let day = register.day(today).await.unwrap();
        are_all(sales, day.register.receipts, day.register.gross_minor);
        let node = self.world.cloud().node().unwrap();
        let books = node.store.store_day(self.world.places()[0].store, today).await.unwrap();
        let books = &books.registers[0];
        are_all(sales, books.receipts, books.gross_minor);
    }
}

/// Books have these sales.
fn are_all(sales: i64, receipts: i64, gross_minor: i64) {
    let told = || format!("{sales} sold, {receipts} booked, {gross_minor} in all");
    Wrong::Lost.unless(receipts >= sales, told);
    Wrong::Doubled.unless(receipts <= sales, told);
    Wrong::Silent.unless(gross_minor == sales * PRICE_MINOR, told);
}
