//! The head office: pairing by code, what is shown of it, and its jobs on this register's paper.

use std::sync::{Arc, Mutex};

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use reqwest::Method;
use serde_json::{Value, json};
use tillroll_sync::{Channel, Lane, Link, LinkError};
use tillroll_testkit::receipts;
use tillroll_wire::PROTOCOL;
use tillroll_wire::channel::{Down, Push, Up};
use tillroll_wire::day::CloudDay;
use tillroll_wire::record::{Batch, RecordVerdict, Verdict, Verdicts};
use tillroll_wire::repair::{Digests, HourIds};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::support::{PATIENCE, Plan, Shop, receipt, refused};

/// A dispatcher that pairs with one code and knows nothing else.
async fn office() -> String {
    let app = axum::Router::new().route("/v1/pair", post(pair));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

async fn pair(Json(body): Json<Value>) -> Response {
    assert_eq!((&body["store"], &body["register"]), (&json!("S1"), &json!("R1")));
    if body["code"] != "7QK4-M2XD" {
        let problem = json!({"code": "pairing_code", "detail": "no such code", "status": 403});
        return (StatusCode::FORBIDDEN, Json(problem)).into_response();
    }
    let paired = json!({"credential": "c".repeat(64), "store_uid": "st_1", "store_name": "Wang"});
    Json(paired).into_response()
}

fn ask(url: &str, code: &str) -> Value {
    json!({"url": url, "code": code})
}

async fn paired() -> Shop {
    let shop = Shop::open(Plan::default()).await;
    shop.add_virtual("front").await;
    let answered = shop.post("/v1/cloud/pair", &ask(&office().await, "7QK4-M2XD")).await;
    assert_eq!(answered.status(), 200);
    shop
}

#[tokio::test(flavor = "multi_thread")]
async fn register_without_a_head_office_says_so() {
    let shop = Shop::open(Plan::default()).await;
    assert_eq!(shop.read("/v1/cloud").await["state"], "not_paired");
    refused(shop.poke("/v1/cloud/retry").await, 409, "not_allowed").await;
    assert_eq!(shop.request(Method::DELETE, "/v1/cloud").send().await.unwrap().status(), 204);
    let records = shop.read("/v1/cloud/records?state=parked").await;
    assert_eq!(records, json!({"parked": [], "cloud_only": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn pairing_that_cannot_be_says_why_and_changes_nothing() {
    let shop = Shop::open(Plan::default()).await;
    let insecure = ask("http://dispatch.example.com", "7QK4-M2XD");
    let problem = refused(shop.post("/v1/cloud/pair", &insecure).await, 422, "invalid_value").await;
    assert_eq!(problem["faults"][0]["field"], "url");
    let wrong = ask(&office().await, "NO");
    let problem = refused(shop.post("/v1/cloud/pair", &wrong).await, 422, "invalid_value").await;
    assert_eq!(problem["faults"][0]["field"], "code");
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let absent = ask(&format!("http://{nobody}"), "7QK4-M2XD");
    refused(shop.post("/v1/cloud/pair", &absent).await, 424, "cloud_unreachable").await;
    assert_eq!(shop.read("/v1/cloud").await["state"], "not_paired");
    assert!(!shop.folder.path().join("cloud_credential").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_may_manage_pairs_or_ends_it() {
    let shop = Shop::open(Plan::default()).await;
    let token = shop.make_client(json!({"name": "pos-1"})).await;
    let pair = shop.bare(Method::POST, "/v1/cloud/pair").bearer_auth(&token);
    let pair = pair.json(&ask("https://dispatch.example.com", "7QK4-M2XD")).send().await.unwrap();
    refused(pair, 403, "forbidden").await;
    let end = shop.bare(Method::DELETE, "/v1/cloud").bearer_auth(&token).send().await.unwrap();
    refused(end, 403, "forbidden").await;
    let answer = shop.bare(Method::POST, "/v1/cloud/records/send_again").bearer_auth(&token);
    refused(answer.json(&json!({"ids": [1]})).send().await.unwrap(), 403, "forbidden").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paired_register_sells_while_the_head_office_is_away_and_shows_what_waits() {
    let shop = paired().await;
    assert_eq!(shop.submit(&receipt(1)).await.status(), 201);
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let cloud = shop.wait_for("/v1/cloud", |cloud| cloud["state"] == "offline").await;
    assert_eq!(cloud["store_name"], "Wang");
    assert_eq!(cloud["unsent"], 2, "the receipt and its paper");
    let today = shop.register.calendar().day_of(shop.register.clock().now());
    let day = shop.read(&format!("/v1/days/{today}")).await;
    assert_eq!(day["cloud"]["source"], "acknowledged");
    assert_eq!(day["cloud"]["totals"]["receipts"], 0);
    assert_eq!(
        day["differences"],
        json!([{"code": "unsent", "count": 2, "cure": "wait_for_network"}])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn head_office_is_no_client_program() {
    let shop = paired().await;
    let clients = shop.read("/v1/clients").await.to_string();
    assert!(!clients.contains("cloud"), "{clients}");
    let made = shop.post("/v1/clients", &json!({"name": "cloud"})).await;
    refused(made, 409, "not_allowed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pairing_outlives_a_restart_and_ends_when_asked() {
    let shop = paired().await;
    let (register, folder) = shop.end_server().await;
    register.stop().await;
    let clock = Arc::new(tillroll_register::SystemClock);
    let register = crate::support::start(folder.path(), clock).await.unwrap();
    let token = std::fs::read_to_string(folder.path().join("token")).unwrap();
    let owner = register.authenticate(&token).await.unwrap();
    let again = register.cloud().await.unwrap();
    assert!(matches!(again.state.as_str(), "connecting" | "offline"), "{again:?}");
    register.unpair(&owner).await.unwrap();
    assert_eq!(register.cloud().await.unwrap().state.as_str(), "not_paired");
    assert!(!folder.path().join("cloud_credential").exists());
    register.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_credential_asks_for_a_new_pairing() {
    let shop = paired().await;
    let (register, folder) = shop.end_server().await;
    register.stop().await;
    std::fs::remove_file(folder.path().join("cloud_credential")).unwrap();
    let clock = Arc::new(tillroll_register::SystemClock);
    let register = crate::support::start(folder.path(), clock).await.unwrap();
    let cloud = register.cloud().await.unwrap();
    assert_eq!(
        (cloud.state.as_str(), cloud.code.as_deref()),
        ("refused", Some("credential_missing"))
    );
    register.stop().await;
}

/// A dispatcher of this test's own: the other end of the channel, and verdicts by script.
#[derive(Clone)]
struct Script {
    opened: mpsc::UnboundedSender<Office>,
    verdict: Arc<Mutex<Verdict>>,
}

impl Link for Script {
    async fn send_records(&self, batch: &Batch, _lane: Lane) -> Result<Verdicts, LinkError> {
        let verdict = self.verdict.lock().unwrap().clone();
        let judged = batch.records.iter().map(|record| RecordVerdict {
            request_id: record.request_id.clone(),
            verdict: verdict.clone(),
        });
        Ok(Verdicts { now: batch.clock.now, verdicts: judged.collect(), shares_orders: false })
    }

    async fn digests(&self, ours: Digests) -> Result<Digests, LinkError> {
        Ok(ours)
    }

    async fn hour_ids(&self, hour: i64) -> Result<HourIds, LinkError> {
        Ok(HourIds { hour, records: Vec::new() })
    }

    async fn day(&self, _day: jiff::civil::Date) -> Result<CloudDay, LinkError> {
        Ok(CloudDay::default())
    }

    async fn open_channel(&self) -> Result<Channel, LinkError> {
        let ((up, heard), (down, said)) = (mpsc::channel(64), mpsc::channel(64));
        self.opened.send(Office { heard, down }).unwrap();
        Ok(Channel { up, down: said })
    }
}

struct Office {
    heard: mpsc::Receiver<Up>,
    down: mpsc::Sender<Result<Down, LinkError>>,
}

impl Office {
    /// Joins a paired shop and welcomes it; its hello.
    async fn join(shop: &Shop, verdict: Verdict) -> (Self, tillroll_wire::channel::Hello) {
        let (opened, mut channels) = mpsc::unbounded_channel();
        let script = Script { opened, verdict: Arc::new(Mutex::new(verdict)) };
        shop.register.join_cloud(script).await;
        let mut office = channels.recv().await.unwrap();
        let Up::Hello(hello) = office.next().await else { panic!("no hello") };
        let (now, store_uid) = (hello.clock.now, "st_1".to_owned());
        office
            .say(Down::Welcome { protocol: PROTOCOL, store_uid, now, shares_orders: false })
            .await;
        (office, hello)
    }

    async fn next(&mut self) -> Up {
        tokio::time::timeout(PATIENCE, self.heard.recv()).await.unwrap().unwrap()
    }

    async fn say(&self, down: Down) {
        self.down.send(Ok(down)).await.unwrap();
    }

    /// The first message that is one of those wanted.
    async fn until<T>(&mut self, wanted: impl Fn(Up) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(self.next().await) {
                return found;
            }
        }
    }
}

fn push(n: u32, printer: &str) -> Push {
    let receipt = receipts::simple(n);
    Push {
        id: format!("S1:{}:receipt:v1", receipt.order_no).parse().unwrap(),
        fingerprint: receipt.fingerprint().unwrap(),
        body: serde_json::to_value(&receipt).unwrap(),
        printer: printer.parse().unwrap(),
        remaining_ms: Some(90_000),
        held: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn job_of_the_head_office_is_accepted_when_durable_and_told_printed_when_on_paper() {
    let shop = paired().await;
    let (mut office, hello) = Office::join(&shop, Verdict::Accepted).await;
    assert!(hello.printers[0].ready && hello.printers[0].name.as_str() == "front");
    office.say(Down::Push(push(7, "front"))).await;
    let accepted =
        office.until(|up| if let Up::Accepted { id, .. } = up { Some(id) } else { None }).await;
    let result =
        office.until(|up| if let Up::Result(result) = up { Some(result) } else { None }).await;
    assert_eq!((&result.id, result.state.as_str()), (&accepted, "printed"));
    let paper = shop.register.virtual_printer("front").unwrap();
    assert_eq!(paper.tickets().len(), 1);
    let job = shop.read(&format!("/v1/jobs/{accepted}")).await;
    assert_eq!(job["drawer"], "none", "cash of a shop elsewhere opens no drawer");
    // The same push again is the same job.
    office.say(Down::Push(push(7, "front"))).await;
    office.until(|up| if let Up::Accepted { id, .. } = up { Some(id) } else { None }).await;
    assert_eq!(paper.tickets().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn job_for_a_printer_that_is_not_here_is_refused() {
    let shop = paired().await;
    let (mut office, _) = Office::join(&shop, Verdict::Accepted).await;
    office.say(Down::Push(push(7, "bar"))).await;
    let code =
        office.until(|up| if let Up::Refused { code, .. } = up { Some(code) } else { None }).await;
    assert_eq!(code, tillroll_wire::Code::NoPrinter);
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_printer_is_told_before_anybody_asks() {
    let shop = paired().await;
    let (mut office, _) = Office::join(&shop, Verdict::Accepted).await;
    assert_eq!(shop.poke("/v1/printers/front/pause").await.status(), 200);
    let report =
        office.until(|up| if let Up::Printer(report) = up { Some(report) } else { None }).await;
    assert!(!report.ready && report.reason.is_none(), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_records_are_listed_and_a_manager_gives_them_up() {
    let shop = paired().await;
    let rejected = Verdict::Rejected {
        code: tillroll_wire::Code::InvalidReceipt,
        detail: "the sums do not hold".into(),
    };
    let (_office, _) = Office::join(&shop, rejected).await;
    assert_eq!(shop.submit(&receipt(1)).await.status(), 201);
    let todo = shop.wait_for("/v1/todo", |todo| todo["refused_records"] != json!([])).await;
    let record = &todo["refused_records"][0];
    assert_eq!((&record["code"], &record["kind"]), (&json!("invalid_receipt"), &json!("receipt")));
    let today = shop.register.calendar().day_of(shop.register.clock().now());
    let day = shop
        .wait_for(&format!("/v1/days/{today}"), |day| day["differences"][0]["code"] == "refused")
        .await;
    assert_eq!(day["differences"][0]["cure"], "answer_records");
    let ids = json!([record["id"]]);
    let without = shop.post("/v1/cloud/records/give_up", &json!({"ids": ids})).await;
    refused(without, 422, "invalid_value").await;
    let given_up = json!({"ids": ids, "reason": "keyed in at the head office"});
    let answered = shop.post("/v1/cloud/records/give_up", &given_up).await;
    assert_eq!(answered.status(), 200);
    refused(shop.post("/v1/cloud/records/give_up", &given_up).await, 404, "not_found").await;
}
