//! Requests made to hurt, at every route there is.

use reqwest::{Method, Response};
use serde_json::{Value, json};
use tillroll_testkit::openapi::Operation;

use crate::routes::{all, body, method, request, value};
use crate::support::{Shop, problem, receipt};

/// As they stand in an address: ends of texts and lines, other folders, no UTF-8, no end.
fn addresses() -> Vec<String> {
    let mut hostile: Vec<String> = [
        "%00",
        "a%00b",
        "%0d%0ax-injected:%20yes",
        "..%2f..%2f..%2fetc%2fpasswd",
        "..%5cinstallation",
        "%ff%fe",
        "'%20OR%201=1%20--",
        "%e2%80%ae%f0%9f%92%a5",
        "-1",
        "99999999999999999999999",
        "{}",
    ]
    .map(str::to_owned)
    .into();
    hostile.push("9".repeat(8_000));
    hostile
}

/// What no field is meant to hold.
fn values() -> Vec<Value> {
    let deep = (0..100).fold(json!("deep"), |inner, _| json!([inner]));
    vec![
        json!("\0"),
        json!("\u{1b}@\r\nx-injected: yes"),
        json!("../../../etc/passwd"),
        json!("9".repeat(20_000)),
        json!(""),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e308),
        json!(-0.5),
        json!(null),
        json!([]),
        json!({}),
        deep,
    ]
}

/// It was refused as a problem, or harmless; the register still sells.
async fn was_no_fault(asked: &str, answer: Response) {
    let status = answer.status();
    assert!(!status.is_server_error(), "{asked}: {status} {:?}", answer.text().await);
    for strange in ["set-cookie", "x-injected", "access-control-allow-origin"] {
        assert!(answer.headers().get(strange).is_none(), "{asked}: {strange}");
    }
    if status.is_client_error() {
        problem(answer).await;
    }
}

/// Routes that answer at once: the one for events goes on for ever, and one searches the network.
fn answering() -> Vec<Operation> {
    let mut routes = all();
    routes.retain(|route| !["/v1/events", "/v1/discover"].contains(&route.path.as_str()));
    routes
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_part_of_an_address_is_refused_and_no_fault() {
    let (shop, _printer) = Shop::with_printer().await;
    for operation in answering() {
        for parameter in operation.parameters() {
            for hostile in addresses() {
                let path = operation.filled(|name| match name == parameter {
                    true => hostile.clone(),
                    false => value(&operation, name),
                });
                let asked = request(&shop, &operation, &path).send().await.unwrap();
                was_no_fault(&format!("{} {path:.200}", operation.method), asked).await;
            }
        }
        let path = operation.filled(|name| value(&operation, name));
        for query in &operation.queries {
            for hostile in addresses() {
                let path = format!("{path}?{query}={hostile}");
                let asked = request(&shop, &operation, &path).send().await.unwrap();
                was_no_fault(&format!("{path:.200}"), asked).await;
            }
        }
    }
    assert_eq!(shop.submit(&receipt(2)).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_value_in_any_field_is_refused_and_no_fault() {
    let (shop, _printer) = Shop::with_printer().await;
    for operation in answering().into_iter().filter(|route| route.takes_body) {
        let path = operation.filled(|name| value(&operation, name));
        let right = body(&operation);
        let read = shop.request(method(&operation), &path).json(&right).send().await.unwrap();
        assert_ne!(read.status(), 400, "{path}: {:?}", read.text().await);
        for field in right.as_object().unwrap().keys() {
            for hostile in values() {
                let mut wrong = right.clone();
                wrong[field] = hostile;
                let request = shop.request(method(&operation), &path).json(&wrong);
                let asked = format!("{} {path} {wrong:.300}", operation.method);
                was_no_fault(&asked, request.send().await.unwrap()).await;
            }
        }
    }
    assert_eq!(shop.submit(&receipt(2)).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_route_lets_a_page_that_is_not_listed_read_its_answer() {
    let (shop, _printer) = Shop::with_printer().await;
    for operation in answering() {
        let path = operation.filled(|name| value(&operation, name));
        let preflight = shop.request(Method::OPTIONS, &path);
        let preflight = preflight.header("access-control-request-method", &operation.method);
        for asked in [request(&shop, &operation, &path), preflight] {
            let answer = asked.header("origin", "https://evil.example").send().await.unwrap();
            let allowed = answer.headers().get("access-control-allow-origin");
            assert!(allowed.is_none(), "{} {path}: {allowed:?}", operation.method);
        }
    }
}
