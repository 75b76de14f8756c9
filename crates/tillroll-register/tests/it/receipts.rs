//! A receipt goes in: recorded once, printed once, and answered without waiting for the printer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Instant;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tillroll_sqlite::CommitFault;
use tillroll_store::StoreOptions;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::support::{PATIENCE, Plan, Shop, receipt, refused};

#[tokio::test(flavor = "multi_thread")]
async fn receipt_is_printed_and_its_story_is_told() {
    let (shop, printer) = Shop::with_printer().await;
    let answered = shop.submit(&receipt(1)).await;
    assert_eq!(answered.status(), 201);
    let accepted: Value = answered.json().await.unwrap();
    assert_eq!(accepted["id"], "S1:R1-000001:receipt:v1");
    assert_eq!((accepted["flow_no"].as_i64(), &accepted["replayed"]), (Some(1), &json!(false)));

    let tickets = printer.wait_for_tickets(1, PATIENCE).await.unwrap();
    let text = tickets[0].text();
    for printed in ["Sandwich", "12.50", "20.00", "7.50"] {
        assert!(text.contains(printed), "{printed} is not on\n{text}");
    }
    let story = shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    assert_eq!(story["confirmation"], "token");
    assert_eq!(story["story"].as_array().unwrap().len(), 1);
    assert_eq!(story["story"][0]["outcome"], "printed");
    assert_eq!(story["allowed"], json!(["copy"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn same_receipt_a_hundred_times_at_once_is_one_job_and_one_ticket() {
    let (shop, printer) = Shop::with_printer().await;
    let body = receipt(1);
    let answers = join_all((0..100).map(|_| shop.submit(&body))).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status().as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1);
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 99);
    for answer in answers {
        let is_new = answer.status() == 201;
        let accepted: Value = answer.json().await.unwrap();
        assert_eq!(accepted["flow_no"], 1);
        assert_eq!(accepted["replayed"], !is_new);
    }
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    // A receipt behind it proves that no second one came in between.
    shop.submit(&receipt(2)).await;
    shop.wait_for_state("S1:R1-000002:receipt:v1", "printed").await;
    assert_eq!(printer.cut_tickets(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn same_id_with_another_body_names_both_fingerprints() {
    let (shop, _printer) = Shop::with_printer().await;
    let first = receipt(1);
    shop.submit(&first).await;
    let mut other = first.clone();
    other["footer"] = json!(["changed"]);
    for _ in 0..2 {
        let problem = refused(shop.submit(&other).await, 409, "conflict").await;
        let (recorded, offered) =
            (problem["recorded_fingerprint"].as_str(), problem["offered_fingerprint"].as_str());
        assert_eq!(recorded.unwrap().len(), 64);
        assert_eq!(offered.unwrap().len(), 64);
        assert_ne!(recorded, offered);
        let replay = shop.submit(&first).await;
        assert_eq!(replay.status(), 200, "the stored answer stands");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn same_content_in_another_writing_is_a_replay() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut first = receipt(1);
    first["issued_at"] = json!("2026-10-09T10:03:25+08:00");
    shop.submit(&first).await;
    let mut again = first.clone();
    again["issued_at"] = json!("2026-10-09T02:03:25Z");
    again["version"] = json!(1);
    again["header"] = json!([]);
    assert_eq!(shop.submit(&again).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_sums_are_named() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut wrong = receipt(1);
    wrong["total_minor"] = json!(1_300);
    let problem = refused(shop.submit(&wrong).await, 422, "invalid_receipt").await;
    let sums: Vec<_> = problem["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["computed_minor"].as_i64(), fault["stated_minor"].as_i64()))
        .collect();
    assert_eq!(sums, [(Some(1_250), Some(1_300)), (Some(1_250), Some(1_300))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_do_not_wait_for_a_printer_that_is_dead() {
    let shop = Shop::open(Plan::default()).await;
    shop.add_dead("front").await;
    let mut times = Vec::new();
    for n in 1..=200 {
        let began = Instant::now();
        let answered = shop.submit(&receipt(n)).await;
        times.push(began.elapsed());
        assert_eq!(answered.status(), 201);
        let accepted: Value = answered.json().await.unwrap();
        assert_eq!(accepted["flow_no"], n);
    }
    times.sort_unstable();
    let p99 = times[times.len() * 99 / 100];
    assert!(p99.as_millis() < 1_000, "p99 {p99:?}: a printer's time limit is 2 s and more");
    let printer = shop.wait_for("/v1/printers/front", |front| front["state"] == "stopped").await;
    assert_eq!((&printer["reason"], &printer["queued"]), (&json!("refused"), &json!(200)));
}

#[tokio::test(flavor = "multi_thread")]
async fn receipt_of_a_client_that_went_away_is_recorded() {
    let (shop, _printer) = Shop::with_printer().await;
    let body = receipt(1).to_string();
    let head = format!(
        "POST /v1/receipts HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        shop.port,
        shop.token,
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", shop.port)).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    drop(stream);
    let jobs = shop.wait_for("/v1/jobs", |list| list["jobs"].as_array().unwrap().len() == 1).await;
    assert_eq!(jobs["jobs"][0]["id"], "S1:R1-000001:receipt:v1");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_printer_nothing_is_stored_and_the_refusal_is_listed() {
    let shop = Shop::open(Plan::default()).await;
    refused(shop.submit(&receipt(1)).await, 409, "no_printer").await;
    assert_eq!(shop.read("/v1/jobs").await["jobs"], json!([]));
    assert_eq!(shop.read("/v1/rejected").await["rejected"][0]["code"], "no_printer");
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_receipt_is_a_replay_though_its_printer_and_its_logo_are_gone() {
    let (shop, _printer) = Shop::with_printer().await;
    let logo = shop.folder.path().join("logos/shop.png");
    std::fs::create_dir_all(logo.parent().unwrap()).unwrap();
    std::fs::write(&logo, "no picture").unwrap();
    let mut sale = receipt(1);
    sale["logo"] = json!("shop");
    assert_eq!(shop.submit(&sale).await.status(), 201);
    std::fs::remove_file(&logo).unwrap();
    assert_eq!(shop.submit(&sale).await.status(), 200, "without its logo");
    shop.poke("/v1/printers/front/pause").await;
    let removed = shop.request(reqwest::Method::DELETE, "/v1/printers/front").send().await.unwrap();
    assert_eq!(removed.status(), 204);
    let again = shop.submit(&sale).await;
    assert_eq!(again.status(), 200);
    assert_eq!(again.json::<Value>().await.unwrap()["replayed"], true);
    sale["footer"] = json!(["other"]);
    refused(shop.submit(&sale).await, 409, "conflict").await;
    sale["order_no"] = json!("R1-000002");
    refused(shop.submit(&sale).await, 422, "invalid_receipt").await;
}

/// A disk whose next commit ends only when it is told to.
struct SlowDisk {
    begun: mpsc::Receiver<()>,
    may_end: mpsc::Sender<()>,
    is_slow: Arc<AtomicBool>,
}

impl SlowDisk {
    fn new() -> (Self, StoreOptions) {
        let (begins, begun) = mpsc::channel();
        let (may_end, told) = mpsc::channel();
        let (told, is_slow) = (Mutex::new(told), Arc::new(AtomicBool::new(false)));
        let slow = Arc::clone(&is_slow);
        let commits = CommitFault::new(move || {
            if slow.swap(false, Ordering::SeqCst) {
                begins.send(()).map_err(std::io::Error::other)?;
                let told = told.lock().unwrap_or_else(PoisonError::into_inner);
                told.recv().map_err(std::io::Error::other)?;
            }
            Ok(())
        });
        let mut options = StoreOptions::default();
        options.database.commit_fault = Some(commits);
        (Self { begun, may_end, is_slow }, options)
    }
}

/// While the first request of an id is at the disk, the same body waits for its answer and another one is a conflict
/// (idempot-dev/idempot-js#191).
#[tokio::test(flavor = "multi_thread")]
async fn same_id_while_its_first_request_runs_is_answered_by_its_body() {
    let (disk, store) = SlowDisk::new();
    let shop = Arc::new(Shop::open(Plan { store, ..Plan::default() }).await);
    shop.add_virtual("front").await;
    let (same, mut other) = (receipt(1), receipt(1));
    other["lines"] = json!([{"name": "Sandwich", "amount_minor": 1_350}]);
    other["total_minor"] = json!(1_350);
    other["change_minor"] = json!(650);
    let send = |body: &Value| {
        let (shop, body) = (Arc::clone(&shop), body.clone());
        tokio::spawn(async move { shop.submit(&body).await })
    };
    // Its worker has written what it writes at its start.
    shop.wait_for("/v1/printers/front", |front| front["state"] == "idle").await;
    disk.is_slow.store(true, Ordering::SeqCst);
    let first = send(&same);
    let SlowDisk { begun, may_end, .. } = disk;
    tokio::task::spawn_blocking(move || begun.recv_timeout(PATIENCE)).await.unwrap().unwrap();
    let meanwhile = [send(&same), send(&other)];
    tokio::time::timeout(PATIENCE, async {
        while shop.register.store().health().waiting < meanwhile.len() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("both wait");
    may_end.send(()).unwrap();
    let first = first.await.unwrap();
    assert_eq!(first.status(), 201);
    let first: Value = first.json().await.unwrap();
    let [again, otherwise] = meanwhile;
    for (same_body, other_body) in [
        (again.await.unwrap(), otherwise.await.unwrap()),
        (shop.submit(&same).await, shop.submit(&other).await),
    ] {
        assert_eq!(same_body.status(), 200);
        let stored: Value = same_body.json().await.unwrap();
        assert_eq!((&stored["id"], &stored["flow_no"]), (&first["id"], &first["flow_no"]));
        refused(other_body, 409, "conflict").await;
    }
    assert_eq!(shop.read("/v1/jobs").await["jobs"].as_array().unwrap().len(), 1);
}
