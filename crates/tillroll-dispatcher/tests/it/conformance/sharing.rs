//! Sales and refunds that registers tell of: prepared and confirmed with their record, once.

use serde_json::json;
use tillroll_dispatcher::splits::{Cause, NewSplit, Split, SplitChanged};
use tillroll_dispatcher::store::{DispatcherStore, Splits};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::money::Minor;
use tillroll_domain::outbox::RecordKind;
use tillroll_domain::splits::{
    ChannelRefusal, Event, Pace, Share, ShareTable, SplitReason, SplitState, Verb,
};
use tillroll_wire::Code;
use tillroll_wire::record::{Record, Verdict};
use tokio::task::JoinSet;

use super::world::{
    World, batch, code, hash, later, new_pairing, noon, pairing, receipt, record, sale, sale_id,
};

const AMOUNT: i64 = 1_250;

fn refund_id(n: i64) -> String {
    format!("S1:{n:06}:refund:v1")
}

/// The record that has an id shared, under a flow number.
fn split(id: &str, flow_no: i64, amount: i64, of: Option<String>) -> Record {
    let mut body = json!({"id": id, "day": "2026-11-30", "amount_minor": amount, "currency": "CNY",
        "paid_at": noon()});
    if let Some(of) = of {
        body["of"] = json!(of);
    }
    record(RecordKind::Split, format!("{id}/split/e1/r1"), Some(flow_no), body)
}

fn shared_sale(n: i64) -> [Record; 2] {
    [sale(n), split(&sale_id(n), n, AMOUNT, None)]
}

/// A refund of sale `n`, under flow number 100 and `n`.
fn shared_refund(n: i64, amount: i64) -> [Record; 2] {
    let (id, flow_no) = (refund_id(n), 100 + n);
    [receipt(&id, flow_no, -amount), split(&id, flow_no, amount, Some(sale_id(n)))]
}

async fn set_table<S: Splits>(world: &World<S>) {
    let share = |party: &str, rate_bp| Share {
        party: party.parse().unwrap(),
        rate_bp,
        fixed_minor: Minor(0),
        min_minor: Minor(0),
        cap_minor: None,
    };
    let shares = vec![share("platform", 1_000), share("merchant", 9_000)];
    let table = ShareTable { version: 1, valid_from: noon(), valid_until: None, shares };
    world.store.set_share_table(world.shop.no, table, noon()).await.unwrap();
}

async fn known<S: Splits>(world: &World<S>, id: &str) -> Option<Split> {
    world.store.split(world.shop.no, id.to_owned()).await.unwrap()
}

async fn change<S: Splits>(world: &World<S>, id: &str, event: Event, at: i64) -> Split {
    let split = known(world, id).await.unwrap();
    let change = split.after(event, &Cause::itself(later(at), 0)).unwrap();
    let changed = world.store.change_splits(vec![change]).await.unwrap().remove(0);
    let SplitChanged::Done(split) = changed else { panic!("not done: {changed:?}") };
    split
}

/// Ids of the splits that are claimed at an instant.
async fn claimed<S: Splits>(world: &World<S>, at: i64) -> Vec<String> {
    let claimed = world.store.claim_splits(later(at), 100).await.unwrap();
    claimed.into_iter().map(|(split, _)| split.id).collect()
}

async fn all_stored<S: DispatcherStore>(world: &World<S>, records: Vec<Record>) {
    let verdicts = world.send(world.r1, records).await;
    assert!(verdicts.iter().all(|verdict| verdict.verdict.is_stored()), "{verdicts:?}");
}

pub async fn sale_is_prepared_and_confirmed_with_its_record<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    set_table(world).await;
    all_stored(world, shared_sale(1).into()).await;
    let split = known(world, &sale_id(1)).await.unwrap();
    assert_eq!((split.amount, split.pace), (Minor(AMOUNT), Pace::Till));
    assert_eq!(
        split.parts.iter().map(|part| part.amount_minor.0).collect::<Vec<_>>(),
        [125, 1_125]
    );
    assert!(split.facts.confirmed && split.due_at.is_some(), "{split:?}");
    let history = world.store.split_history(split.key).await.unwrap();
    let steps: Vec<_> = history.iter().map(|step| (step.version, step.event.as_str())).collect();
    assert_eq!(steps, [(1, "prepare"), (2, "confirm")]);
    assert_eq!(claimed(world, 4).await, [sale_id(1)]);
}

pub async fn hundred_copies_of_a_record_make_one_split<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    set_table(world).await;
    let mut copies = JoinSet::new();
    for _ in 0..100 {
        let (store, register) = (world.store.clone(), world.r1);
        copies.spawn(async move {
            store.take_records(register, batch(shared_sale(1).into()), later(3)).await.unwrap()
        });
    }
    for verdicts in copies.join_all().await {
        assert!(verdicts.iter().all(|verdict| verdict.verdict.is_stored()), "{verdicts:?}");
    }
    let all = world.store.splits(world.shop.no, None, None, 10).await.unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(claimed(world, 4).await, [sale_id(1)]);
    assert_eq!(claimed(world, 5).await, [""; 0]);
}

pub async fn refund_is_due_once_its_original_is_paid<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    set_table(world).await;
    let records = shared_sale(1).into_iter().chain(shared_refund(1, 500));
    all_stored(world, records.collect()).await;
    let refund = known(world, &refund_id(1)).await.unwrap();
    assert_eq!(refund.parts.iter().map(|part| part.amount_minor.0).collect::<Vec<_>>(), [50, 450]);
    assert!(refund.facts.confirmed && refund.due_at.is_none(), "{refund:?}");
    assert_eq!(claimed(world, 4).await, [sale_id(1)]);
    change(world, &sale_id(1), Event::Paid, 5).await;
    assert_eq!(claimed(world, 5).await, [refund_id(1)]);
    // One that comes later waits for nothing.
    let later_refund = receipt("S1:000001:refund:v2", 201, -100);
    let later_split = split("S1:000001:refund:v2", 201, 100, Some(sale_id(1)));
    all_stored(world, vec![later_refund, later_split]).await;
    assert_eq!(claimed(world, 6).await, ["S1:000001:refund:v2"]);
}

pub async fn refund_of_a_canceled_original_is_taken_back_with_it<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    set_table(world).await;
    let records = shared_sale(1).into_iter().chain(shared_refund(1, 500));
    all_stored(world, records.collect()).await;
    claimed(world, 4).await;
    change(world, &sale_id(1), Event::Refused(ChannelRefusal::Frozen), 5).await;
    assert!(known(world, &refund_id(1)).await.unwrap().due_at.is_none());
    change(world, &sale_id(1), Event::Asked(Verb::Cancel), 6).await;
    let refund = known(world, &refund_id(1)).await.unwrap();
    assert_eq!(
        (refund.facts.state, refund.reason),
        (SplitState::Failed, Some(SplitReason::Canceled))
    );
    let history = world.store.split_history(refund.key).await.unwrap();
    assert!(history.last().unwrap().note.as_deref().unwrap().contains("was canceled"));
}

pub async fn split_that_cannot_be_divided_is_refused_and_its_receipt_is_not<
    S: DispatcherStore + Splits,
>(
    world: &World<S>,
) {
    let verdicts = world.send(world.r1, shared_sale(1).into()).await;
    assert!(verdicts[0].verdict.is_stored());
    let Verdict::Rejected { code, detail } = &verdicts[1].verdict else { panic!("{verdicts:?}") };
    assert_eq!(*code, Code::InvalidValue);
    assert!(detail.contains("no share table"), "{detail}");
    assert_eq!(known(world, &sale_id(1)).await, None);
    let day = world.day(world.r1).await;
    assert_eq!((day.receipts, day.rejected), (1, 1));
    // Sent again when there is a table.
    set_table(world).await;
    all_stored(world, shared_sale(1).into()).await;
    assert_eq!(claimed(world, 4).await, [sale_id(1)]);
    assert_eq!(world.day(world.r1).await.rejected, 0);
}

pub async fn split_waits_behind_a_refused_receipt<S: DispatcherStore + Splits>(world: &World<S>) {
    set_table(world).await;
    let mut bad = sale(1);
    bad.body["z_no"] = json!("?");
    bad.fingerprint = Fingerprint::of(bad.body.to_string().as_bytes());
    let [_, split] = shared_sale(1);
    let verdicts = world.send(world.r1, vec![bad, split]).await;
    assert_eq!(code(&verdicts[1].verdict), Code::ParkedBehind);
    assert_eq!(known(world, &sale_id(1)).await, None);
}

pub async fn split_that_a_business_system_prepared_is_confirmed<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    set_table(world).await;
    let new = |id: String, amount| NewSplit {
        store: world.shop.no,
        id,
        fingerprint: Fingerprint::of(b"a business system's"),
        of: None,
        day: "2026-11-30".parse().unwrap(),
        amount: Minor(amount),
        currency: "CNY".parse().unwrap(),
        paid_at: later(1),
        pace: Pace::Background,
        now: later(2),
    };
    for (n, amount) in [(1, AMOUNT), (2, 999)] {
        world.store.prepare_split(new(sale_id(n), amount)).await.unwrap();
    }
    let records = shared_sale(1).into_iter().chain(shared_sale(2));
    let verdicts = world.send(world.r1, records.collect()).await;
    assert!(verdicts[1].verdict.is_stored());
    assert_eq!(code(&verdicts[3].verdict), Code::Conflict, "another amount");
    assert_eq!(claimed(world, 4).await, [sale_id(1)]);
}

pub async fn store_says_whether_its_registers_share<S: DispatcherStore + Splits>(world: &World<S>) {
    world.store.new_pairing(new_pairing(&world.shop, "R3", "abc")).await.unwrap();
    world.store.pair(pairing("abc", "S1", "R3")).await.unwrap();
    let shares = async || {
        world.store.register_of(hash("credential by abc")).await.unwrap().unwrap().shares_orders
    };
    assert!(!shares().await, "off by default");
    for on in [true, false] {
        world.store.set_sharing(world.shop.no, on).await.unwrap();
        assert_eq!(shares().await, on);
    }
}
