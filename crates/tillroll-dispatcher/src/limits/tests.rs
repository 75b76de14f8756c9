//! The decision as a whole, without Redis and with a real one.

mod model;
mod shared;
mod speed;

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use super::*;
use crate::job::StoreNo;
use crate::redis::{RedisAddresses, RedisSettings};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A machine that is busy with other tests is no Redis that is gone.
const PATIENT: RedisSettings = RedisSettings {
    call: Duration::from_secs(5),
    connect: Duration::from_secs(5),
    probe_every: Duration::from_secs(1),
};

const RATES: Rates = Rates { store_per_s: 1_000, register_per_s: 100 };

/// Promotions in memory, as a table of one store would keep them.
#[derive(Clone, Default)]
struct Table(Arc<Mutex<Option<Promotion>>>);

impl Promotions for Table {
    async fn promotion(&self, _: StoreNo) -> Stored<Option<Promotion>> {
        Ok(*self.0.lock().unwrap())
    }

    async fn set_promotion(&self, _: StoreNo, promotion: Option<Promotion>) -> Stored<()> {
        *self.0.lock().unwrap() = promotion;
        Ok(())
    }
}

fn limits(rates: Rates, nodes: Nodes, redis: Option<Redis>) -> Limits<Table> {
    Limits::new(Table::default(), rates, nodes, redis)
}

fn shop() -> StoreRecord {
    StoreRecord {
        no: StoreNo(1),
        tenant: 1,
        uid: "st_1".into(),
        code: "S1".parse().unwrap(),
        name: "Shop".into(),
        created_at: Timestamp::UNIX_EPOCH,
    }
}

fn register(no: i64) -> RegisterNo {
    RegisterNo { store: StoreNo(1), no }
}

/// So long after the program began.
fn after(boot: Duration) -> Now {
    Now { boot, at: Timestamp::UNIX_EPOCH + boot }
}

/// How many calls of an action register `no` may do at an instant.
async fn allowed<S: Promotions>(
    limits: &Limits<S>,
    no: i64,
    action: Action,
    boot: Duration,
) -> u32 {
    let shop = shop();
    let wish = Wish { store: &shop, register: register(no), action, calls: 1 };
    let mut count = 0;
    while limits.wish(wish, after(boot)).await.allowed {
        count += 1;
    }
    count
}

#[tokio::test]
async fn action_is_limited_for_each_register_and_all_of_them_by_their_store() {
    let limits = limits(Rates { store_per_s: 30, ..RATES }, Nodes::One, None);
    assert_eq!(allowed(&limits, 1, Action::Scan, ms(0)).await, 20);
    assert_eq!(
        allowed(&limits, 1, Action::Pay, ms(0)).await,
        5,
        "another action of the same register"
    );
    assert_eq!(allowed(&limits, 2, Action::Scan, ms(0)).await, 5, "what the store has left");
    assert_eq!(allowed(&limits, 2, Action::Scan, ms(999)).await, 0);
    assert_eq!(allowed(&limits, 2, Action::Scan, ms(1_000)).await, 20, "exactly at the border");
}

#[tokio::test]
async fn answer_tells_what_is_left_and_when_to_come_back() {
    let limits = limits(RATES, Nodes::One, None);
    let shop = shop();
    let ask = |calls, boot| {
        let wish = Wish { store: &shop, register: register(1), action: Action::Refund, calls };
        limits.wish(wish, after(boot))
    };
    let answer = ask(2, ms(0)).await;
    assert_eq!((answer.allowed, answer.remaining, answer.low), (true, 1, false));
    let refused = ask(2, ms(1_000)).await;
    assert_eq!((refused.allowed, refused.remaining, refused.retry_after), (false, 1, ms(4_000)));
    let answer = ask(1, ms(2_000)).await;
    assert_eq!((answer.remaining, answer.low), (0, true));
    assert_eq!(ask(4, ms(3_000)).await.retry_after, ms(5_000), "more than the limit at once");
}

#[tokio::test]
async fn node_that_cannot_ask_the_others_allows_half() {
    let limits = limits(RATES, Nodes::Several, None);
    for (action, half) in
        [(Action::Scan, 10), (Action::Pay, 2), (Action::Refund, 1), (Action::Sync, 25)]
    {
        assert_eq!(allowed(&limits, 1, action, ms(0)).await, half);
    }
}

#[tokio::test]
async fn promotion_widens_actions_until_its_end() {
    let limits = limits(RATES, Nodes::One, None);
    let until = after(ms(100_000)).at;
    limits.promote(&shop(), Some(Promotion { percent: 150, until })).await.unwrap();
    assert_eq!(allowed(&limits, 1, Action::Pay, ms(0)).await, 7);
    assert_eq!(allowed(&limits, 1, Action::Pay, ms(99_999)).await, 7);
    assert_eq!(allowed(&limits, 1, Action::Pay, ms(200_000)).await, 5, "it ended by itself");
    assert_eq!(allowed(&limits, 2, Action::Pay, ms(99_999)).await, 7);
    limits.promote(&shop(), None).await.unwrap();
    assert_eq!(allowed(&limits, 3, Action::Pay, ms(99_999)).await, 5, "ended by a person");
}

#[tokio::test]
async fn promotion_begun_at_another_node_counts_here_soon() {
    let table = Table::default();
    let [here, there] = [(); 2].map(|()| Limits::new(table.clone(), RATES, Nodes::One, None));
    assert_eq!(allowed(&here, 1, Action::Pay, ms(0)).await, 5);
    let until = after(ms(60_000)).at;
    there.promote(&shop(), Some(Promotion { percent: 200, until })).await.unwrap();
    assert_eq!(allowed(&here, 1, Action::Pay, ms(5_000)).await, 10);
}

#[tokio::test]
async fn requests_of_a_register_and_of_a_store_have_windows_of_their_own() {
    let limits = limits(Rates { store_per_s: 1, register_per_s: 2 }, Nodes::One, None);
    let shop = shop();
    let of = |no| Credential {
        store: shop.clone(),
        register: crate::store::Register {
            no: register(no),
            name: "R".parse().unwrap(),
            installation: None,
            paired_at: None,
            revoked_at: None,
        },
        shares_orders: false,
    };
    for now in [ms(0), ms(10)] {
        assert_eq!(limits.register(&of(1), now).await, Ok(()));
    }
    let refused = limits.register(&of(1), ms(20)).await;
    assert_eq!(refused, Err(TooMany { retry_after: ms(980) }));
    assert_eq!(limits.register(&of(2), ms(20)).await, Ok(()));
    assert_eq!(limits.register(&of(1), ms(1_000)).await, Ok(()));
    assert_eq!(limits.store(&shop, ms(0)).await, Ok(()));
    assert!(limits.store(&shop, ms(999)).await.is_err());
}

#[test]
fn trying_codes_is_slow_from_one_address_and_from_all() {
    let limits = limits(RATES, Nodes::One, None);
    let one = IpAddr::from(Ipv4Addr::LOCALHOST);
    let allowed = (0..100).filter(|_| limits.pairing(one, ms(0)).is_ok()).count();
    assert_eq!(allowed, 10);
    let many = (0..5_000_u32).map(|n| IpAddr::from(Ipv4Addr::from(n)));
    let allowed = many.filter(|from| limits.pairing(*from, ms(0)).is_ok()).count();
    assert_eq!(allowed, 590, "whoever asks");
}
