use std::collections::BTreeMap;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::line::Line;
use super::support::{Cloud, Shop, answer, id, jobs_of, order};

/// A shop whose printer `front` is known and whose register is away.
async fn shop(cloud: &Cloud) -> (Shop, String) {
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    cloud.announce(&shop, "R1").await;
    (shop, credential)
}

async fn job_goes_to_its_register_and_comes_back_as_paper(cloud: Cloud) {
    let (shop, credential) = shop(&cloud).await;
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    let (status, taken) = cloud.send(&shop, &order(1)).await;
    assert_eq!((status, &taken["id"]), (StatusCode::CREATED, &json!(id(1))));
    assert_eq!((&taken["state"], &taken["replayed"]), (&json!("scheduled"), &json!(false)));
    let push = line.push().await;
    assert_eq!((push.id.to_string(), push.printer.as_str()), (id(1), "front"));
    assert_eq!(push.body["lines"][0]["name"], "Soup");
    assert!(push.remaining_ms.is_some_and(|left| left <= 90_000), "{:?}", push.remaining_ms);
    line.accept(&push).await;
    line.printed(&push).await;
    let (_, job) = cloud.job(&shop, 1).await;
    assert_eq!((&job["state"], &job["register"]), (&json!("printed"), &json!("R1")));
    let cancel = format!("{}/{}/cancel", jobs_of(&shop), id(1));
    let (status, problem) = cloud.post(&shop.token, &cancel, &json!({})).await;
    assert_eq!((status, &problem["state"]), (StatusCode::CONFLICT, &json!("printed")));
}

async fn hundred_copies_of_one_job_at_once_are_one_job(cloud: Cloud) {
    let (shop, credential) = shop(&cloud).await;
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    let order = order(1);
    let copies = (0..100).map(|_| cloud.send(&shop, &order));
    let mut outcomes = BTreeMap::new();
    for (status, job) in futures_util::future::join_all(copies).await {
        assert_eq!(job["id"], id(1));
        *outcomes.entry((status.as_u16(), job["replayed"] == true)).or_insert(0) += 1;
    }
    assert_eq!(outcomes, BTreeMap::from([((201, false), 1), ((200, true), 99)]));
    let push = line.push().await;
    line.accept(&push).await;
    line.printed(&push).await;
    let (_, list) = cloud.get(&shop.token, &jobs_of(&shop)).await;
    assert_eq!(list["jobs"].as_array().unwrap().len(), 1);
}

async fn same_id_with_another_body_names_both_fingerprints(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    cloud.send(&shop, &order(1)).await;
    let mut other = order(1);
    other["lines"][0]["name"] = json!("Tea");
    let (status, problem) = cloud.send(&shop, &other).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("conflict")));
    let (stored, offered) = (&problem["stored_fingerprint"], &problem["offered_fingerprint"]);
    assert!(stored.is_string() && offered.is_string() && stored != offered, "{problem}");
    for fingerprint in [stored, offered] {
        assert!(problem["detail"].as_str().unwrap().contains(fingerprint.as_str().unwrap()));
    }
    // Scheduling is no part of the body.
    let mut sooner = order(1);
    sooner["deadline_s"] = json!(10);
    assert_eq!(cloud.send(&shop, &sooner).await.0, StatusCode::OK);
}

async fn of_two_bodies_under_one_id_at_once_one_is_a_job_and_the_other_always_a_conflict(
    cloud: Cloud,
) {
    let (shop, _) = shop(&cloud).await;
    let mut other = order(1);
    other["lines"][0]["name"] = json!("Tea");
    let bodies = [order(1), other];
    let copies = (0..100).map(|n| cloud.send(&shop, &bodies[n % 2]));
    let answers = futures_util::future::join_all(copies).await;
    let mut outcomes = BTreeMap::new();
    for (n, (status, _)) in answers.iter().enumerate() {
        *outcomes.entry((n % 2, status.as_u16())).or_insert(0) += 1;
    }
    let (won, lost) = if outcomes.contains_key(&(0, 201)) { (0, 1) } else { (1, 0) };
    let expected = BTreeMap::from([((won, 201), 1), ((won, 200), 49), ((lost, 409), 50)]);
    assert_eq!(outcomes, expected);
    assert_eq!(cloud.send(&shop, &bodies[won]).await.0, StatusCode::OK);
    assert_eq!(cloud.send(&shop, &bodies[lost]).await.0, StatusCode::CONFLICT);
}

async fn answer_that_was_lost_is_given_again(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    let body = order(1).to_string();
    let request = format!(
        "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        jobs_of(&shop),
        shop.token,
        body.len()
    );
    let mut socket = tokio::net::TcpStream::connect(cloud.dispatcher.address()).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut socket, request.as_bytes()).await.unwrap();
    socket.set_zero_linger().unwrap();
    // The answer is never read.
    tokio::time::timeout(std::time::Duration::from_secs(10), cloud.until(&shop, 1, "parked"))
        .await
        .unwrap();
    drop(socket);
    let (status, job) = cloud.send(&shop, &order(1)).await;
    assert_eq!((status, &job["replayed"]), (StatusCode::OK, &json!(true)));
}

async fn job_that_nobody_prints_is_refused_and_not_stored(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    let mut to_bar = order(1);
    to_bar["printer"] = json!("bar");
    let mut receipt = order(1);
    receipt.as_object_mut().unwrap().remove("printer");
    receipt["kind"] = json!("prebill");
    for (body, named) in [(to_bar, "bar"), (receipt, "prebill")] {
        let (status, problem) = cloud.send(&shop, &body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(problem["code"], "no_printer");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{problem}");
    }
    assert_eq!(cloud.job(&shop, 1).await.0, StatusCode::NOT_FOUND);
}

async fn replay_is_a_replay_though_its_printer_is_gone(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    cloud.send(&shop, &order(1)).await;
    cloud.dispatcher.admin().revoke_register(&shop.uid, "R1").await.unwrap();
    assert_eq!(cloud.send(&shop, &order(1)).await.0, StatusCode::OK);
    assert_eq!(cloud.send(&shop, &order(2)).await.1["code"], "no_printer");
}

async fn kind_alone_goes_to_its_route(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    let mut body = order(1);
    body.as_object_mut().unwrap().remove("printer");
    let (status, job) = cloud.send(&shop, &body).await;
    assert_eq!((status, &job["printer"]), (StatusCode::CREATED, &json!("front")));
}

async fn waiting_job_is_taken_back(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    cloud.send(&shop, &order(1)).await;
    let cancel = format!("{}/{}/cancel", jobs_of(&shop), id(1));
    let (status, job) = cloud.post(&shop.token, &cancel, &json!({})).await;
    assert_eq!((status, &job["state"]), (StatusCode::OK, &json!("canceled")));
    // Asking again changes nothing.
    let (status, job) = cloud.post(&shop.token, &cancel, &json!({})).await;
    assert_eq!((status, &job["state"]), (StatusCode::OK, &json!("canceled")));
    let unknown = format!("{}/{}/cancel", jobs_of(&shop), id(9));
    assert_eq!(cloud.post(&shop.token, &unknown, &json!({})).await.0, StatusCode::NOT_FOUND);
}

async fn list_pages_from_the_newest_and_by_state(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    for n in 1..=5 {
        cloud.send(&shop, &order(n)).await;
    }
    cloud.post(&shop.token, &format!("{}/{}/cancel", jobs_of(&shop), id(2)), &json!({})).await;
    let list = async |query: String| {
        let (status, list) = cloud.get(&shop.token, &format!("{}?{query}", jobs_of(&shop))).await;
        assert_eq!(status, StatusCode::OK, "{list}");
        let ids: Vec<_> =
            list["jobs"].as_array().unwrap().iter().map(|job| job["id"].clone()).collect();
        (ids, list["next"].clone())
    };
    let (first, next) = list("limit=2".into()).await;
    assert_eq!((first, &next), (vec![json!(id(5)), json!(id(4))], &json!(id(4))));
    let (second, _) = list(format!("limit=2&before={}", id(4))).await;
    assert_eq!(second, [json!(id(3)), json!(id(2))]);
    assert_eq!(list("state=canceled".into()).await, (vec![json!(id(2))], Value::Null));
    for bad in ["limit=0", "limit=501", "state=done", "before=x", "page=1"] {
        let (status, _) = cloud.get(&shop.token, &format!("{}?{bad}", jobs_of(&shop))).await;
        assert!(status.is_client_error(), "{bad}: {status}");
    }
}

async fn bodies_that_cannot_be_taken_say_why(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    let send = async |media: &str, body: String| {
        let request = cloud.request(Method::POST, &jobs_of(&shop)).bearer_auth(&shop.token);
        let (status, problem) = answer(request.header("content-type", media).body(body)).await;
        assert_eq!(problem["status"], status.as_u16(), "{problem}");
        assert!(problem["type"].as_str().unwrap().starts_with("urn:tillroll:problem:"));
        (status.as_u16(), problem["code"].as_str().unwrap().to_owned())
    };
    let too_large = format!("{{\"order_no\":\"{}\"}}", "x".repeat(7 << 20));
    for (media, body, expected) in [
        ("text/plain", order(1).to_string(), (415, "unsupported")),
        ("application/json", "{".to_owned(), (400, "invalid_body")),
        ("application/json", String::new(), (400, "invalid_body")),
        ("application/json", "[]".to_owned(), (400, "invalid_body")),
        ("application/json", too_large, (413, "too_large")),
        (
            "application/json",
            r#"{"order_no":"1","kind":"receipt"}"#.into(),
            (422, "invalid_receipt"),
        ),
    ] {
        let (status, code) = send(media, body).await;
        assert_eq!((status, code.as_str()), expected);
    }
}

async fn job_is_taken_back_at_once_after_it_was_sent(cloud: Cloud) {
    let (shop, _) = shop(&cloud).await;
    for n in 1..=20 {
        // It is being parked meanwhile.
        cloud.send(&shop, &order(n)).await;
        let cancel = format!("{}/{}/cancel", jobs_of(&shop), id(n));
        let (status, job) = cloud.post(&shop.token, &cancel, &json!({})).await;
        assert_eq!((status, &job["state"]), (StatusCode::OK, &json!("canceled")), "{job}");
    }
}

crate::http::on_both_engines! {
    job_goes_to_its_register_and_comes_back_as_paper,
    hundred_copies_of_one_job_at_once_are_one_job,
    same_id_with_another_body_names_both_fingerprints,
    of_two_bodies_under_one_id_at_once_one_is_a_job_and_the_other_always_a_conflict,
    answer_that_was_lost_is_given_again,
    job_that_nobody_prints_is_refused_and_not_stored,
    replay_is_a_replay_though_its_printer_is_gone,
    kind_alone_goes_to_its_route,
    waiting_job_is_taken_back,
    list_pages_from_the_newest_and_by_state,
    bodies_that_cannot_be_taken_say_why,
    job_is_taken_back_at_once_after_it_was_sent,
}
