//! Bodies that are wrong: each is answered with a clear problem, and the register goes on.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Shop, receipt, refused};

async fn submit_bytes(shop: &Shop, body: impl Into<reqwest::Body>) -> reqwest::Response {
    let request = shop.request(Method::POST, "/v1/receipts");
    request.header("content-type", "application/json").body(body).send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_no_receipt_are_refused_with_what_is_wrong() {
    let (shop, _printer) = Shop::with_printer().await;
    let deep = "[".repeat(100_000);
    let deep_inside = format!("{{\"order_no\": {}", "{\"a\":".repeat(100_000));
    let bodies: [(&[u8], &str); 10] = [
        (b"", "the body is empty"),
        (b"\x00\xff\xfe\x80binary", "must be a JSON object"),
        (b"{\xff\xfe\x80}", "key must be a string"),
        (b"null", "must be a JSON object"),
        (b"[\"1\", \"receipt\"]", "must be a JSON object"),
        (deep.as_bytes(), "must be a JSON object"),
        (deep_inside.as_bytes(), "order_no"),
        (b"{\"order_no\": \"1\", \"kind\": \"receipt\"", "EOF while parsing"),
        (b"{\"order_no\": \"1\", \"kind\": \"receipt\"} {}", "trailing characters"),
        (b"{\"order_no\": \"1\", \"order_no\": \"2\", \"kind\": \"receipt\"}", "duplicate field"),
    ];
    for (body, says) in bodies {
        let problem = refused(submit_bytes(&shop, body.to_vec()).await, 400, "invalid_body").await;
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(says), "{detail:?} does not say {says:?}");
    }
    assert_eq!(shop.submit(&receipt(1)).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_fields_and_wrong_types_name_their_path() {
    let (shop, _printer) = Shop::with_printer().await;
    let cases = [
        ("/totle_minor", json!(1), "unknown field `totle_minor`"),
        ("/lines/0/name", json!(7), "lines[0].name: invalid type: integer `7`, expected a string"),
        ("/total_minor", json!(12.5), "total_minor: "),
        ("/total_minor", json!("1250"), "total_minor: "),
        ("/kind", json!("invoice"), "kind: unknown variant `invoice`"),
        ("/tenders/0/amount_minor", json!(1e99), "tenders[0].amount_minor: "),
        ("/order_no", json!("a/b"), "order_no: "),
        ("/issued_at", json!("yesterday"), "issued_at: "),
    ];
    for (pointer, value, says) in cases {
        let mut body = receipt(1);
        match body.pointer_mut(pointer) {
            Some(field) => *field = value,
            None => body[&pointer[1..]] = value,
        }
        let problem = refused(shop.submit(&body).await, 400, "invalid_body").await;
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(says), "{pointer}: {detail:?} does not say {says:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn huge_bodies_are_refused_and_listed() {
    let (shop, _printer) = Shop::with_printer().await;
    let huge = vec![b' '; 7 * 1024 * 1024];
    let problem = refused(submit_bytes(&shop, huge).await, 413, "too_large").await;
    assert!(problem["detail"].as_str().unwrap().contains("6291456 bytes"));
    assert_eq!(shop.read("/v1/rejected").await["rejected"][0]["code"], "too_large");

    let many = json!({"ids": vec!["S1:1:receipt:v1"; 10_000]});
    refused(shop.post("/v1/jobs/retry", &many).await, 413, "too_large").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn huge_body_without_a_length_is_refused() {
    let (shop, _printer) = Shop::with_printer().await;
    let chunks = (0..200).map(|_| Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]));
    let body = reqwest::Body::wrap_stream(futures_util::stream::iter(chunks));
    refused(submit_bytes(&shop, body).await, 413, "too_large").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn raw_job_of_the_largest_size_is_taken() {
    let (shop, _printer) = Shop::with_printer().await;
    let job = vec![b'\n'; 3 * 1024 * 1024];
    let body = serde_json::to_value(tillroll_testkit::receipts::raw(1, &job)).unwrap();
    assert_eq!(shop.submit(&body).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_media_types_are_refused() {
    let (shop, _printer) = Shop::with_printer().await;
    for media in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
        let request = shop.request(Method::POST, "/v1/receipts").body(receipt(1).to_string());
        let request = request.header("content-type", media);
        refused(request.send().await.unwrap(), 415, "unsupported").await;
    }
    let with_charset = shop.request(Method::POST, "/v1/receipts").body(receipt(1).to_string());
    let with_charset = with_charset.header("content-type", "application/json; charset=utf-8");
    assert_eq!(with_charset.send().await.unwrap().status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_addresses_and_methods_are_problems_too() {
    let (shop, _printer) = Shop::with_printer().await;
    refused(shop.get("/v1/nothing").await, 404, "not_found").await;
    refused(shop.get("/").await, 404, "not_found").await;
    refused(shop.get("/v1/jobs/S1:9:receipt:v1").await, 404, "not_found").await;
    let wrong = shop.request(Method::DELETE, "/v1/receipts").send().await.unwrap();
    assert_eq!(wrong.headers()["allow"], "POST");
    refused(wrong, 405, "method_not_allowed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn body_that_breaks_off_leaves_nothing_behind() {
    let (shop, _printer) = Shop::with_printer().await;
    let head = format!(
        "POST /v1/receipts HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{{\"order_no\"",
        shop.port, shop.token
    );
    let mut stream = TcpStream::connect(("127.0.0.1", shop.port)).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    drop(stream);
    assert_eq!(shop.submit(&receipt(2)).await.status(), 201);
    assert_eq!(shop.read("/v1/jobs").await["jobs"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_behind_a_request_ends_its_connection_only() {
    let (shop, _printer) = Shop::with_printer().await;
    let request = format!(
        "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n\x01\x02garbage \x7f\r\n\r\n",
        shop.port
    );
    let mut stream = TcpStream::connect(("127.0.0.1", shop.port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answered = String::new();
    stream.read_to_string(&mut answered).await.unwrap();
    assert!(answered.starts_with("HTTP/1.1 200 OK"), "{answered}");
    assert!(answered.contains("HTTP/1.1 400 Bad Request"), "{answered}");
    assert_eq!(shop.submit(&receipt(1)).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn byte_order_mark_before_the_json_is_nothing() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut body = b"\xEF\xBB\xBF".to_vec();
    body.extend(serde_json::to_vec(&receipt(1)).unwrap());
    let request = shop.request(Method::POST, "/v1/receipts");
    let sent = request.header("content-type", "application/json").body(body).send().await.unwrap();
    assert_eq!(sent.status(), 201);
    let plain: Value = shop.submit(&receipt(1)).await.json().await.unwrap();
    assert_eq!(plain["replayed"], true, "it is the same receipt");
}
