//! Client programs come, get a new token, and go.

use reqwest::Method;
use serde_json::json;

use crate::support::{Plan, Shop, refused};

#[tokio::test(flavor = "multi_thread")]
async fn token_counts_until_it_is_taken_away_or_replaced() {
    let shop = Shop::open(Plan::default()).await;
    let status = async |token: &str| {
        shop.bare(Method::GET, "/v1/todo").bearer_auth(token).send().await.unwrap().status()
    };
    let first = shop.make_client(json!({"name": "pos", "order_scope": "register"})).await;
    assert_eq!(status(&first).await, 200);
    let second = shop.make_client(json!({"name": "pos"})).await;
    assert_eq!((status(&first).await.as_u16(), status(&second).await.as_u16()), (401, 200));
    let gone = shop.request(Method::DELETE, "/v1/clients/pos").send().await.unwrap();
    assert_eq!(gone.status(), 204);
    assert_eq!(status(&second).await, 401);
    let clients = shop.read("/v1/clients").await;
    assert_eq!(clients["clients"][1]["name"], "pos");
    assert_eq!(clients["clients"][1]["revoked"], true);
    assert!(!clients.to_string().contains(&second));
}

#[tokio::test(flavor = "multi_thread")]
async fn owner_cannot_lock_itself_out() {
    let shop = Shop::open(Plan::default()).await;
    refused(shop.post("/v1/clients", &json!({"name": "owner"})).await, 409, "not_allowed").await;
    let gone = shop.request(Method::DELETE, "/v1/clients/owner").send().await.unwrap();
    refused(gone, 409, "not_allowed").await;
    refused(shop.post("/v1/clients", &json!({"name": "a b"})).await, 422, "invalid_value").await;
}
