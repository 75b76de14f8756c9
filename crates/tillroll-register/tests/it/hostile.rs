//! Requests made to hurt, at every route there is.

use reqwest::Method;
use serde_json::{Value, json};
use tillroll_paper::{Ticket, VirtualPrinter};
use tillroll_testkit::Attack;
use tillroll_testkit::answers::no_fault;
use tillroll_testkit::openapi::Operation;

use crate::routes::{all, body, method, request, value};
use crate::support::{Shop, receipt};

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

/// The job of the sale that is made before an attack.
const SOLD: &str = "S1:R1-000001:receipt:v1";

/// Begins an attack on a register that has sold.
async fn begin(what: &str) -> (Shop, VirtualPrinter, Attack) {
    let (shop, printer) = Shop::with_printer().await;
    assert_eq!(shop.submit(&receipt(1)).await.status(), 201);
    (shop, printer, Attack::on_all(format!("{what} of the register")))
}

/// Ends it: the sale is there, on paper once at most, and the register sells.
async fn end(mut attack: Attack, shop: &Shop, printer: &VirtualPrinter) {
    assert_eq!(shop.submit(&receipt(2)).await.status(), 201);
    let story = shop.get(&format!("/v1/jobs/{SOLD}")).await;
    let on_paper = |ticket: &Ticket| ticket.text().split_whitespace().any(|word| word == SOLD);
    let papers = printer.tickets().iter().filter(|ticket| on_paper(ticket)).count();
    attack.losses += usize::from(story.status() != 200);
    attack.duplicates += papers.saturating_sub(1);
    attack.end();
}

/// Routes that answer at once: the one for events goes on for ever, and one searches the network.
fn answering() -> Vec<Operation> {
    let mut routes = all();
    routes.retain(|route| !["/v1/events", "/v1/discover"].contains(&route.path.as_str()));
    routes
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_part_of_an_address_is_refused_and_no_fault() {
    let (shop, printer, mut attack) = begin("hostile parts of and behind every address").await;
    for operation in answering() {
        for parameter in operation.parameters() {
            for hostile in addresses() {
                let path = operation.filled(|name| match name == parameter {
                    true => hostile.clone(),
                    false => value(&operation, name),
                });
                let asked = request(&shop, &operation, &path).send().await.unwrap();
                let asked_for = format!("{} {path:.200}", operation.method);
                attack.tried(no_fault(&asked_for, asked).await);
            }
        }
        let path = operation.filled(|name| value(&operation, name));
        for query in &operation.queries {
            for hostile in addresses() {
                let path = format!("{path}?{query}={hostile}");
                let asked = request(&shop, &operation, &path).send().await.unwrap();
                attack.tried(no_fault(&format!("{path:.200}"), asked).await);
            }
        }
    }
    end(attack, &shop, &printer).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_value_in_any_field_is_refused_and_no_fault() {
    let (shop, printer, mut attack) = begin("hostile values in every field of every body").await;
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
                attack.tried(no_fault(&asked, request.send().await.unwrap()).await);
            }
        }
    }
    end(attack, &shop, &printer).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_route_lets_a_page_that_is_not_listed_read_its_answer() {
    let (shop, printer, mut attack) = begin("a web page at every route").await;
    for operation in answering() {
        let path = operation.filled(|name| value(&operation, name));
        let preflight = shop.request(Method::OPTIONS, &path);
        let preflight = preflight.header("access-control-request-method", &operation.method);
        for asked in [request(&shop, &operation, &path), preflight] {
            let answer = asked.header("origin", "https://evil.example").send().await.unwrap();
            let allowed = answer.headers().get("access-control-allow-origin");
            attack.holds(allowed.is_none(), || format!("{} {path}: {allowed:?}", operation.method));
        }
    }
    end(attack, &shop, &printer).await;
}
