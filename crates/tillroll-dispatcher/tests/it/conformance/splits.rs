//! Splits: made once, changed from their version, claimed by one, added up by day.

use std::collections::BTreeSet;

use tillroll_dispatcher::splits::{
    Cause, NewSplit, NoParts, Prepared, Split, SplitChanged, SplitKey, SplitSum,
};
use tillroll_dispatcher::store::{DispatcherStore, Splits, TableSet};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{
    Call, ChannelFault, ChannelRefusal, Event, OverRefund, Pace, Share, ShareTable, SplitReason,
    SplitState, Verb,
};
use tokio::task::JoinSet;

use super::world::{World, later, noon};

fn share(party: &str, rate_bp: u32) -> Share {
    let party = party.parse().unwrap();
    Share { party, rate_bp, fixed_minor: Minor(0), min_minor: Minor(0), cap_minor: None }
}

fn table(version: u32) -> ShareTable {
    let shares = vec![share("platform", 600), share("merchant", 9_100), share("agent:A7", 300)];
    ShareTable { version, valid_from: noon(), valid_until: None, shares }
}

fn new<S>(world: &World<S>, id: &str, amount: i64) -> NewSplit {
    NewSplit {
        store: world.shop.no,
        id: id.to_owned(),
        fingerprint: Fingerprint::of(format!("{id} {amount}").as_bytes()),
        of: None,
        day: "2026-11-30".parse().unwrap(),
        amount: Minor(amount),
        currency: "CNY".parse().unwrap(),
        paid_at: later(1),
        pace: Pace::Background,
        now: later(2),
    }
}

fn refund<S>(world: &World<S>, id: &str, amount: i64) -> NewSplit {
    NewSplit { of: Some("1".to_owned()), ..new(world, id, amount) }
}

async fn set<S: Splits>(world: &World<S>, version: u32) -> TableSet {
    world.store.set_share_table(world.shop.no, table(version), noon()).await.unwrap()
}

async fn prepare<S: Splits>(world: &World<S>, new: NewSplit) -> Split {
    let prepared = world.store.prepare_split(new).await.unwrap();
    let Prepared::New(split) = prepared else { panic!("not new: {prepared:?}") };
    split
}

async fn made<S: Splits>(world: &World<S>, id: &str, amount: i64) -> Split {
    set(world, 1).await;
    prepare(world, new(world, id, amount)).await
}

async fn change<S: Splits>(world: &World<S>, split: &Split, event: Event, at: i64) -> Split {
    let change = split.after(event, &Cause::itself(later(at), 0)).unwrap();
    let changed = world.store.change_splits(vec![change]).await.unwrap().remove(0);
    let SplitChanged::Done(split) = changed else { panic!("not done: {changed:?}") };
    split
}

async fn claim<S: Splits>(world: &World<S>, at: i64) -> Vec<(Split, Option<Call>)> {
    world.store.claim_splits(later(at), 100).await.unwrap()
}

fn amounts(split: &Split) -> Vec<i64> {
    split.parts.iter().map(|part| part.amount_minor.0).collect()
}

pub async fn versions_of_a_table_follow_each_other_and_never_change<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    assert_eq!(set(world, 2).await, TableSet::OutOfOrder { next: 1 });
    assert_eq!([set(world, 1).await, set(world, 1).await], [TableSet::New, TableSet::Replayed]);
    let other = ShareTable { valid_from: later(9), ..table(1) };
    let other = world.store.set_share_table(world.shop.no, other, noon()).await.unwrap();
    assert_eq!(other, TableSet::Conflict);
    set(world, 2).await;
    let tables = world.store.share_tables(world.shop.no).await.unwrap();
    assert_eq!(tables, [table(1), table(2)]);
}

pub async fn split_is_made_once_for_an_id<S: DispatcherStore + Splits>(world: &World<S>) {
    let early = world.store.prepare_split(new(world, "1", 100)).await.unwrap();
    assert_eq!(early, Prepared::Refused(NoParts::NoTable));
    let split = made(world, "1", 10_001).await;
    assert_eq!((amounts(&split), split.table_version), (vec![600, 9_101, 300], 1));
    assert_eq!((split.facts.state, split.due_at), (SplitState::Init, None));
    let again = NewSplit { now: later(50), ..new(world, "1", 10_001) };
    assert_eq!(world.store.prepare_split(again).await.unwrap(), Prepared::Replayed(split.clone()));
    let other = world.store.prepare_split(new(world, "1", 5)).await.unwrap();
    assert_eq!(other, Prepared::Conflict { stored: split.fingerprint });
    let found = world.store.split(world.shop.no, "1".into()).await.unwrap();
    assert_eq!(found, Some(split));
    assert_eq!(world.store.split(world.shop.no, "2".into()).await.unwrap(), None);
}

pub async fn hundred_copies_of_a_request_make_one_split<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    set(world, 1).await;
    let mut copies = JoinSet::new();
    for _ in 0..100 {
        let (store, new) = (world.store.clone(), new(world, "1", 500));
        copies.spawn(async move { store.prepare_split(new).await.unwrap() });
    }
    let answers = copies.join_all().await;
    let news = answers.iter().filter(|answer| matches!(answer, Prepared::New(_))).count();
    let replays = answers.iter().filter(|answer| matches!(answer, Prepared::Replayed(_))).count();
    assert_eq!((news, replays), (1, 99));
    assert_eq!(world.store.splits(world.shop.no, None, None, 10).await.unwrap().len(), 1);
}

pub async fn refunds_never_take_more_than_was_given<S: DispatcherStore + Splits>(world: &World<S>) {
    made(world, "1", 10_001).await;
    let first = prepare(world, refund(world, "r1", 5_000)).await;
    assert_eq!(amounts(&first), [300, 4_550, 150]);
    let over = world.store.prepare_split(refund(world, "r2", 5_002)).await.unwrap();
    let left_minor = Minor(5_001);
    assert_eq!(over, Prepared::Refused(NoParts::OverRefund(OverRefund { left_minor })));
    change(world, &first, Event::Asked(Verb::Cancel), 3).await;
    let whole = prepare(world, refund(world, "r2", 10_001)).await;
    assert_eq!(amounts(&whole), [600, 9_101, 300], "what was canceled is there again");
    let unknown = NewSplit { of: Some("r1".into()), ..refund(world, "r3", 1) };
    let unknown = world.store.prepare_split(unknown).await.unwrap();
    assert_eq!(unknown, Prepared::Refused(NoParts::NoOriginal), "a refund shares no order");
    let other = NewSplit { currency: "EUR".parse().unwrap(), ..refund(world, "r3", 1) };
    let other = world.store.prepare_split(other).await.unwrap();
    assert_eq!(other, Prepared::Refused(NoParts::OtherCurrency));
}

pub async fn refunds_at_once_share_what_is_left<S: DispatcherStore + Splits>(world: &World<S>) {
    made(world, "1", 1_000).await;
    let mut refunds = JoinSet::new();
    for n in 0..20 {
        let (store, new) = (world.store.clone(), refund(world, &format!("r{n}"), 100));
        refunds.spawn(async move { store.prepare_split(new).await.unwrap() });
    }
    let answers = refunds.join_all().await;
    let made: Vec<_> = answers
        .iter()
        .filter_map(|answer| if let Prepared::New(split) = answer { Some(split) } else { None })
        .collect();
    assert_eq!(made.len(), 10, "{answers:?}");
    let taken = |place: usize| made.iter().map(|split| amounts(split)[place]).sum::<i64>();
    assert_eq!([0, 1, 2].map(taken), [60, 910, 30]);
}

pub async fn change_is_made_from_its_version_and_recorded<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    let split = made(world, "1", 100).await;
    let by =
        Cause { by: Some("desk".into()), note: Some("paid".into()), ..Cause::itself(later(3), 0) };
    let confirm = split.after(Event::Confirm, &by).unwrap();
    let twice = vec![confirm.clone()];
    let first = world.store.change_splits(twice.clone()).await.unwrap();
    let SplitChanged::Done(confirmed) = &first[0] else { panic!("{first:?}") };
    assert_eq!((confirmed.version, confirmed.due_at), (2, Some(later(3))));
    let second = world.store.change_splits(twice).await.unwrap();
    assert_eq!(second, [SplitChanged::Stale(confirmed.clone())]);
    let nowhere = SplitKey { seq: 99, ..split.key };
    let gone = tillroll_dispatcher::splits::SplitChange { key: nowhere, ..confirm };
    assert_eq!(world.store.change_splits(vec![gone]).await.unwrap(), [SplitChanged::Gone(nowhere)]);
    let history = world.store.split_history(split.key).await.unwrap();
    let told: Vec<_> =
        history.iter().map(|change| (change.version, change.event.as_str())).collect();
    assert_eq!(told, [(1, "prepare"), (2, "confirm")]);
    assert_eq!(
        (history[1].by.as_deref(), history[1].note.as_deref()),
        (Some("desk"), Some("paid"))
    );
}

pub async fn due_split_is_claimed_by_one<S: DispatcherStore + Splits>(world: &World<S>) {
    for n in 0..40 {
        let split = made(world, &n.to_string(), 100).await;
        change(world, &split, Event::Confirm, 3).await;
    }
    assert_eq!(claim(world, 2).await, [], "none is due yet");
    let mut claims = JoinSet::new();
    for _ in 0..8 {
        let store = world.store.clone();
        claims.spawn(async move { store.claim_splits(later(3), 10).await.unwrap() });
    }
    let mut claimed: Vec<_> = claims.join_all().await.into_iter().flatten().collect();
    claimed.extend(claim(world, 3).await);
    let ids: BTreeSet<_> = claimed.iter().map(|(split, _)| split.id.clone()).collect();
    assert_eq!((claimed.len(), ids.len()), (40, 40));
    for (split, call) in &claimed {
        assert_eq!((split.facts.state, *call), (SplitState::Processing, Some(Call::Pay)));
    }
    assert_eq!(claim(world, 17).await, [], "their calls are under way");
    let lost = claim(world, 18).await;
    assert_eq!(lost.len(), 40, "nobody told what came of them");
    assert!(lost.iter().all(|(split, call)| split.facts.tries == 2 && *call == Some(Call::Ask)));
}

pub async fn split_whose_time_is_over_goes_to_a_person<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    let split = made(world, "1", 100).await;
    let split = change(world, &split, Event::Confirm, 3).await;
    let (claimed, _) = claim(world, 3).await.remove(0);
    assert_eq!(claimed.key, split.key);
    let lost = change(world, &claimed, Event::Faulted(ChannelFault::Unanswered), 4).await;
    assert_eq!((lost.due_at, lost.reason), (Some(later(6)), Some(SplitReason::Unanswered)));
    let (over, call) = claim(world, 86_500).await.remove(0);
    assert_eq!((over.facts.state, call), (SplitState::Manual, None));
    assert_eq!((over.reason, over.due_at), (Some(SplitReason::Exhausted), None));
}

pub async fn waiting_splits_can_be_made_due<S: DispatcherStore + Splits>(world: &World<S>) {
    for n in 0..3 {
        let split = made(world, &n.to_string(), 100).await;
        change(world, &split, Event::Confirm, 3).await;
    }
    let claimed = claim(world, 3).await;
    change(world, &claimed[0].0, Event::Faulted(ChannelFault::Unreached), 4).await;
    change(world, &claimed[1].0, Event::Faulted(ChannelFault::Busy), 4).await;
    change(world, &claimed[2].0, Event::Paid, 4).await;
    assert_eq!(claim(world, 5).await, []);
    assert_eq!(world.store.hasten_splits(later(5), 100).await.unwrap(), 2);
    assert_eq!(claim(world, 5).await.len(), 2);
}

pub async fn splits_are_listed_newest_first_by_state<S: DispatcherStore + Splits>(
    world: &World<S>,
) {
    for n in 0..4 {
        let split = made(world, &n.to_string(), 100).await;
        change(world, &split, Event::Confirm, 3).await;
    }
    for (split, _) in claim(world, 3).await.iter().take(2) {
        change(world, split, Event::Refused(ChannelRefusal::Frozen), 4).await;
    }
    let list = async |state, before, limit| {
        let listed = world.store.splits(world.shop.no, state, before, limit).await.unwrap();
        listed.into_iter().map(|split| split.key.seq).collect::<Vec<_>>()
    };
    let all = list(None, None, 10).await;
    assert!(all.len() == 4 && all.is_sorted_by(|a, b| a > b), "{all:?}");
    assert_eq!(list(None, Some(all[1]), 1).await, [all[2]]);
    assert_eq!(list(Some(SplitState::Manual), None, 10).await.len(), 2);
    let open = world.store.open_splits().await.unwrap();
    let open: BTreeSet<_> = open.into_iter().collect();
    assert_eq!(open, BTreeSet::from([(SplitState::Processing, 2), (SplitState::Manual, 2)]));
}

pub async fn day_adds_up_by_state<S: DispatcherStore + Splits>(world: &World<S>) {
    for n in 1..5 {
        let split = made(world, &n.to_string(), n * 100).await;
        change(world, &split, Event::Confirm, 3).await;
    }
    prepare(world, refund(world, "r", 30)).await;
    let claimed = claim(world, 3).await;
    let of = |id: &str| claimed.iter().find(|(split, _)| split.id == id).unwrap().0.clone();
    change(world, &of("1"), Event::Paid, 4).await;
    change(world, &of("2"), Event::Paid, 5).await;
    change(world, &of("3"), Event::Refused(ChannelRefusal::NoBalance), 4).await;
    let day = world.store.split_day(world.shop.no, "2026-11-30".parse().unwrap()).await.unwrap();
    let sum = |count, amount_minor| SplitSum { count, amount_minor };
    assert_eq!((day.shares.succeeded, day.shares.manual), (sum(2, 300), sum(1, 300)));
    assert_eq!((day.shares.pending, day.refunds.pending), (sum(1, 400), sum(1, 30)));
    let other = world.store.split_day(world.shop.no, "2026-12-01".parse().unwrap()).await.unwrap();
    assert_eq!(other, Default::default());
    let past = (noon(), SplitKey { seq: 0, ..claimed[0].0.key });
    let paid = world.store.paid_splits(past, later(5), 10).await.unwrap();
    assert_eq!(paid.iter().map(|split| split.id.as_str()).collect::<Vec<_>>(), ["1"]);
    let next = (paid[0].changed_at, paid[0].key);
    let paid = world.store.paid_splits(next, later(6), 10).await.unwrap();
    assert_eq!(paid.iter().map(|split| split.id.as_str()).collect::<Vec<_>>(), ["2"]);
}
