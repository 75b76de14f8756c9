//! The ask route, to the millisecond.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tillroll_testkit::ManualClock;

use crate::support::{Plan, Shop, refused};

async fn shop_at(clock: &ManualClock) -> Shop {
    Shop::open(Plan { clock: Arc::new(clock.clone()), ..Plan::default() }).await
}

async fn ask(shop: &Shop, action: &str) -> Value {
    let answered = shop.poke(&format!("/v1/limits/{action}")).await;
    assert_eq!(answered.status(), 200);
    answered.json().await.unwrap()
}

async fn allowed_at_once(shop: &Shop, action: &str) -> usize {
    for n in 0.. {
        if ask(shop, action).await["allowed"] == false {
            return n;
        }
    }
    unreachable!("every window has an end")
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_are_exact_at_their_borders() {
    let clock = ManualClock::reading("2026-10-09T10:00:00+08:00");
    let shop = shop_at(&clock).await;
    for (action, quota, window_ms) in
        [("scan", 20, 1_000), ("pay", 5, 2_000), ("refund", 3, 5_000), ("sync", 50, 60_000)]
    {
        assert_eq!(allowed_at_once(&shop, action).await, quota, "{action}");
        clock.advance(Duration::from_millis(window_ms - 1));
        let refused = ask(&shop, action).await;
        let expected = json!({"allowed": false, "remaining": 0, "low": true, "retry_after_ms": 1});
        assert_eq!(refused, expected, "{action}");
        clock.advance(Duration::from_millis(1));
        assert_eq!(allowed_at_once(&shop, action).await, quota, "{action}");
    }
    refused(shop.poke("/v1/limits/cook").await, 422, "invalid_value").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn promotion_widens_the_windows_and_ends_by_itself() {
    let clock = ManualClock::reading("2026-10-09T10:00:00+08:00");
    let shop = shop_at(&clock).await;
    let begin = shop.request(reqwest::Method::PUT, "/v1/limits/promotion").send().await.unwrap();
    assert_eq!(begin.status(), 204);
    assert_eq!(allowed_at_once(&shop, "pay").await, 7, "5 times 1.5, rounded down");
    clock.advance(Duration::from_secs(2 * 60 * 60) - Duration::from_millis(1));
    assert_eq!(allowed_at_once(&shop, "pay").await, 7);
    clock.advance(Duration::from_millis(1));
    assert_eq!(allowed_at_once(&shop, "pay").await, 0, "seven have gone through just now");
    clock.advance(Duration::from_secs(2));
    assert_eq!(allowed_at_once(&shop, "pay").await, 5);

    let far = json!({"percent": 5_000});
    refused(shop.put("/v1/limits/promotion", &far).await, 422, "invalid_value").await;
    assert_eq!(
        shop.put("/v1/limits/promotion", &json!({"percent": 200, "lasts_s": 60})).await.status(),
        204
    );
    clock.advance(Duration::from_secs(59));
    assert_eq!(allowed_at_once(&shop, "pay").await, 10);
}
