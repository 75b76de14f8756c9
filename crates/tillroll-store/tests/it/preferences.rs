//! What the owner may change, and what is found by a search.

use std::time::Duration;

use tillroll_store::{Preferences, Sought, Store, StoreOptions};
use tillroll_testkit::receipts;

use crate::support::Till;

#[tokio::test]
async fn preferences_stay_over_a_restart() {
    let till = Till::new().await;
    assert_eq!(till.store.preferences(), Preferences::default());
    let wanted = Preferences {
        attention_after: Some(Duration::from_secs(5)),
        stale_after: None,
        sounds: false,
    };
    till.store.put_preferences(wanted).await.unwrap();
    assert_eq!(till.store.preferences(), wanted);
    let Till { store, clock, folder, .. } = till;
    store.close().unwrap();
    let now = tillroll_domain::clock::Clock::now(&clock);
    let (store, _) = Store::open(folder.path(), StoreOptions::default(), now).unwrap();
    assert_eq!(store.preferences(), wanted);
}

#[tokio::test]
async fn job_is_found_by_part_of_its_number_and_by_the_beginning_of_its_amount() {
    let till = Till::new().await;
    for number in [7, 8, 70] {
        let receipt = till.new_receipt(&receipts::simple(number));
        till.store.record_receipt(receipt).await.unwrap();
    }
    let found = async |order: &str, amount: Option<&str>| {
        let sought = Sought {
            order: order.to_owned(),
            amount_digits: amount.map(str::to_owned),
            id_beginnings: Vec::new(),
        };
        let jobs = till.store.search(sought, 10).await.unwrap();
        jobs.into_iter().map(|job| job.job_id.order.to_string()).collect::<Vec<_>>()
    };
    let all = found("", None).await;
    assert_eq!(all.len(), 3, "every number has an empty part");
    let one = found(&all[0], None).await;
    assert_eq!(one, [all[0].clone()]);
    assert_eq!(found("receipt", None).await, Vec::<String>::new(), "the kind is no number");
    assert_eq!(found("S1", None).await, Vec::<String>::new(), "nor is the store");
    assert_eq!(found(":", Some("12")).await, all, "12.50 each");
    assert_eq!(found(":", Some("13")).await, Vec::<String>::new());
}
