//! Pay tokens: issued, consumed by one, completed, and told for good.

use jiff::Timestamp;
use tillroll_dispatcher::job::RegisterNo;
use tillroll_dispatcher::store::{
    Completed, Consumed, DispatcherStore, Issued, NewPayToken, PayToken, PayTokenKey, PayTokens,
};
use tillroll_domain::fingerprint::Fingerprint;
use tokio::task::JoinSet;

use super::world::{World, later, noon};

fn new(n: u32, register: RegisterNo, amount_minor: i64) -> NewPayToken {
    NewPayToken {
        token: format!("token {n}"),
        request_id: format!("request {n}"),
        register,
        amount_minor,
        fingerprint: Fingerprint::of(&amount_minor.to_be_bytes()),
        now: noon(),
        expires_at: later(300),
    }
}

fn key<S>(world: &World<S>, n: u32) -> PayTokenKey {
    PayTokenKey { store: world.shop.no, token: format!("token {n}"), register: None }
}

async fn issued<S: PayTokens>(world: &World<S>, n: u32) -> PayToken {
    let issued = world.store.issue_pay_token(new(n, world.r1, 1_250)).await.unwrap();
    let Issued::New(token) = issued else { panic!("not new: {issued:?}") };
    token
}

async fn consume<S: PayTokens>(world: &World<S>, n: u32, by: &str, now: Timestamp) -> Consumed {
    let consumed = world.store.consume_pay_token(key(world, n), by.into(), now).await.unwrap();
    consumed.unwrap()
}

async fn complete<S: PayTokens>(world: &World<S>, n: u32, by: &str, result: &str) -> Completed {
    let (by, result) = (by.to_owned(), result.to_owned());
    let completed = world.store.complete_pay_token(key(world, n), by, result, later(9));
    completed.await.unwrap().unwrap()
}

pub async fn token_is_issued_once_for_a_request<S: DispatcherStore + PayTokens>(world: &World<S>) {
    let token = issued(world, 1).await;
    assert_eq!((token.register, token.register_name.as_str()), (world.r1, "R1"));
    assert_eq!((token.amount_minor, &token.consumed, &token.completed), (1_250, &None, &None));
    assert_eq!((token.issued_at, token.expires_at), (noon(), later(300)));
    let again = NewPayToken { token: "another".into(), now: later(7), ..new(1, world.r1, 1_250) };
    let again = world.store.issue_pay_token(again).await.unwrap();
    assert_eq!(again, Issued::Replayed(token.clone()));
    let other = NewPayToken { token: "another".into(), ..new(1, world.r1, 99) };
    let other = world.store.issue_pay_token(other).await.unwrap();
    assert_eq!(other, Issued::Conflict { stored: token.fingerprint });
    assert_eq!(world.store.pay_token(key(world, 1)).await.unwrap(), Some(token));
    let unknown = PayTokenKey { token: "another".into(), ..key(world, 1) };
    assert_eq!(world.store.pay_token(unknown).await.unwrap(), None);
}

pub async fn hundred_issues_at_once_are_one_token<S: DispatcherStore + PayTokens>(
    world: &World<S>,
) {
    let mut askers = JoinSet::new();
    for n in 0..100 {
        let (store, new) = (world.store.clone(), new(1, world.r1, 5));
        let new = NewPayToken { token: format!("token {n}"), ..new };
        askers.spawn(async move { store.issue_pay_token(new).await.unwrap() });
    }
    let mut tokens = std::collections::BTreeSet::new();
    let mut fresh = 0;
    for issued in askers.join_all().await {
        fresh += u32::from(matches!(issued, Issued::New(_)));
        let (Issued::New(token) | Issued::Replayed(token)) = issued else { panic!("{issued:?}") };
        tokens.insert(token.token);
    }
    assert_eq!((tokens.len(), fresh), (1, 1));
}

pub async fn of_hundred_consumers_at_once_one_wins<S: DispatcherStore + PayTokens>(
    world: &World<S>,
) {
    issued(world, 1).await;
    let mut consumers = JoinSet::new();
    for n in 0..100 {
        let (store, key) = (world.store.clone(), key(world, 1));
        let by = format!("consumer {n}");
        consumers.spawn(async move {
            let consumed = store.consume_pay_token(key, by.clone(), later(1)).await.unwrap();
            (by, consumed.unwrap())
        });
    }
    let (mut won, mut told) = (Vec::new(), Vec::new());
    for (by, consumed) in consumers.join_all().await {
        match consumed.clone() {
            Consumed::Won(token) => won.push((by, token)),
            Consumed::Taken(token) => told.push(token),
            Consumed::Replayed(_) | Consumed::Expired(_) => panic!("{consumed:?}"),
        }
    }
    let [(winner, token)] = won.as_slice() else { panic!("{} won", won.len()) };
    assert_eq!(token.consumed, Some((winner.clone(), later(1))));
    assert_eq!(told.len(), 99);
    assert!(told.iter().all(|told| told == token), "each is told who pays");
}

pub async fn consumer_that_asks_again_has_won_still<S: DispatcherStore + PayTokens>(
    world: &World<S>,
) {
    issued(world, 1).await;
    let Consumed::Won(won) = consume(world, 1, "a", later(1)).await else { panic!("not won") };
    assert_eq!(consume(world, 1, "a", later(900)).await, Consumed::Replayed(won.clone()));
    assert_eq!(consume(world, 1, "b", later(2)).await, Consumed::Taken(won));
}

pub async fn token_cannot_be_consumed_from_its_end_on<S: DispatcherStore + PayTokens>(
    world: &World<S>,
) {
    let (first, _) = (issued(world, 1).await, issued(world, 2).await);
    assert_eq!(consume(world, 1, "a", later(300)).await, Consumed::Expired(first.clone()));
    assert_eq!(world.store.pay_token(key(world, 1)).await.unwrap(), Some(first));
    assert!(matches!(consume(world, 2, "a", later(299)).await, Consumed::Won(_)));
    let completed = complete(world, 1, "a", "{}").await;
    assert!(matches!(completed, Completed::NotConsumed(_)), "{completed:?}");
}

pub async fn result_is_stored_once_by_whoever_consumed<S: DispatcherStore + PayTokens>(
    world: &World<S>,
) {
    issued(world, 1).await;
    consume(world, 1, "a", later(1)).await;
    let other = complete(world, 1, "b", "{}").await;
    assert!(matches!(other, Completed::Taken(_)), "{other:?}");
    let Completed::Done(done) = complete(world, 1, "a", r#"{"paid":true}"#).await else {
        panic!("not done")
    };
    assert_eq!(done.completed, Some((r#"{"paid":true}"#.into(), later(9))));
    let again = complete(world, 1, "a", r#"{"paid":true}"#).await;
    assert_eq!(again, Completed::Replayed(done.clone()));
    assert_eq!(complete(world, 1, "a", "{}").await, Completed::Conflict(done.clone()));
    assert_eq!(complete(world, 1, "b", "{}").await, Completed::Taken(done.clone()));
    assert_eq!(consume(world, 1, "b", later(999)).await, Consumed::Taken(done.clone()));
    assert_eq!(world.store.pay_token(key(world, 1)).await.unwrap(), Some(done));
}

pub async fn what_a_crash_left_consumed_is_finished_by_its_consumer<
    S: DispatcherStore + PayTokens,
>(
    world: &World<S>,
) {
    issued(world, 1).await;
    consume(world, 1, "a", later(1)).await;
    // Whoever paid is gone, and the token's time too; a second one knows both ids.
    let Some(left) = world.store.pay_token(key(world, 1)).await.unwrap() else { panic!("gone") };
    assert_eq!((left.consumed.is_some(), &left.completed), (true, &None));
    assert!(matches!(consume(world, 1, "a", later(86_400)).await, Consumed::Replayed(_)));
    assert!(matches!(complete(world, 1, "a", "{}").await, Completed::Done(_)));
}

pub async fn token_of_another_register_or_store_does_not_exist<S: DispatcherStore + PayTokens>(
    world: &World<S>,
) {
    let token = issued(world, 1).await;
    let of = |register| PayTokenKey { register: Some(register), ..key(world, 1) };
    assert_eq!(world.store.pay_token(of(world.r1)).await.unwrap(), Some(token));
    let elsewhere = tillroll_dispatcher::job::StoreNo(world.shop.no.0 + 1);
    for key in [of(world.r2), PayTokenKey { store: elsewhere, ..key(world, 1) }] {
        let (store, by) = (&world.store, "a".to_owned());
        assert_eq!(store.pay_token(key.clone()).await.unwrap(), None);
        let consumed = store.consume_pay_token(key.clone(), by.clone(), later(1)).await.unwrap();
        assert_eq!(consumed, None);
        let completed = store.complete_pay_token(key, by, "{}".into(), later(1)).await.unwrap();
        assert_eq!(completed, None);
    }
    assert!(matches!(consume(world, 1, "a", later(1)).await, Consumed::Won(_)));
}
