//! One store's secrets at every route of another's, and no secret at any.

use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use serde_json::{Value, json};
use tillroll_testkit::Attack;
use tillroll_testkit::openapi::Operation;

use super::routes::{
    Caller, DAY, all, answered, body, opened_by, request, share_table, split, told,
};
use crate::conformance::world::sale;
use crate::http::support::{Cloud, answer, jobs_of, order};
use crate::http::sync::batch;

/// Stands in all that the other store has.
const THEIRS: &str = "Secretsoup";

/// Two stores of the same code. The other one has something at every route.
struct Neighbours {
    cloud: Cloud,
    ours: Caller,
    theirs: Caller,
    /// A pay token of theirs.
    token: String,
}

impl Neighbours {
    async fn new(cloud: Cloud) -> Self {
        let ours = Caller::new(&cloud, "Old Wang").await;
        let theirs = Caller::new(&cloud, THEIRS).await;
        let token = json!({"request_id": THEIRS, "register": "R1", "amount_minor": 5_400});
        let token = made(&cloud, &theirs, "POST", "pay-tokens", &token).await;
        let token = token["token"].as_str().unwrap().to_owned();
        made(&cloud, &theirs, "PUT", "share-tables/1", &share_table()).await;
        made(&cloud, &theirs, "POST", "splits", &split(THEIRS)).await;
        let stock = json!({"day": DAY, "request_id": "s1", "set": 7});
        made(&cloud, &theirs, "PUT", &format!("stock/{THEIRS}"), &stock).await;
        let mut kitchen = order(1);
        kitchen["lines"][0]["name"] = json!(THEIRS);
        assert_eq!(cloud.send(&theirs.shop, &kitchen).await.0, StatusCode::CREATED);
        cloud.until(&theirs.shop, 1, "parked").await;
        let sold = batch("R1", &[sale(1)]);
        let sold = cloud.post(&theirs.credential, "/v1/sync/records", &sold).await;
        assert_eq!(sold.0, StatusCode::OK);
        Self { cloud, ours, theirs, token }
    }

    /// What theirs is called in an address.
    fn value(&self, operation: &Operation, parameter: &str) -> String {
        match parameter {
            "token" => self.token.clone(),
            "sku" | "split" => THEIRS.to_owned(),
            _ => self.theirs.value(operation, parameter),
        }
    }

    fn path(&self, operation: &Operation) -> String {
        let path = operation.filled(|parameter| self.value(operation, parameter));
        let asks_by_id = operation.queries.iter().any(|query| query == "ids");
        if asks_by_id { format!("{path}?ids={},x", sale(1).request_id) } else { path }
    }

    /// All that the other store can read of its own.
    async fn all_of_theirs(&self) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        for operation in opened_by("api_key").into_iter().filter(|route| route.method == "GET") {
            let path = self.path(&operation);
            let (status, read) = self.cloud.get(&self.theirs.shop.token, &path).await;
            assert_eq!(status, StatusCode::OK, "{path}: {read}");
            all.push((path, read));
        }
        all
    }
}

/// Makes something of a store.
async fn made(cloud: &Cloud, of: &Caller, method: &str, rest: &str, body: &Value) -> Value {
    let path = format!("/v1/stores/{}/{rest}", of.shop.uid);
    let request = cloud.request(method.parse().unwrap(), &path).bearer_auth(&of.shop.token);
    let (status, made) = answer(request.json(body)).await;
    assert!(status.is_success(), "{rest}: {status} {made}");
    made
}

async fn key_of_one_store_finds_nothing_of_another_on_any_route(cloud: Cloud) {
    let neighbours = Neighbours::new(cloud).await;
    let (cloud, key) = (&neighbours.cloud, &neighbours.ours.shop.token);
    let before = neighbours.all_of_theirs().await;
    assert!(before.iter().any(|(_, read)| read.to_string().contains(THEIRS)));
    let what = format!("one store's key at another's on {}", cloud.engine());
    let mut attack = Attack::on_all(what);
    for operation in opened_by("api_key") {
        let path = neighbours.path(&operation);
        let nowhere = path.replace(&neighbours.theirs.shop.uid, "st_none");
        let (status, of_theirs) = told(request(cloud, &operation, &path, key)).await;
        let of_nobody = told(request(cloud, &operation, &nowhere, key)).await;
        let is_nothing =
            status == StatusCode::NOT_FOUND && (status, &of_theirs) == (of_nobody.0, &of_nobody.1);
        attack.holds(is_nothing, || {
            format!("{} {path}: {of_theirs} {of_nobody:?}", operation.method)
        });
    }
    attack.losses += usize::from(neighbours.all_of_theirs().await != before);
    attack.end();
}

async fn ids_of_another_store_lead_nowhere_in_ones_own(cloud: Cloud) {
    let neighbours = Neighbours::new(cloud).await;
    let (cloud, ours) = (&neighbours.cloud, &neighbours.ours);
    let before = neighbours.all_of_theirs().await;
    let of_theirs = |operation: &Operation| {
        operation.filled(|parameter| match parameter {
            "store" => ours.shop.uid.clone(),
            _ => neighbours.value(operation, parameter),
        })
    };
    let unknown = |operation: &Operation| operation.filled(|name| ours.value(operation, name));
    let asked: Vec<_> = all().into_iter().filter(|route| route.security.is_some()).collect();
    for operation in asked.iter().filter(|route| route.path != "/v1/channel") {
        let secret = ours.secret(operation);
        let (path, nobodys) = (of_theirs(operation), unknown(operation));
        let (status, said) = told(request(cloud, operation, &path, secret)).await;
        let text = said.to_string().replace(&path, "");
        let names_it = operation.parameters().any(|name| name == "sku" || name == "split");
        assert!(names_it || !text.contains(THEIRS), "{path}: {said}");
        if operation.parameters().any(|name| name == "token" || name == "split") {
            let (unknown, refused) = told(request(cloud, operation, &nobodys, secret)).await;
            assert_eq!((status, &said["code"]), (unknown, &refused["code"]), "{path}: {said}");
            assert_eq!(status, StatusCode::NOT_FOUND, "{path}: {said}");
        }
    }
    assert_eq!(neighbours.all_of_theirs().await, before, "nothing of theirs changed");
}

async fn every_route_refuses_a_secret_it_does_not_know_in_the_same_words(cloud: Cloud) {
    let caller = Caller::new(&cloud, "Old Wang").await;
    let what = format!("wrong secrets at every route of the dispatcher on {}", cloud.engine());
    let mut attack = Attack::on_all(what);
    let mut refusals = Vec::new();
    for operation in all().into_iter().filter(|route| route.security.is_some()) {
        let path = operation.filled(|name| caller.value(&operation, name));
        let of_the_other_kind = match operation.security.as_deref() {
            Some("register") => &caller.shop.token,
            _ => &caller.credential,
        };
        let other_kind = format!("Bearer {of_the_other_kind}");
        for secret in ["", "Bearer", "Bearer wrong", "Basic d3Jvbmc6", &other_kind] {
            let asked = cloud.request(operation.method.parse().unwrap(), &path);
            let asked = asked.header(AUTHORIZATION, secret);
            let asked = if operation.takes_body { asked.json(&body(&operation)) } else { asked };
            let refused = answered(asked.try_clone().unwrap()).await;
            let is_refused = refused.status() == StatusCode::UNAUTHORIZED
                && refused.headers().get(WWW_AUTHENTICATE).is_some_and(|asked| asked == "Bearer");
            attack.holds(is_refused, || format!("{path} {secret:?}: {}", refused.status()));
            refusals.push(told(asked).await);
        }
    }
    refusals.dedup();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    let (_, jobs) = cloud.get(&caller.shop.token, &jobs_of(&caller.shop)).await;
    assert_eq!(jobs["jobs"], json!([]));
    attack.end();
}

crate::http::on_both_engines! {
    key_of_one_store_finds_nothing_of_another_on_any_route,
    ids_of_another_store_lead_nowhere_in_ones_own,
    every_route_refuses_a_secret_it_does_not_know_in_the_same_words,
}
