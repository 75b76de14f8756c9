use reqwest::StatusCode;
use serde_json::{Value, json};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_wire::record::Record;

use super::support::{Cloud, Shop, installation};
use crate::conformance::world::{printed, sale};

/// A batch as a register sends it.
pub fn batch(register: &str, records: &[Record]) -> Value {
    json!({
        "protocol": 1, "installation": installation(register), "records": records,
        "clock": {"now": SystemClock.now().to_string(), "boot_ms": 1}
    })
}

/// The verdicts, as words.
pub fn verdicts(answer: &Value) -> Vec<String> {
    let verdicts = answer["verdicts"].as_array().unwrap_or_else(|| panic!("{answer}"));
    verdicts.iter().map(|verdict| verdict["verdict"].as_str().unwrap().to_owned()).collect()
}

pub async fn paired() -> (Cloud, Shop, String) {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    (cloud, shop, credential)
}

const RECORDS: &str = "/v1/sync/records";

#[tokio::test]
async fn record_refused_in_the_middle_keeps_no_other() {
    let (cloud, shop, credential) = paired().await;
    let mut bad = sale(2);
    bad.body["z_no"] = json!("?");
    let sent = batch("R1", &[sale(1), bad, sale(3), printed(3)]);
    let (status, answer) = cloud.post(&credential, RECORDS, &sent).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(verdicts(&answer), ["accepted", "rejected", "accepted", "accepted"]);
    let (_, list) = cloud.get(&shop.token, &format!("/v1/stores/{}/rejected", shop.uid)).await;
    assert_eq!(list["records"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!(list["records"][0]["request_id"], sale(2).request_id);
    assert_eq!(list["records"][0]["register"], "R1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restart_in_the_middle_of_a_drain_loses_and_doubles_nothing() {
    let (mut cloud, shop, credential) = paired().await;
    let sales: Vec<_> = (1..=60).map(sale).collect();
    for (n, part) in sales.chunks(20).enumerate() {
        // The answer to the first sending is taken for lost.
        assert_eq!(cloud.post(&credential, RECORDS, &batch("R1", part)).await.0, StatusCode::OK);
        if n == 1 {
            cloud = cloud.restart().await;
        }
        let (_, again) = cloud.post(&credential, RECORDS, &batch("R1", part)).await;
        assert_eq!(verdicts(&again), vec!["replayed"; 20]);
    }
    let (_, day) = cloud.get(&credential, "/v1/sync/days/2026-11-30").await;
    assert_eq!((&day["receipts"], &day["gross_minor"]), (&json!(60), &json!(60 * 1_250)));
    let (_, of_store) =
        cloud.get(&shop.token, &format!("/v1/stores/{}/days/2026-11-30", shop.uid)).await;
    assert_eq!(of_store["registers"][0]["receipts"], 60);
}

#[tokio::test]
async fn batch_of_another_version_or_machine_or_size_is_refused_whole() {
    let (cloud, _, credential) = paired().await;
    let mut other_version = batch("R1", &[sale(1)]);
    other_version["protocol"] = json!(2);
    let many: Vec<_> = (0..501).map(sale).collect();
    for (sent, status, code) in [
        (other_version, 400, "unknown_protocol"),
        (batch("R2", &[sale(1)]), 409, "replaced"),
        (batch("R1", &many), 422, "invalid_value"),
        (json!({"protocol": 1}), 400, "invalid_body"),
    ] {
        let (answered, problem) = cloud.post(&credential, RECORDS, &sent).await;
        assert_eq!(
            (answered.as_u16(), problem["code"].as_str()),
            (status, Some(code)),
            "{problem}"
        );
    }
    let (_, day) = cloud.get(&credential, "/v1/sync/days/2026-11-30").await;
    assert_eq!(day["receipts"], 0);
}

#[tokio::test]
async fn both_sides_compare_hours_then_ids() {
    let (cloud, _, credential) = paired().await;
    cloud.post(&credential, RECORDS, &batch("R1", &[sale(1), sale(2)])).await;
    let hour = tillroll_wire::repair::hour_of(sale(1).recorded_at);
    let asked = json!({"from": hour - 1, "to": hour + 1, "hours": []});
    let (status, digests) = cloud.post(&credential, "/v1/sync/digests", &asked).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        (&digests["hours"][0]["hour"], &digests["hours"][0]["count"]),
        (&json!(hour), &json!(2))
    );
    let (_, ids) = cloud.get(&credential, &format!("/v1/sync/hours/{hour}")).await;
    let known: Vec<_> =
        ids["records"].as_array().unwrap().iter().map(|r| r["request_id"].clone()).collect();
    assert_eq!(known, [json!(sale(1).request_id), json!(sale(2).request_id)]);
    let too_far = json!({"from": 0, "to": 1_000_000, "hours": []});
    assert_eq!(
        cloud.post(&credential, "/v1/sync/digests", &too_far).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn fate_of_ids_is_told_to_registers_and_head_office() {
    let (cloud, shop, credential) = paired().await;
    cloud.post(&credential, RECORDS, &batch("R1", &[sale(1)])).await;
    let asked = format!("ids={},unheard", sale(1).request_id);
    let of_register = cloud.get(&credential, &format!("/v1/requests?{asked}")).await;
    let of_store =
        cloud.get(&shop.token, &format!("/v1/stores/{}/requests?{asked}", shop.uid)).await;
    assert_eq!(of_register, of_store);
    let fates = &of_register.1["requests"];
    assert!(fates[0]["stored_at"].is_string(), "{fates}");
    assert_eq!(
        (&fates[1]["request_id"], &fates[1]["stored_at"]),
        (&json!("unheard"), &Value::Null)
    );
    assert_eq!(
        cloud.get(&credential, "/v1/requests?ids=").await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}
