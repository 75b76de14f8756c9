//! Answers of people, for one job and for many.

use jiff::Timestamp;
use serde_json::{Value, json};
use tillroll_paper::{Behaviour, Fault, Paper, Personality, VirtualPrinter};

use crate::support::{Plan, Shop, receipt, refused, squeezed};

const FIRST: &str = "S1:R1-000001:receipt:v1";

/// A shop whose printer is paused with `count` receipts waiting.
async fn with_waiting(count: u32) -> (Shop, VirtualPrinter) {
    let (shop, printer) = Shop::with_printer().await;
    assert_eq!(shop.poke("/v1/printers/front/pause").await.status(), 200);
    for n in 1..=count {
        assert_eq!(shop.submit(&receipt(n)).await.status(), 201);
    }
    (shop, printer)
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_of_a_printed_receipt_is_a_new_job_marked_copy() {
    let (shop, printer) = Shop::with_printer().await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state(FIRST, "printed").await;
    let answered = shop.poke(&format!("/v1/jobs/{FIRST}/copy")).await;
    assert_eq!(answered.status(), 200);
    let copy: Value = answered.json().await.unwrap();
    assert_eq!((&copy["id"], &copy["copy_of"]), (&json!(format!("{FIRST}:c1")), &json!(FIRST)));
    shop.wait_for_state(&format!("{FIRST}:c1"), "printed").await;
    assert!(squeezed(&printer.tickets()[1]).contains("COPY"));
    assert_eq!(
        shop.read(&format!("/v1/jobs/{FIRST}")).await["copies"],
        json!([format!("{FIRST}:c1")])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_state_forbids_is_refused_with_the_state() {
    let (shop, _printer) = Shop::with_printer().await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state(FIRST, "printed").await;
    for verb in ["retry", "on_paper", "not_on_paper", "print"] {
        let answered = shop.poke(&format!("/v1/jobs/{FIRST}/{verb}")).await;
        let problem = refused(answered, 409, "not_allowed").await;
        assert_eq!(problem["state"], "printed");
    }
    let unknown = shop.poke(&format!("/v1/jobs/{FIRST}/reprint")).await;
    refused(unknown, 422, "invalid_value").await;
    let missing = shop.poke("/v1/jobs/S1:9:receipt:v1/retry").await;
    refused(missing, 404, "not_found").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn skip_needs_a_reason_and_keeps_it() {
    let (shop, _printer) = with_waiting(1).await;
    let path = format!("/v1/jobs/{FIRST}/skip");
    let problem = refused(shop.poke(&path).await, 422, "invalid_value").await;
    assert_eq!(problem["faults"][0]["field"], "reason");
    let answered = shop.post(&path, &json!({"reason": "customer left"})).await;
    assert_eq!(answered.status(), 200);
    let story = shop.read(&format!("/v1/jobs/{FIRST}")).await;
    assert_eq!(story["state"], "skipped");
    let answer = &story["answers"][0];
    assert_eq!((&answer["verb"], &answer["note"]), (&json!("skip"), &json!("customer left")));
    assert_eq!(answer["client"], "owner");
}

#[tokio::test(flavor = "multi_thread")]
async fn reroute_prints_on_the_other_printer() {
    let (shop, front) = with_waiting(1).await;
    let bar = shop.add_virtual("bar").await;
    let path = format!("/v1/jobs/{FIRST}/reroute");
    refused(shop.poke(&path).await, 422, "invalid_value").await;
    refused(shop.post(&path, &json!({"printer": "cellar"})).await, 404, "not_found").await;
    assert_eq!(shop.post(&path, &json!({"printer": "bar"})).await.status(), 200);
    let story = shop.wait_for_state(FIRST, "printed").await;
    assert_eq!(story["printer"], "bar");
    assert_eq!((front.cut_tickets(), bar.cut_tickets()), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_are_answered_each_for_itself() {
    let (shop, printer) = with_waiting(3).await;
    let ids = json!(["S1:R1-000001:receipt:v1", "S1:none:receipt:v1", "S1:R1-000003:receipt:v1"]);
    let body = json!({"ids": ids, "reason": "test sales"});
    let answered = shop.post("/v1/jobs/skip", &body).await;
    assert_eq!(answered.status(), 200);
    let answered: Value = answered.json().await.unwrap();
    let rows = answered["answered"].as_array().unwrap();
    assert_eq!(rows[0]["job"]["state"], "skipped");
    assert_eq!((&rows[1]["code"], &rows[1]["job"]), (&json!("not_found"), &Value::Null));
    assert_eq!(rows[2]["job"]["state"], "skipped");
    shop.poke("/v1/printers/front/resume").await;
    shop.wait_for_state("S1:R1-000002:receipt:v1", "printed").await;
    assert_eq!(printer.cut_tickets(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_verb_has_its_address_for_many() {
    let (shop, _printer) = with_waiting(1).await;
    for verb in ["retry", "on_paper", "not_on_paper", "print", "skip", "reroute", "copy"] {
        let body = json!({"ids": [FIRST], "reason": "r", "printer": "front"});
        let answered = shop.post(&format!("/v1/jobs/{verb}"), &body).await;
        assert_eq!(answered.status(), 200, "{verb}");
        let none = json!({"ids": [], "reason": "r", "printer": "front"});
        let problem =
            refused(shop.post(&format!("/v1/jobs/{verb}"), &none).await, 422, "invalid_value")
                .await;
        assert_eq!(problem["faults"][0]["field"], "ids");
    }
    refused(shop.post("/v1/jobs/burn", &json!({"ids": [FIRST]})).await, 405, "method_not_allowed")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_by_state_newest_first_and_bounded() {
    let (shop, _printer) = with_waiting(3).await;
    let ids = |list: &Value| -> Vec<String> {
        let jobs = list["jobs"].as_array().unwrap();
        jobs.iter().map(|job| job["id"].as_str().unwrap().to_owned()).collect()
    };
    let newest = shop.read("/v1/jobs?state=pending&limit=2").await;
    assert_eq!(ids(&newest), ["S1:R1-000003:receipt:v1", "S1:R1-000002:receipt:v1"]);
    assert_eq!(ids(&shop.read("/v1/jobs?state=failed").await).len(), 0);
    for wrong in ["state=lost", "limit=0", "limit=501", "limit=many", "sort=id"] {
        let answered = shop.get(&format!("/v1/jobs?{wrong}")).await;
        let problem = refused(answered, 422, "invalid_value").await;
        let field = wrong.split('=').next().unwrap();
        assert!(problem["detail"].as_str().unwrap().contains(field), "{problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn job_a_silent_printer_took_waits_for_the_clerks_word() {
    let shop = Shop::open(Plan::default()).await;
    let silent = VirtualPrinter::new(Behaviour::new(Personality::Silent));
    shop.register.spooler().context().virtuals.insert("front".to_owned(), silent.clone());
    let body =
        json!({"name": "front", "uri": "virtual:front", "level": "silent", "unproven": "ask"});
    assert_eq!(shop.post("/v1/printers", &body).await.status(), 201);
    shop.submit(&receipt(1)).await;
    shop.wait_for_state(FIRST, "sent").await;
    assert_eq!(shop.read("/v1/todo").await["jobs"][0]["id"], FIRST);
    assert_eq!(shop.poke(&format!("/v1/jobs/{FIRST}/on_paper")).await.status(), 200);
    let story = shop.read(&format!("/v1/jobs/{FIRST}")).await;
    assert_eq!((&story["state"], &story["confirmation"]), (&json!("printed"), &json!("clerk")));
    assert_eq!(shop.read("/v1/todo").await["jobs"], json!([]));
    assert_eq!(silent.cut_tickets(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn retry_has_a_stopped_printer_tried_before_its_back_off_is_over() {
    let (shop, printer) = Shop::with_printer().await;
    shop.poke("/v1/printers/front/pause").await;
    printer.fault(Fault::RefuseConnections);
    shop.submit(&receipt(1)).await;
    shop.poke("/v1/printers/front/resume").await;
    // The back-off must have grown to seconds for its end to tell anything.
    let long_wait = |printer: &Value| {
        let instant = |field: &str| printer[field].as_str()?.parse::<Timestamp>().ok();
        let (Some(since), Some(next)) = (instant("since"), instant("next_try_at")) else {
            return false;
        };
        next.duration_since(since).as_secs() >= 5
    };
    let stopped = shop.wait_for("/v1/printers/front", long_wait).await;
    printer.clear_faults();
    assert_eq!(shop.poke(&format!("/v1/jobs/{FIRST}/retry")).await.status(), 200);
    let story = shop.wait_for_state(FIRST, "printed").await;
    let at = |value: &Value| value.as_str().unwrap().parse::<Timestamp>().unwrap();
    assert!(at(&story["changed_at"]) < at(&stopped["next_try_at"]), "{story} {stopped}");
}

#[tokio::test(flavor = "multi_thread")]
async fn retry_and_the_same_receipt_again_while_a_slow_printer_prints_make_one_ticket() {
    let (shop, printer) = Shop::with_printer().await;
    // The paper ends in the middle: the POS has waited long enough before the rest comes out.
    printer.fault(Fault::PaperEndAfterLines(2));
    shop.submit(&receipt(1)).await;
    shop.wait_for_state(FIRST, "printing").await;
    assert_eq!(shop.poke(&format!("/v1/jobs/{FIRST}/retry")).await.status(), 409);
    assert_eq!(shop.post("/v1/receipts", &receipt(1)).await.status(), 200, "the same job");
    printer.set_paper(Paper::Ok);
    let story = shop.wait_for_state(FIRST, "printed").await;
    assert_eq!(story["attempts"], 1, "{story}");
    assert_eq!(printer.cut_tickets(), 1);
}
