use std::time::Duration;

use reqwest::StatusCode;
use serde_json::json;
use tillroll_dispatcher::http::HttpSettings;
use tillroll_wire::Code;
use tillroll_wire::channel::{Down, Hello, Up};
use tokio_tungstenite::tungstenite::Message;

use super::line::{Line, hello};
use super::support::{Cloud, Plan, Shop, order};

fn bounded(edit: impl FnOnce(&mut HttpSettings)) -> Plan {
    let mut plan = Plan::default();
    edit(&mut plan.http);
    plan
}

async fn paired(plan: Plan) -> (Cloud, Shop, String) {
    let cloud = Cloud::with(plan).await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    (cloud, shop, credential)
}

#[tokio::test]
async fn unknown_protocol_is_refused_politely() {
    let (cloud, _, credential) = paired(Plan::default()).await;
    let mut line = Line::open(&cloud, &credential).await.unwrap();
    line.say(&Up::Hello(Hello { protocol: 99, ..hello("R1", "front") })).await;
    assert_eq!(line.bye().await, Code::UnknownProtocol);
}

#[tokio::test]
async fn another_installation_is_not_let_in() {
    let (cloud, _, credential) = paired(Plan::default()).await;
    let mut line = Line::open(&cloud, &credential).await.unwrap();
    line.say(&Up::Hello(hello("R2", "front"))).await;
    assert_eq!(line.bye().await, Code::Replaced);
}

#[tokio::test]
async fn register_that_does_not_say_hello_is_dropped() {
    let plan = bounded(|http| http.hello_within = Duration::from_millis(50));
    let (cloud, _, credential) = paired(plan).await;
    let mut line = Line::open(&cloud, &credential).await.unwrap();
    assert_eq!(line.bye().await, Code::InvalidBody);
}

#[tokio::test]
async fn what_is_no_message_ends_the_channel_with_the_reason() {
    let (cloud, _, credential) = paired(Plan::default()).await;
    let unknown = json!({"type": "unknown", "id": super::support::id(1)}).to_string();
    for first in [unknown, "{".to_owned(), "[]".to_owned(), json!({"type": "x"}).to_string()] {
        let mut line = Line::open(&cloud, &credential).await.unwrap();
        line.say_text(first).await;
        assert_eq!(line.bye().await, Code::InvalidBody);
    }
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    line.say_text("{".into()).await;
    assert_eq!(line.bye().await, Code::InvalidBody);
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    futures_util::SinkExt::send(&mut line.socket, Message::binary(vec![1])).await.unwrap();
    assert_eq!(line.bye().await, Code::Unsupported);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oversized_frame_ends_the_channel() {
    let (cloud, _, credential) = paired(bounded(|http| http.frame_limit = 4_096)).await;
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    line.say_text("x".repeat(8_192)).await;
    assert_eq!(line.bye().await, Code::TooLarge);
    cloud.until_connected(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_that_does_not_read_is_dropped_and_its_jobs_wait() {
    let plan = bounded(|http| http.write_within = Duration::from_millis(300));
    let (cloud, shop, credential) = paired(plan).await;
    let line = Line::greeted(&cloud, &credential, "R1").await;
    cloud.until_connected(1).await;
    for n in 1..=5 {
        // More than the sockets between them hold.
        let mut job = order(n);
        job.as_object_mut().unwrap().remove("lines");
        job["raw_base64"] = json!("AAAA".repeat(1_000_000));
        assert_eq!(cloud.send(&shop, &job).await.0, StatusCode::CREATED);
    }
    cloud.until_connected(0).await;
    cloud.until(&shop, 5, "parked").await;
    drop(line);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_register_is_dropped_and_one_that_answers_pings_stays() {
    let plan = bounded(|http| {
        http.ping_every = Duration::from_millis(50);
        http.silent_after = Duration::from_millis(400);
    });
    let (cloud, shop, credential) = paired(plan).await;
    let silent = Line::greeted(&cloud, &credential, "R1").await;
    cloud.until_connected(0).await;
    drop(silent);
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    // Reading answers pings. Twice as long as a silent one stays.
    let heard = tokio::time::timeout(Duration::from_millis(800), line.hear()).await;
    assert!(heard.is_err(), "{heard:?}");
    assert_eq!(cloud.send(&shop, &order(1)).await.0, StatusCode::CREATED);
    line.push().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn newer_connection_of_a_register_ends_the_older_one() {
    let (cloud, shop, credential) = paired(Plan::default()).await;
    let mut older = Line::greeted(&cloud, &credential, "R1").await;
    let mut newer = Line::greeted(&cloud, &credential, "R1").await;
    assert_eq!(older.bye().await, Code::NotAllowed);
    cloud.send(&shop, &order(1)).await;
    newer.push().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn name_of_another_registers_printer_is_taken() {
    let (cloud, shop, credential) = paired(Plan::default()).await;
    let _first = Line::greeted(&cloud, &credential, "R1").await;
    let second = cloud.pair(&shop, "R2").await;
    let mut line = Line::greeted(&cloud, &second, "R2").await;
    let heard = line.hear().await;
    assert!(
        matches!(&heard, Some(Down::PrinterNameTaken { name }) if name.as_str() == "front"),
        "{heard:?}"
    );
}

#[tokio::test]
async fn no_more_registers_than_may_be() {
    let (cloud, _, credential) = paired(bounded(|http| http.channels = 1)).await;
    let _first = Line::greeted(&cloud, &credential, "R1").await;
    let refused = Line::open(&cloud, &credential).await.err();
    assert_eq!(refused, Some(StatusCode::SERVICE_UNAVAILABLE));
}

#[tokio::test]
async fn plain_request_to_the_channel_is_a_problem() {
    let (cloud, _, credential) = paired(Plan::default()).await;
    let (status, problem) = cloud.get(&credential, "/v1/channel").await;
    assert!(status.is_client_error(), "{status}");
    assert_eq!(problem["code"], "unsupported");
}
