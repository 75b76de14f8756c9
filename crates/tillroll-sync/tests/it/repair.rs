//! Both sides are held against each other: what one misses is sent again, or named.

use tillroll_store::Store;
use tillroll_testkit::receipts;

use crate::support::{Office, Till, fast, start, until, without_repair};

/// A till whose sales are all with the head office.
async fn synced(sales: u32) -> (Till, Office) {
    let till = Till::new().await;
    let office = Office::new(&till.clock);
    for n in 1..=sales {
        till.sell(n).await;
    }
    let cloud = start(&till, &office, without_repair()).await;
    until("all is sent", async || till.waiting().await, |waiting| *waiting == 0).await;
    cloud.stop().await;
    (till, office)
}

async fn agreed(store: &Store) -> bool {
    let hours = store.settled_hours().await.unwrap();
    hours.waiting_from.is_none() && hours.agreed.is_some_and(|agreed| Some(agreed) > hours.newest)
}

#[tokio::test]
async fn record_the_head_office_lost_is_sent_again_with_its_own_id() {
    let (till, office) = synced(3).await;
    let lost = office.books()[1].clone();
    let record = office.state().books.remove(&lost).unwrap();
    let cloud = start(&till, &office, fast()).await;
    until("it is back", async || office.books().len(), |records| *records == 3).await;
    assert_eq!(office.state().books[&lost], record, "the same in every byte");
    until("both agree", async || agreed(&till.store).await, |agreed| *agreed).await;
    assert_eq!(till.store.cloud_only(9).await.unwrap(), []);
    cloud.stop().await;
}

#[tokio::test]
async fn sales_that_went_with_an_older_copy_are_named_once_and_new_ones_go_on() {
    let (till, office) = synced(2).await;
    let closed = till.close();
    let backup = closed.backup();
    let till = closed.open();
    for n in 3..=5 {
        till.sell(n).await;
    }
    let cloud = start(&till, &office, without_repair()).await;
    until("all is sent", async || till.waiting().await, |waiting| *waiting == 0).await;
    cloud.stop().await;
    let closed = till.close();
    closed.restore(&backup);
    let till = closed.open();
    assert_eq!(till.store.epoch(), 2);

    let cloud = start(&till, &office, fast()).await;
    till.sell(6).await;
    let list = async || till.store.cloud_only(9).await.unwrap();
    let named = until("the lost ids are named", list, |named| named.len() == 3).await;
    let ids: Vec<_> = named.iter().map(|record| record.request_id.as_str()).collect();
    assert_eq!(ids, [3, 4, 5].map(|n| format!("S1:R1-00000{n}:receipt:v1/receipt/e1/r1")));
    until("both agree", async || agreed(&till.store).await, |agreed| *agreed).await;
    let asked = office.state().hours_asked;
    assert_eq!(office.state().stored.len(), 6, "no sale twice");
    tokio::time::sleep(fast().repair_every * 4).await;
    assert_eq!(office.state().hours_asked, asked, "what is listed is not looked into again");
    till.store.answer_cloud_only(named[0].id, "keyed in again".into(), till.now()).await.unwrap();
    assert_eq!(till.store.cloud_only(9).await.unwrap().len(), 2);
    cloud.stop().await;
}

#[tokio::test]
async fn record_that_waits_in_an_older_copy_is_a_replay_under_its_old_number() {
    let till = Till::new().await;
    let office = Office::new(&till.clock);
    till.sell(1).await;
    let closed = till.close();
    let backup = closed.backup();
    let till = closed.open();
    let cloud = start(&till, &office, without_repair()).await;
    until("all is sent", async || till.waiting().await, |waiting| *waiting == 0).await;
    till.sell(2).await;
    until("all is sent", async || till.waiting().await, |waiting| *waiting == 0).await;
    cloud.stop().await;
    let closed = till.close();
    closed.restore(&backup);
    let till = closed.open();

    let cloud = start(&till, &office, fast()).await;
    until("all is sent", async || till.waiting().await, |waiting| *waiting == 0).await;
    assert_eq!(till.store.parked_records(9).await.unwrap(), [], "its session has a new number");
    assert_eq!(office.state().stored.len(), 2);
    until(
        "the other is named",
        async || till.store.cloud_only(9).await.unwrap().len(),
        |named| *named == 1,
    )
    .await;
    cloud.stop().await;
}

#[tokio::test]
async fn many_repairs_at_once_are_told_to_a_person() {
    let (till, office) = synced(51).await;
    office.state().books.clear();
    let cloud = start(&till, &office, fast()).await;
    until("they are back", async || office.books().len(), |records| *records == 51).await;
    let notices = async || till.store.notices().await.unwrap();
    let told = until("a person is told", notices, |notices| !notices.is_empty()).await;
    assert_eq!(told[0].code, "cloud_differences");
    cloud.stop().await;
}

#[tokio::test]
async fn what_waits_is_backlog_and_no_difference() {
    let (till, office) = synced(1).await;
    let due = receipts::simple(2);
    office.state().refuses.insert(due.order_no.to_string());
    till.sell(2).await;
    let cloud = start(&till, &office, fast()).await;
    until("both agree", async || agreed(&till.store).await, |agreed| *agreed).await;
    assert_eq!(office.state().hours_asked, 0, "a refused record is no difference either");
    cloud.stop().await;
}
