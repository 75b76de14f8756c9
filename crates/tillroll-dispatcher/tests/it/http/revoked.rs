//! What is another's, and what counts no longer.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tillroll_wire::Code;
use tillroll_wire::channel::Up;

use super::line::Line;
use super::support::{Cloud, id, jobs_of, order};
use super::sync::batch;
use crate::conformance::world::sale;

fn without_request_id(mut problem: Value) -> Value {
    problem.as_object_mut().unwrap().remove("request_id");
    problem
}

async fn store_of_another_looks_as_if_it_did_not_exist(cloud: Cloud) {
    let ours = cloud.shop("Old Wang", "S1").await;
    let theirs = cloud.shop("Chloé", "S1").await;
    let paths = ["print-jobs", "days/2026-11-30", "rejected", "requests?ids=x", "print-jobs/x"];
    for path in paths {
        let of_theirs = cloud.get(&ours.token, &format!("/v1/stores/{}/{path}", theirs.uid)).await;
        let of_nobody = cloud.get(&ours.token, &format!("/v1/stores/st_none/{path}")).await;
        assert_eq!(of_theirs.0, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(without_request_id(of_theirs.1), without_request_id(of_nobody.1), "{path}");
    }
    let (status, _) = cloud.post(&ours.token, &jobs_of(&theirs), &order(1)).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

async fn secret_of_one_kind_opens_no_door_of_the_other(cloud: Cloud) {
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    assert_eq!(cloud.get(&credential, &jobs_of(&shop)).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(cloud.get(&shop.token, "/v1/requests?ids=x").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(Line::open(&cloud, &shop.token).await.err(), Some(StatusCode::UNAUTHORIZED));
    let (status, problem) = cloud.get("", "/v1/requests?ids=x").await;
    assert_eq!((status, &problem["code"]), (StatusCode::UNAUTHORIZED, &json!("unauthorized")));
}

async fn revoked_register_loses_its_channel_at_once_and_every_door(cloud: Cloud) {
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    cloud.dispatcher.admin().revoke_register(&shop.uid, "R1").await.unwrap();
    assert_eq!(line.bye().await, Code::Unauthorized);
    assert_eq!(Line::open(&cloud, &credential).await.err(), Some(StatusCode::UNAUTHORIZED));
    assert_eq!(cloud.get(&credential, "/v1/requests?ids=x").await.0, StatusCode::UNAUTHORIZED);
}

async fn new_machine_takes_the_place_of_the_old_one(cloud: Cloud) {
    let shop = cloud.shop("Old Wang", "S1").await;
    let old = cloud.pair(&shop, "R1").await;
    let mut line = Line::greeted(&cloud, &old, "R1").await;
    let new = cloud.pair(&shop, "R1").await;
    assert_eq!(line.bye().await, Code::Unauthorized);
    assert_eq!(Line::open(&cloud, &old).await.err(), Some(StatusCode::UNAUTHORIZED));
    Line::greeted(&cloud, &new, "R1").await;
}

async fn revoked_key_opens_nothing(cloud: Cloud) {
    let shop = cloud.shop("Old Wang", "S1").await;
    assert_eq!(cloud.get(&shop.token, &jobs_of(&shop)).await.0, StatusCode::OK);
    cloud.dispatcher.admin().revoke_api_key(shop.key).await.unwrap();
    assert_eq!(cloud.get(&shop.token, &jobs_of(&shop)).await.0, StatusCode::UNAUTHORIZED);
}

async fn stores_with_one_code_never_meet(cloud: Cloud) {
    let (ours, theirs) = (cloud.shop("Old Wang", "S1").await, cloud.shop("Chloé", "S1").await);
    for shop in [&ours, &theirs] {
        cloud.pair(shop, "R1").await;
        cloud.announce(shop, "R1").await;
        assert_eq!(cloud.send(shop, &order(1)).await.0, StatusCode::CREATED);
    }
    let cancel = format!("{}/{}/cancel", jobs_of(&ours), id(1));
    assert_eq!(cloud.post(&ours.token, &cancel, &json!({})).await.0, StatusCode::OK);
    assert_eq!(cloud.job(&ours, 1).await.1["state"], "canceled");
    assert_ne!(cloud.job(&theirs, 1).await.1["state"], "canceled");
}

/// Another shop's sales (Repair-DeskPOS/RepairDesk-BUGS-IMPROVEMENTS#341).
async fn what_is_another_stores_looks_to_a_register_as_if_it_did_not_exist(cloud: Cloud) {
    let (ours, theirs) = (cloud.shop("Old Wang", "S1").await, cloud.shop("Chloé", "S1").await);
    let (our_register, their_register) =
        (cloud.pair(&ours, "R1").await, cloud.pair(&theirs, "R1").await);
    let sold = batch("R1", &[sale(1)]);
    assert_eq!(cloud.post(&their_register, "/v1/sync/records", &sold).await.0, StatusCode::OK);
    let asked = format!("/v1/requests?ids={},unheard", sale(1).request_id);
    let (_, fates) = cloud.get(&our_register, &asked).await;
    for fate in fates["requests"].as_array().unwrap() {
        let told = [&fate["stored_at"], &fate["rejected"], &fate["fingerprint"]];
        assert_eq!(told, [&Value::Null; 3], "{fate}");
    }
    // Their job, acknowledged from here.
    let mut their_line = Line::greeted(&cloud, &their_register, "R1").await;
    let mut our_line = Line::greeted(&cloud, &our_register, "R1").await;
    cloud.send(&theirs, &order(1)).await;
    let push = their_line.push().await;
    our_line.accept(&push).await;
    our_line.say(&Up::Unknown { id: push.id.clone() }).await;
    // A job of ours that is answered after it shows that both were heard.
    cloud.send(&ours, &order(2)).await;
    let our_push = our_line.push().await;
    our_line.accept(&our_push).await;
    our_line.printed(&our_push).await;
    assert_eq!(cloud.job(&theirs, 1).await.1["state"], "pushed");
}

crate::http::on_both_engines! {
    store_of_another_looks_as_if_it_did_not_exist,
    secret_of_one_kind_opens_no_door_of_the_other,
    revoked_register_loses_its_channel_at_once_and_every_door,
    new_machine_takes_the_place_of_the_old_one,
    revoked_key_opens_nothing,
    stores_with_one_code_never_meet,
    what_is_another_stores_looks_to_a_register_as_if_it_did_not_exist,
}
