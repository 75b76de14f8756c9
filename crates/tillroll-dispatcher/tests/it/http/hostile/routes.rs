//! The routes by who may ask, and what each is asked with.

use std::collections::BTreeSet;

use reqwest::header::RETRY_AFTER;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tillroll_dispatcher::http::openapi;
use tillroll_testkit::Attack;
use tillroll_testkit::openapi::{Operation, operations};

use crate::conformance::world::sale;
use crate::http::support::{Cloud, Shop, installation, jobs_of, order};
use crate::http::sync::batch;

pub const DAY: &str = "2026-11-30";

/// Every route.
pub fn all() -> Vec<Operation> {
    let found = operations(&serde_json::to_value(openapi()).unwrap());
    assert!(found.len() > 30, "{} routes", found.len());
    found
}

/// The routes that one kind of secret opens.
pub fn opened_by(scheme: &str) -> Vec<Operation> {
    let mut found = all();
    found.retain(|operation| operation.security.as_deref() == Some(scheme));
    assert!(found.len() >= 10, "{} routes of {scheme}", found.len());
    found
}

/// A store with a register, and what opens their routes.
pub struct Caller {
    pub shop: Shop,
    pub credential: String,
}

impl Caller {
    pub async fn new(cloud: &Cloud, tenant: &str) -> Self {
        let shop = cloud.shop(tenant, "S1").await;
        let credential = cloud.pair(&shop, "R1").await;
        cloud.announce(&shop, "R1").await;
        Self { shop, credential }
    }

    /// The secret for a route; none where anybody may ask.
    pub fn secret(&self, operation: &Operation) -> &str {
        match operation.security.as_deref() {
            Some("api_key") => &self.shop.token,
            Some("register") => &self.credential,
            None => "",
            Some(other) => panic!("{other} is new: say what opens it"),
        }
    }

    /// Fills in an address with what this caller may ask for, as far as that need not be there.
    pub fn value(&self, operation: &Operation, parameter: &str) -> String {
        match parameter {
            "store" => self.shop.uid.clone(),
            "action" if operation.path.contains("/splits/") => "cancel".to_owned(),
            "action" => "scan".to_owned(),
            "date" => DAY.to_owned(),
            "hour" => "496000".to_owned(),
            "id" => "S1:000001:kitchen:v1".to_owned(),
            "sku" => "soup".to_owned(),
            "split" | "version" => "1".to_owned(),
            "token" => "pt_0123456789abcdef0123456789abcdef".to_owned(),
            other => panic!("{other} is new: say what to ask for"),
        }
    }
}

/// A request to an address of a route, with a body that it would take.
pub fn request(cloud: &Cloud, operation: &Operation, path: &str, secret: &str) -> RequestBuilder {
    let method: Method = operation.method.parse().unwrap();
    let request = cloud.request(method, path).bearer_auth(secret);
    if operation.takes_body { request.json(&body(operation)) } else { request }
}

/// A body that its route would take.
pub fn body(operation: &Operation) -> Value {
    let named = operation.path.trim_start_matches("/v1/").trim_start_matches("stores/{store}/");
    match named {
        "counters" => json!({"request_id": "c9", "day": DAY, "register": "R1", "kind": "sale",
            "items": [{"sku": "soup", "quantity": 1}], "amount_minor": 100}),
        "limits/promotion" => json!({"percent": 150, "lasts_s": 60}),
        "limits/{action}" if operation.security.as_deref() == Some("register") => {
            json!({"calls": 1})
        }
        "limits/{action}" => json!({"register": "R1", "calls": 1}),
        "pair" => json!({"protocol": 1, "code": "123-456", "store": "S1", "register": "R1",
            "installation": installation("R9")}),
        "pay-tokens" if operation.security.as_deref() == Some("register") => {
            json!({"request_id": "p9", "amount_minor": 100})
        }
        "pay-tokens" => json!({"request_id": "p9", "register": "R1", "amount_minor": 100}),
        "pay-tokens/{token}/complete" => json!({"consume_id": "a", "result": {"paid": true}}),
        "pay-tokens/{token}/consume" => json!({"consume_id": "a"}),
        "print-jobs" => order(9),
        "share-tables/{version}" => share_table(),
        "splits" => split("9"),
        "splits/{split}/{action}" | "sync/splits/{split}/{action}" => {
            json!({"by": "Li", "note": "a test"})
        }
        "stock/{sku}" => json!({"day": DAY, "request_id": "s9", "set": 7}),
        "sync/digests" => json!({"from": 496_000, "to": 496_001, "hours": []}),
        "sync/records" => batch("R1", &[sale(9)]),
        other => panic!("{other} is new: say what it takes"),
    }
}

pub fn share_table() -> Value {
    json!({"valid_from": "2026-01-01T00:00:00Z", "shares": [
        {"party": "platform", "rate_bp": 600}, {"party": "merchant", "rate_bp": 9_400}]})
}

pub fn split(id: &str) -> Value {
    json!({"split_id": id, "day": DAY, "amount_minor": 5_401, "currency": "CNY",
        "paid_at": "2026-11-30T12:00:00Z"})
}

/// The answer, once the caller is not over its rate. Who tries pairing codes waits for longer and is not waited for.
pub async fn answered(request: RequestBuilder) -> Response {
    loop {
        let answer = request.try_clone().unwrap().send().await.unwrap();
        let after = answer.headers().get(RETRY_AFTER).map(|after| after.to_str().unwrap() == "1");
        if answer.status() != StatusCode::TOO_MANY_REQUESTS || after != Some(true) {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}

/// Status and JSON of an answer, without what differs from request to request.
pub async fn told(request: RequestBuilder) -> (StatusCode, Value) {
    let answer = answered(request).await;
    let status = answer.status();
    let mut told: Value = answer.json().await.unwrap_or_default();
    if let Some(fields) = told.as_object_mut() {
        fields.remove("request_id");
    }
    (status, told)
}

/// Begins an attack on the routes, of a store that has sent an order.
pub async fn begin(cloud: &Cloud, what: &str) -> (Caller, Attack) {
    let caller = Caller::new(cloud, "Old Wang").await;
    assert_eq!(cloud.send(&caller.shop, &order(1)).await.0, StatusCode::CREATED);
    (caller, Attack::on_all(format!("{what} of the dispatcher on {}", cloud.engine())))
}

/// Ends it: the order is there, and every job once.
pub async fn end(mut attack: Attack, cloud: &Cloud, caller: &Caller) {
    let (status, _) = cloud.job(&caller.shop, 1).await;
    attack.losses += usize::from(status != StatusCode::OK);
    let (_, jobs) = cloud.get(&caller.shop.token, &jobs_of(&caller.shop)).await;
    let ids: Vec<_> = jobs["jobs"].as_array().unwrap().iter().map(|job| &job["id"]).collect();
    let different: BTreeSet<_> = ids.iter().map(ToString::to_string).collect();
    attack.duplicates += ids.len() - different.len();
    attack.end();
}
