//! Counters over the API: counted once, refused with what is short, compared by day.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_testkit::RedisServer;

use super::support::{Answer, Cloud, Plan, Shop, answer};

/// Today, in UTC.
fn today() -> String {
    SystemClock.now().to_string()[..10].to_owned()
}

pub fn trade(kind: &str, id: &str, items: &Value, amount_minor: i64) -> Value {
    json!({"request_id": id, "day": today(), "register": "R1", "kind": kind, "items": items,
        "amount_minor": amount_minor})
}

pub async fn count(cloud: &Cloud, shop: &Shop, body: &Value) -> Answer {
    cloud.post(&shop.token, &format!("/v1/stores/{}/counters", shop.uid), body).await
}

pub async fn change_stock(cloud: &Cloud, shop: &Shop, sku: &str, change: Value) -> Answer {
    let mut body = json!({"day": today()});
    body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    let path = format!("/v1/stores/{}/stock/{sku}", shop.uid);
    answer(cloud.request(Method::PUT, &path).bearer_auth(&shop.token).json(&body)).await
}

async fn open() -> (Cloud, Shop) {
    opened(Plan::default()).await
}

async fn opened(plan: Plan) -> (Cloud, Shop) {
    let cloud = Cloud::with(plan).await;
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    change_stock(&cloud, &shop, "soup", json!({"request_id": "open soup", "set": 10})).await;
    (cloud, shop)
}

fn soup(quantity: i64) -> Value {
    json!([{"sku": "soup", "quantity": quantity}])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sale_is_counted_once_and_another_body_conflicts() {
    let (cloud, shop) = open().await;
    let lines = json!([{"sku": "soup", "quantity": 1}, {"sku": "soup", "quantity": 2}]);
    let (status, first) = count(&cloud, &shop, &trade("sale", "a", &lines, 5_600)).await;
    assert_eq!(status, StatusCode::CREATED, "{first}");
    assert_eq!((&first["flow_no"], &first["kind"]), (&json!(2), &json!("sale")));
    assert_eq!(first["moved"], json!([{"sku": "soup", "by": -3, "left": 7}]));
    assert_eq!(
        (&first["register_count"], &first["register_net_minor"]),
        (&json!(1), &json!(5_600))
    );
    let (status, again) = count(&cloud, &shop, &trade("sale", "a", &soup(3), 5_600)).await;
    let stored = json!({"replayed": true});
    let mut expected = first.clone();
    expected.as_object_mut().unwrap().extend(stored.as_object().unwrap().clone());
    assert_eq!((status, again), (StatusCode::OK, expected));
    let (status, problem) = count(&cloud, &shop, &trade("sale", "a", &soup(4), 5_600)).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("conflict")));
    assert_ne!(problem["stored_fingerprint"], problem["offered_fingerprint"]);
    let (status, back) = count(&cloud, &shop, &trade("refund", "b", &soup(1), 600)).await;
    assert_eq!((status, &back["register_net_minor"]), (StatusCode::CREATED, &json!(5_000)));
    let path = format!("/v1/stores/{}/stock/soup", shop.uid);
    let stock = cloud.get(&shop.token, &path).await;
    assert_eq!(stock, (StatusCode::OK, json!({"sku": "soup", "quantity": 8})));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn short_stock_names_what_is_there_and_what_was_asked() {
    let (cloud, shop) = open().await;
    let items = json!([{"sku": "soup", "quantity": 11}, {"sku": "tea", "quantity": 1}]);
    let (status, problem) = count(&cloud, &shop, &trade("sale", "a", &items, 1)).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("stock_short")));
    let short =
        json!([{"sku": "soup", "there": 10, "asked": 11}, {"sku": "tea", "there": 0, "asked": 1}]);
    assert_eq!(problem["shortages"], short);
    let change = json!({"request_id": "tea came", "adjust": 5});
    let (status, tea) = change_stock(&cloud, &shop, "tea", change).await;
    assert_eq!((status, &tea["moved"][0]["left"]), (StatusCode::CREATED, &json!(5)));
    let items = json!([{"sku": "soup", "quantity": 10}, {"sku": "tea", "quantity": 1}]);
    assert_eq!(count(&cloud, &shop, &trade("sale", "a", &items, 1)).await.0, StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_wrong_is_named_and_changes_nothing() {
    let (cloud, shop) = open().await;
    let with = |field: &str, value: Value| {
        let mut body = trade("sale", "a", &soup(1), 1);
        body[field] = value;
        body
    };
    for (body, status, named) in [
        (with("request_id", json!("")), 422, "request_id"),
        (with("day", json!("monday")), 400, "day"),
        (with("day", json!("2020-01-01")), 422, "day"),
        (with("register", json!("R9")), 422, "register"),
        (with("register", json!("R 1")), 400, "register"),
        (with("kind", json!("gift")), 400, "kind"),
        (with("items", json!([])), 422, "items"),
        (with("items", soup(0)), 422, "items[0].quantity"),
        (with("items", soup(1_000_000_000)), 422, "items.quantity"),
        (with("amount_minor", json!(-1)), 422, "amount_minor"),
        (with("amount_minor", json!(1.5)), 400, "amount_minor"),
        (with("tip", json!(1)), 400, "tip"),
    ] {
        let (got, problem) = count(&cloud, &shop, &body).await;
        assert_eq!(got.as_u16(), status, "{named}: {problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(named), "{named}: {detail}");
    }
    for change in [json!({}), json!({"set": 1, "adjust": 1}), json!({"set": -1})] {
        let mut body = json!({"request_id": "x"});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let (status, problem) = change_stock(&cloud, &shop, "soup", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    }
    let (_, day) = cloud.get(&shop.token, &path_of(&shop, &today())).await;
    assert_eq!((&day["last_flow_no"], &day["registers"]), (&json!(1), &json!([])));
}

fn path_of(shop: &Shop, rest: &str) -> String {
    format!("/v1/stores/{}/counters/{rest}", shop.uid)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn day_is_shown_and_compared_and_is_nobody_elses() {
    let (cloud, shop) = open().await;
    count(&cloud, &shop, &trade("sale", "a", &soup(3), 900)).await;
    count(&cloud, &shop, &trade("refund", "b", &soup(1), 300)).await;
    let (status, day) = cloud.get(&shop.token, &path_of(&shop, &today())).await;
    assert_eq!(status, StatusCode::OK, "{day}");
    let figures = json!({"register": "R1", "sales": 1, "refunds": 1, "gross_minor": 900,
        "refunded_minor": 300});
    assert_eq!(day["registers"], json!([figures]));
    let hours = day["hours"].as_array().unwrap();
    assert!(hours.iter().all(|hour| hour["hour"].as_str().unwrap().parse::<Timestamp>().is_ok()));
    let stock = json!([{"sku": "soup", "sold": 3, "refunded": 1, "adjusted": 10}]);
    assert_eq!(day["stock"], stock);
    let (_, check) = cloud.get(&shop.token, &path_of(&shop, &format!("{}/check", today()))).await;
    assert_eq!(
        (&check["entries"], &check["found"], &check["differences"]),
        (&json!(3), &json!(0), &json!([]))
    );
    let other = cloud.shop("Chloé", "S1").await;
    let (status, _) = cloud.get(&other.token, &path_of(&shop, &today())).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, _) = cloud.get(&shop.token, &format!("/v1/stores/{}/stock/cake", shop.uid)).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn day_in_redis_is_a_second_old_at_most_and_lost_without_harm() {
    let mut server = RedisServer::start();
    let mut plan = Plan::default();
    plan.config.redis = [server.address()].into_iter().collect();
    let (cloud, shop) = opened(plan).await;
    cloud.until_figure("tillroll_redis_there 1").await;
    let path = path_of(&shop, &today());
    let last = async || cloud.get(&shop.token, &path).await.1["last_flow_no"].clone();
    assert_eq!(last().await, json!(1));
    let kept = server.ask("KEYS tillroll:*:counters:*", "counters");
    assert!(kept.contains(&format!("{{{}}}", shop.uid)), "{kept}");
    for (number, flow) in [("a", 2), ("b", 3)] {
        count(&cloud, &shop, &trade("sale", number, &soup(1), 100)).await;
        let mut looks = 0;
        while last().await != json!(flow) {
            looks += 1;
            assert!(looks < 500, "the day stays old");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    server.kill();
    cloud.until_figure("tillroll_redis_there 0").await;
    count(&cloud, &shop, &trade("sale", "c", &soup(1), 100)).await;
    assert_eq!(last().await, json!(4));
}
