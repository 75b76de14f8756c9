use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::post;
use jiff::Timestamp;
use serde_json::{Value, json};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::hooks::Signer;
use tillroll_domain::clock::Clock as _;
use tillroll_testkit::Attack;
use tillroll_testkit::clock::ManualClock;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::support::{Cloud, Plan, Shop, id, jobs_of, order};

const RECEIVER: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/webhook_receiver.py");

/// A webhook as it arrived.
struct Arrived {
    id: String,
    timestamp: String,
    signature: String,
    body: String,
}

/// What the receiver answers, one after the other, then 204.
type Answers = Arc<Mutex<Vec<StatusCode>>>;

async fn receiver(answers: &[u16]) -> (String, mpsc::UnboundedReceiver<Arrived>) {
    let answers = answers.iter().rev().map(|status| StatusCode::from_u16(*status).unwrap());
    let answers: Answers = Arc::new(Mutex::new(answers.collect()));
    let (arrived, arrivals) = mpsc::unbounded_channel();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let router = Router::new().route("/hook", post(receive)).with_state((answers, arrived));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, arrivals)
}

async fn receive(
    State((answers, arrived)): State<(Answers, mpsc::UnboundedSender<Arrived>)>,
    headers: HeaderMap,
    body: Bytes,
) -> impl IntoResponse {
    let named = |name: &str| headers[name].to_str().unwrap().to_owned();
    let status = answers.lock().unwrap().pop().unwrap_or(StatusCode::NO_CONTENT);
    let body = String::from_utf8(body.to_vec()).unwrap();
    let (id, timestamp) = (named("webhook-id"), named("webhook-timestamp"));
    let signature = named("webhook-signature");
    arrived.send(Arrived { id, timestamp, signature, body }).unwrap();
    (status, [(header::LOCATION, "/hook")])
}

async fn next(arrivals: &mut mpsc::UnboundedReceiver<Arrived>) -> Arrived {
    timeout(Duration::from_secs(20), arrivals.recv()).await.unwrap().unwrap()
}

/// A shop with a known printer and a register that is away.
async fn shop(cloud: &Cloud) -> Shop {
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    cloud.announce(&shop, "R1").await;
    shop
}

/// Ends a job: it is taken back before it was pushed.
async fn end(cloud: &Cloud, shop: &Shop, n: u32) {
    assert_eq!(cloud.send(shop, &order(n)).await.0, StatusCode::CREATED);
    let cancel = format!("{}/{}/cancel", jobs_of(shop), id(n));
    let (status, job) = cloud.post(&shop.token, &cancel, &json!({})).await;
    assert_eq!((status, &job["state"]), (reqwest::StatusCode::OK, &json!("canceled")));
}

/// Every webhook is tried at the times of the clock, which is turned by hand.
fn plan(clock: &ManualClock) -> Plan {
    Plan { clock: Arc::new(clock.clone()), ..Plan::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn webhook_is_signed_tried_again_after_faults_and_delivered_once() {
    let clock = ManualClock::reading("2026-10-09T10:00:00Z");
    let cloud = Cloud::with(plan(&clock)).await;
    let shop = shop(&cloud).await;
    let (url, mut arrivals) = receiver(&[500, 302]).await;
    let secret = cloud.dispatcher.admin().set_webhook(shop.key, &url).await.unwrap();
    end(&cloud, &shop, 1).await;
    let mut ids = Vec::new();
    for wait in [0, 5, 300] {
        clock.advance(Duration::from_secs(wait));
        let came = next(&mut arrivals).await;
        let at: Timestamp = Timestamp::from_second(came.timestamp.parse().unwrap()).unwrap();
        let signed = Signer::of(&secret).unwrap().sign(&came.id, at, &came.body);
        assert_eq!(signed, came.signature);
        let job: Value = serde_json::from_str(&came.body).unwrap();
        assert_eq!((&job["id"], &job["state"]), (&json!(id(1)), &json!("canceled")));
        ids.push(came.id);
        until_settled(&cloud, u64::try_from(ids.len()).unwrap()).await;
        assert!(arrivals.try_recv().is_err(), "too early");
    }
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    clock.advance(Duration::from_secs(10 * 86_400));
    let more = timeout(Duration::from_millis(500), arrivals.recv()).await;
    assert!(more.is_err(), "delivered twice");
}

/// Looks until so many tries were counted.
async fn until_settled(cloud: &Cloud, tries: u64) {
    for _ in 0..1_000 {
        let answer = cloud.request(reqwest::Method::GET, "/metrics").send().await.unwrap();
        let figures = answer.text().await.unwrap();
        let counts = figures.lines().filter(|line| line.starts_with("tillroll_webhooks_total{"));
        let counted = counts.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        if counted.sum::<u64>() >= tries {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{tries} tries were not counted")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receiver_that_is_gone_is_given_up_and_shown() {
    let cloud = Cloud::start().await;
    let shop = shop(&cloud).await;
    let (url, mut arrivals) = receiver(&[410]).await;
    cloud.dispatcher.admin().set_webhook(shop.key, &url).await.unwrap();
    end(&cloud, &shop, 1).await;
    let came = next(&mut arrivals).await;
    until_settled(&cloud, 1).await;
    let shown = loop {
        let shown = cloud.dispatcher.admin().given_up().await.unwrap();
        if !shown.is_empty() {
            break shown;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!((&shown[0].id, shown[0].tries, shown[0].api_key), (&came.id, 1, shop.key));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_receiver_holds_up_no_other() {
    let cloud = Cloud::start().await;
    let shop = shop(&cloud).await;
    // Takes connections and says nothing.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let admin = cloud.dispatcher.admin();
    let nowhere = format!("http://{}/", silent.local_addr().unwrap());
    admin.set_webhook(shop.key, &nowhere).await.unwrap();
    for n in 1..=40 {
        end(&cloud, &shop, n).await;
    }
    let stores = std::slice::from_ref(&shop.uid);
    let (url, mut arrivals) = receiver(&[]).await;
    let other = admin.add_api_key("Old Wang", "other", stores, Some(&url)).await.unwrap();
    let other = Shop { uid: shop.uid.clone(), token: other.token, key: other.id };
    end(&cloud, &other, 41).await;
    let came = next(&mut arrivals).await;
    assert!(came.body.contains(&id(41)), "{}", came.body);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn example_receiver_verifies_what_is_sent_and_nothing_else() {
    let cloud = Cloud::start().await;
    let shop = shop(&cloud).await;
    // The address is known only once the receiver, which needs the secret, runs.
    let admin = cloud.dispatcher.admin();
    let secret = admin.set_webhook(shop.key, "http://127.0.0.1:9/").await.unwrap();
    let mut python = tokio::process::Command::new("python3")
        .arg(RECEIVER)
        .env("TILLROLL_WEBHOOK_SECRET", &secret)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("python3 runs the example receiver");
    let mut lines = BufReader::new(python.stdout.take().unwrap()).lines();
    let mut line = async || {
        let line = timeout(Duration::from_secs(20), lines.next_line()).await.unwrap().unwrap();
        serde_json::from_str::<Value>(&line.expect("the receiver ended")).unwrap()
    };
    let url = format!("http://127.0.0.1:{}/", line().await["listening"]);
    use tillroll_dispatcher::store::{DispatcherStore as _, Hook};
    let hook = Hook { api_key: shop.key, url: url.clone(), secret: secret.clone() };
    cloud.dispatcher.store().set_hook(hook).await.unwrap();
    let forged = reqwest::Client::builder().no_proxy().build().unwrap().post(&url);
    let forged = forged
        .header("webhook-id", "msg_1")
        .header("webhook-timestamp", "1")
        .header("webhook-signature", "v1,AAAA")
        .body("{}");
    let mut attack = Attack::on_all("webhooks forged, old, early and sent again");
    let mut refused = |status: u16| attack.holds(status == 401, || status.to_string());
    refused(forged.send().await.unwrap().status().as_u16());
    end(&cloud, &shop, 1).await;
    let told = line().await;
    assert_eq!(told, json!({"verified": true, "job": id(1), "state": "canceled"}));
    let sent_again = |n: u32, age_s: i64| {
        let at = SystemClock.now() - jiff::SignedDuration::from_secs(age_s);
        let body = json!({"id": id(n), "state": "printed"}).to_string();
        let signature = Signer::of(&secret).unwrap().sign(&format!("msg_{n}"), at, &body);
        let posted = reqwest::Client::builder().no_proxy().build().unwrap().post(&url);
        posted
            .header("webhook-id", format!("msg_{n}"))
            .header("webhook-timestamp", at.as_second().to_string())
            .header("webhook-signature", signature)
            .body(body)
            .send()
    };
    for (n, age_s) in [(2, 0), (2, 0), (3, 600), (3, -600), (4, 0)] {
        let status = sent_again(n, age_s).await.unwrap().status().as_u16();
        match n {
            3 => refused(status),
            _ => assert_eq!(status, 204),
        }
    }
    assert_eq!(line().await["job"], id(2));
    let next = line().await["job"].clone();
    (attack.trials, attack.duplicates) = (attack.trials + 1, usize::from(next == id(2)));
    assert_eq!(next, id(4), "neither twice nor old");
    attack.end();
    python.kill().await.unwrap();
}
