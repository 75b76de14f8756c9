use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::support::{Cloud, Plan};

#[tokio::test]
async fn client_that_never_ends_its_head_is_dropped() {
    let mut plan = Plan::default();
    plan.http.header_timeout = Duration::from_millis(100);
    let cloud = Cloud::with(plan).await;
    let mut socket = TcpStream::connect(cloud.dispatcher.address()).await.unwrap();
    socket.write_all(b"GET /healthz HTTP/1.1\r\nx:").await.unwrap();
    let mut read = Vec::new();
    let ended = timeout(Duration::from_secs(5), socket.read_to_end(&mut read)).await;
    assert!(ended.is_ok(), "the connection stays open");
}

#[tokio::test]
async fn body_that_never_comes_is_answered() {
    let mut plan = Plan::default();
    plan.http.request_timeout = Duration::from_millis(200);
    let cloud = Cloud::with(plan).await;
    let mut socket = TcpStream::connect(cloud.dispatcher.address()).await.unwrap();
    let head = "POST /v1/pair HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                content-length: 100\r\n\r\n{";
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    timeout(Duration::from_secs(5), socket.read_exact(&mut answer)).await.unwrap().unwrap();
    let status = &answer[9..];
    assert!(status == b"408" || status == b"503", "{}", String::from_utf8_lossy(&answer));
}

#[tokio::test]
async fn unknown_address_and_method_are_problems() {
    let cloud = Cloud::start().await;
    for (method, path, status, code) in [
        (reqwest::Method::GET, "/v2", 404, "not_found"),
        (reqwest::Method::DELETE, "/healthz", 405, "not_allowed"),
    ] {
        let answer = cloud.request(method, path).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status);
        assert_eq!(answer.headers()["content-type"], "application/problem+json");
        let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
        let problem: serde_json::Value = answer.json().await.unwrap();
        assert_eq!(
            (problem["code"].as_str(), problem["request_id"].as_str()),
            (Some(code), Some(id.as_str()))
        );
    }
}
