//! Bodies that try to break what reads them.

use serde_json::{Value, json};
use tillroll_testkit::answers::no_fault;
use tillroll_testkit::openapi::Operation;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::routes::{Caller, all, answered, begin, body, end, told};
use crate::http::support::Cloud;

const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// What no field is meant to hold.
fn hostile() -> Vec<Value> {
    let mut deep = json!("deep");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    vec![
        json!("\0"),
        json!("a\0b"),
        json!("\u{1b}@\r\nx-injected: yes"),
        json!("'; DROP TABLE print_jobs; --"),
        json!("\u{feff}\u{202e}💥"),
        json!("9".repeat(20_000)),
        json!(""),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e308),
        json!(-0.5),
        json!(null),
        json!(true),
        json!({}),
        deep,
    ]
}

/// Where something stands in a body that is no object and no list.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| leaves(value, &format!("{at}/{name}"), found));
        }
        Value::Array(values) => values
            .iter()
            .enumerate()
            .for_each(|(index, value)| leaves(value, &format!("{at}/{index}"), found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.push(at.to_owned());
        }
    }
}

fn taking_bodies() -> Vec<Operation> {
    let mut routes = all();
    routes.retain(|route| route.takes_body);
    assert!(routes.len() > 10, "{} routes", routes.len());
    routes
}

async fn hostile_value_in_any_field_is_refused_and_no_fault(cloud: Cloud) {
    let (caller, mut attack) = begin(&cloud, "hostile values in every field of every body").await;
    for operation in taking_bodies() {
        let path = operation.filled(|name| caller.value(&operation, name));
        let right = body(&operation);
        let read = cloud.request(operation.method.parse().unwrap(), &path);
        let read = read.bearer_auth(caller.secret(&operation)).json(&right);
        let (status, said) = told(read).await;
        assert_ne!(said["code"], "invalid_body", "{path}: {status} {said}");
        let mut fields = Vec::new();
        leaves(&right, "", &mut fields);
        for field in fields {
            for value in hostile() {
                let mut wrong = right.clone();
                *wrong.pointer_mut(&field).unwrap() = value;
                let request = cloud.request(operation.method.parse().unwrap(), &path);
                let request = request.bearer_auth(caller.secret(&operation)).json(&wrong);
                let asked = format!("{} {path} {field}: {wrong:.300}", operation.method);
                attack.tried(no_fault(&asked, answered(request).await).await);
            }
        }
    }
    end(attack, &cloud, &caller).await;
}

crate::http::on_both_engines! {
    hostile_value_in_any_field_is_refused_and_no_fault,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn body_that_says_it_is_huge_is_refused_before_it_comes() {
    let cloud = Cloud::start().await;
    let caller = Caller::new(&cloud, "Old Wang").await;
    for operation in taking_bodies() {
        let path = operation.filled(|name| caller.value(&operation, name));
        let head = format!(
            "{} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            operation.method,
            caller.secret(&operation),
            1_u64 << 40
        );
        let mut socket = TcpStream::connect(cloud.dispatcher.address()).await.unwrap();
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        timeout(PATIENCE, socket.read_exact(&mut answer)).await.expect(&path).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 413", "{} {path}", operation.method);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn head_that_is_huge_is_refused_and_others_go_on() {
    let cloud = Cloud::start().await;
    for lines in [format!("x: {}\r\n", "y".repeat(1 << 20)), "x: y\r\n".repeat(500)] {
        let mut socket = TcpStream::connect(cloud.dispatcher.address()).await.unwrap();
        let head = format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{lines}\r\n");
        // It may be refused before all of it is sent.
        let _ = socket.write_all(head.as_bytes()).await;
        let mut answer = Vec::new();
        let ended = timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("it ends");
        let refused = answer.starts_with(b"HTTP/1.1 431");
        assert!(refused || ended.is_err(), "{}", String::from_utf8_lossy(&answer));
        let asked = cloud.request(reqwest::Method::GET, "/healthz").send().await.unwrap();
        assert_eq!(asked.status(), 200);
    }
}
