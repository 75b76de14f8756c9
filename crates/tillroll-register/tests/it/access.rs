//! Who may ask: checked on every route the description knows.

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tillroll_register::http::HttpSettings;
use tillroll_testkit::Attack;
use tillroll_testkit::openapi::Operation;

use crate::routes;
use crate::support::{Plan, Shop, problem, receipt, refused};

/// Every route: method, address with its parameters filled in, and whether it asks for a token.
fn operations() -> Vec<(Method, String, bool)> {
    let known = |operation: Operation| {
        let path = operation.filled(|name| routes::value(&operation, name));
        (routes::method(&operation), path, operation.security.is_some())
    };
    routes::all().into_iter().map(known).collect()
}

async fn without_id(response: Response) -> Value {
    let mut document = problem(response).await;
    document["request_id"] = Value::Null;
    document
}

/// Whether a request is refused with that status and code.
async fn is_refused(request: RequestBuilder, status: u16, code: &str) -> Result<(), String> {
    let answer = request.send().await.unwrap();
    let (is, said) = (answer.status(), answer.json::<Value>().await.unwrap_or_default());
    match is == status && said["code"] == code {
        true => Ok(()),
        false => Err(format!("{is}, not {status} {code}: {said}")),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_asks_for_a_token_and_every_refusal_looks_the_same() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut attack = Attack::on_all("wrong tokens at every route of the register");
    let mut refusals = Vec::new();
    for (method, path, secured) in operations() {
        if !secured {
            assert_eq!(shop.bare(method, &path).send().await.unwrap().status(), 200, "{path}");
            continue;
        }
        for credential in [None, Some("Bearer wrong"), Some("Basic b3duZXI6"), Some("Bearer")] {
            let mut request = shop.bare(method.clone(), &path);
            if let Some(credential) = credential {
                request = request.header("authorization", credential);
            }
            let again = request.try_clone().unwrap().send().await.unwrap();
            assert_eq!(again.headers()["www-authenticate"], "Bearer");
            refusals.push(without_id(again).await);
            attack.tried(is_refused(request, 401, "unauthorized").await);
        }
    }
    refusals.dedup();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    attack.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_refuses_a_foreign_host() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut attack = Attack::on_all("a foreign Host at every route of the register");
    for (method, path, _) in operations() {
        for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:9317"] {
            let request = shop.request(method.clone(), &path).header("host", host);
            attack.tried(is_refused(request, 421, "misdirected").await);
        }
    }
    attack.end();
    for name in ["localhost", "LocalHost", "[::1]"] {
        let host = format!("{name}:{}", shop.port);
        let request = shop.bare(Method::GET, "/healthz").header("host", host);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_asked_for_by_a_foreign_page_is_refused() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut attack = Attack::on_all("a foreign Origin at every route that changes the register");
    for (method, path, _) in operations().into_iter().filter(|(method, ..)| !method.is_safe()) {
        for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
            let request = shop.request(method.clone(), &path).header("origin", origin);
            attack.tried(is_refused(request, 403, "forbidden").await);
        }
    }
    attack.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn listed_page_may_call_and_others_learn_nothing() {
    let listed = "https://pos.example";
    let http = HttpSettings { allowed_origins: vec![listed.to_owned()], ..HttpSettings::default() };
    let shop = Shop::open(Plan { http, ..Plan::default() }).await;
    shop.add_virtual("front").await;
    let ask = |origin: &'static str| {
        let request = shop.bare(Method::OPTIONS, "/v1/receipts").header("origin", origin);
        request
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type")
            .send()
    };
    let asked = ask(listed).await.unwrap();
    assert_eq!(asked.headers()["access-control-allow-origin"], listed);
    assert!(asked.headers().get("access-control-allow-credentials").is_none());
    let foreign = ask("https://evil.example").await.unwrap();
    assert!(foreign.headers().get("access-control-allow-origin").is_none());

    let request = shop.request(Method::POST, "/v1/receipts").header("origin", listed);
    let answered = request.json(&receipt(1)).send().await.unwrap();
    assert_eq!(answered.status(), 201);
    assert_eq!(answered.headers()["access-control-allow-origin"], listed);
    let read = shop.request(Method::GET, "/v1/jobs").header("origin", "https://evil.example");
    let read = read.send().await.unwrap();
    assert!(read.headers().get("access-control-allow-origin").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn changing_the_register_needs_the_right_to_manage() {
    let (shop, _printer) = Shop::with_printer().await;
    let token = shop.make_client(json!({"name": "pos"})).await;
    let managing: [(Method, &str, Value); 11] = [
        (Method::POST, "/v1/printers", json!({"name": "bar", "uri": "virtual:bar"})),
        (Method::PATCH, "/v1/printers/front", json!({"columns": 42})),
        (Method::DELETE, "/v1/printers/front", json!({})),
        (Method::POST, "/v1/printers/front/probe", json!({})),
        (Method::PUT, "/v1/routes", json!({"kitchen": "front"})),
        (Method::GET, "/v1/clients", json!({})),
        (Method::POST, "/v1/clients", json!({"name": "mine", "may_manage": true})),
        (Method::DELETE, "/v1/clients/pos", json!({})),
        (Method::PUT, "/v1/limits/promotion", json!({})),
        (Method::POST, "/v1/days/2026-10-09/close", json!({})),
        (Method::POST, "/v1/printers/front/drawer", json!({"reason": "change"})),
    ];
    for (method, path, body) in managing {
        let request = shop.bare(method, path).bearer_auth(&token).json(&body);
        refused(request.send().await.unwrap(), 403, "forbidden").await;
    }
    let sale = shop.bare(Method::POST, "/v1/receipts").bearer_auth(&token).json(&receipt(1));
    assert_eq!(sale.send().await.unwrap().status(), 201);
}
