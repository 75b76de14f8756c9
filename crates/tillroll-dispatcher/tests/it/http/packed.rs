//! Batches come packed and verdicts go packed, within the bounds of those that do not.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::Value;

use super::support::Cloud;
use super::sync::{batch, paired, verdicts};
use crate::conformance::world::sale;

fn packed(body: &[u8]) -> Vec<u8> {
    let mut packing = GzEncoder::new(Vec::new(), Compression::fast());
    packing.write_all(body).unwrap();
    packing.finish().unwrap()
}

async fn send(cloud: &Cloud, credential: &str, coding: &str, body: Vec<u8>) -> Response {
    let request = cloud.request(Method::POST, "/v1/sync/records").bearer_auth(credential);
    let request = request.header(CONTENT_TYPE, "application/json").header(CONTENT_ENCODING, coding);
    let request = request.header(ACCEPT_ENCODING, "gzip").body(body).build().unwrap();
    // One that unpacks nothing by itself.
    let client = Client::builder().no_proxy().no_gzip().build().unwrap();
    client.execute(request).await.unwrap()
}

#[tokio::test]
async fn packed_batch_is_taken_and_its_verdicts_come_packed() {
    let (cloud, _, credential) = paired().await;
    let sales: Vec<_> = (1..=60).map(sale).collect();
    let body = packed(batch("R1", &sales).to_string().as_bytes());
    let answer = send(&cloud, &credential, "gzip", body).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[ACCEPT_ENCODING], "gzip", "offered with each answer");
    assert_eq!(answer.headers()[CONTENT_ENCODING], "gzip");
    let bytes = answer.bytes().await.unwrap();
    let mut text = String::new();
    GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(verdicts(&answer), vec!["accepted"; 60]);
}

#[tokio::test]
async fn few_bytes_that_stand_for_millions_are_refused_and_so_is_what_cannot_be_unpacked() {
    let (cloud, _, credential) = paired().await;
    for (coding, body, status) in [
        ("gzip", packed(&vec![b' '; 64 << 20]), StatusCode::PAYLOAD_TOO_LARGE),
        ("gzip", b"{}".to_vec(), StatusCode::BAD_REQUEST),
        ("br", b"{}".to_vec(), StatusCode::UNSUPPORTED_MEDIA_TYPE),
    ] {
        let answer = send(&cloud, &credential, coding, body).await;
        assert_eq!(answer.status(), status, "{coding}");
        let problem: Value = answer.json().await.unwrap();
        assert!(problem["code"].is_string(), "{problem}");
    }
}
