//! Paper is counted from the paper's side: what the virtual printer cut off is read, ticket by ticket.

use std::sync::Arc;

use tillroll_domain::ids::JobId;

use crate::history::History;
use crate::shop::Shop;

/// Watches a shop's paper until the run ends.
pub async fn watch(shop: Arc<Shop>, history: History) {
    let mut changes = shop.printer.changes();
    let mut last = 0;
    loop {
        for ticket in shop.printer.tickets_after(last) {
            last = ticket.number;
            for job in jobs_on(&ticket.text(), &format!("{}:", shop.code)) {
                history.paper(shop.no, job);
            }
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// The ids of a store on a ticket.
fn jobs_on(text: &str, store: &str) -> Vec<JobId> {
    let words = text.split_whitespace().filter(|word| word.starts_with(store));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn ids_are_found_among_other_words() {
    let text = "  Tea  2 x 3.00   6.00\n      S7:000123:receipt:v1   \nS7 S7:1";
    assert_eq!(jobs_on(text, "S7:"), ["S7:000123:receipt:v1".parse().unwrap()]);
    assert_eq!(jobs_on(text, "S1:"), []);
}
