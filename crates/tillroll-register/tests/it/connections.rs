//! Connections that give nothing cost nothing: times and numbers are bounded.

use std::time::Duration;

use tillroll_register::http::HttpSettings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::{PATIENCE, Plan, Shop};

async fn shop(http: HttpSettings) -> Shop {
    Shop::open(Plan { http, ..Plan::default() }).await
}

async fn connect(shop: &Shop) -> TcpStream {
    TcpStream::connect(("127.0.0.1", shop.port)).await.unwrap()
}

/// Everything until the other side closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut text)).await.expect("it is closed").unwrap();
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn head_that_never_ends_is_cut_off() {
    let header_timeout = Duration::from_millis(100);
    let shop = shop(HttpSettings { header_timeout, ..HttpSettings::default() }).await;
    let mut slow = connect(&shop).await;
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: 127").await.unwrap();
    rest(&mut slow).await;
    assert_eq!(shop.get("/healthz").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn body_that_never_ends_is_answered_and_cut_off() {
    let request_timeout = Duration::from_millis(100);
    let shop = shop(HttpSettings { request_timeout, ..HttpSettings::default() }).await;
    let mut slow = connect(&shop).await;
    let head = format!(
        "POST /v1/receipts HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{",
        shop.port, shop.token
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    let answered = rest(&mut slow).await;
    assert!(answered.starts_with("HTTP/1.1 408"), "{answered}");
    assert!(answered.contains("application/problem+json"), "{answered}");
    assert!(answered.contains("\"timed_out\""), "{answered}");
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_above_the_bound_wait_until_one_leaves() {
    let shop = shop(HttpSettings { connections: 1, ..HttpSettings::default() }).await;
    let request = format!("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", shop.port);
    let mut first = connect(&shop).await;
    first.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    first.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");

    let mut second = connect(&shop).await;
    second.write_all(request.as_bytes()).await.unwrap();
    let served = timeout(Duration::from_millis(100), second.read_exact(&mut answer)).await;
    assert!(served.is_err(), "the first still has the only place");
    drop(first);
    timeout(PATIENCE, second.read_exact(&mut answer)).await.expect("its turn").unwrap();
}
