//! Dispatcher and bank as programs of their own, and the commands of people.

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::world::SECRET;
use crate::http::cli::{listening, program, said_by};

struct Programs {
    data: std::path::PathBuf,
    bank: String,
    client: Client,
    cloud: String,
    store: String,
    token: String,
}

impl Programs {
    async fn said(&self, words: &[&str]) -> String {
        said_by(&mut with_bank(&self.data, &self.bank), words).await
    }

    async fn ask(&self, method: Method, path: &str, body: Value) -> Value {
        let address = format!("http://{}/v1/stores/{}/{path}", self.cloud, self.store);
        let asked = self.client.request(method, address).bearer_auth(&self.token).json(&body);
        asked.send().await.unwrap().json().await.unwrap()
    }

    async fn until(&self, split: &str, state: &str) {
        for _ in 0..1_000 {
            let is = self.ask(Method::GET, &format!("splits/{split}"), json!({})).await;
            if is["state"] == state {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{split} is not {state}");
    }
}

/// The dispatcher's program, which pays at a bank.
fn with_bank(data: &Path, bank: &str) -> tokio::process::Command {
    let mut command = program(data);
    command.env("TILLROLL_DISPATCHER_SPLITS_CHANNEL", format!("http://{bank}"));
    command.env("TILLROLL_DISPATCHER_SPLITS_SECRET", SECRET);
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn split_is_paid_refused_and_settled_by_programs() {
    let folder = tempfile::tempdir().unwrap();
    let (data, ledger) = (folder.path().join("data"), folder.path().join("bank"));
    let ledger = ledger.display().to_string();
    let words = ["bank-sim", "--ledger", &ledger, "--listen", "127.0.0.1:0", "--secret", SECRET];
    let (_bank, _out, told) = listening(program(&data).args(words)).await;
    let bank = told["listening"].as_str().unwrap().to_owned();
    let serving = ["serve", "--listen", "127.0.0.1:0"];
    let (_serving, _out, told) = listening(with_bank(&data, &bank).args(serving)).await;
    let cloud = told["listening"].as_str().unwrap().to_owned();
    let mut all = Programs {
        data,
        bank,
        client: Client::new(),
        cloud,
        store: String::new(),
        token: String::new(),
    };
    all.said(&["tenant", "add", "Wang"]).await;
    let add = ["store", "add", "--tenant", "Wang", "--code", "S1", "--name", "Shop"];
    all.store = all.said(&add).await;
    let key = ["api-key", "add", "--tenant", "Wang", "--store", &all.store, "platform", "--json"];
    let key: Value = serde_json::from_str(&all.said(&key).await).unwrap();
    all.token = key["token"].as_str().unwrap().to_owned();

    let shares = json!({"valid_from": "2026-01-01T00:00:00Z", "shares": [
        {"party": "platform", "rate_bp": 600}, {"party": "merchant", "rate_bp": 9_400}]});
    all.ask(Method::PUT, "share-tables/1", shares).await;
    for id in ["1", "2"] {
        let split = json!({"split_id": id, "day": "2026-11-30", "amount_minor": 5_400,
            "currency": "CNY", "paid_at": "2026-11-30T12:00:00Z"});
        all.ask(Method::POST, "splits", split).await;
    }
    all.ask(Method::POST, "splits/1/confirm", json!({})).await;
    all.until("1", "succeeded").await;
    let faults = all.client.put(format!("http://{}/admin/faults", all.bank));
    faults.json(&json!({"no_balance": true})).send().await.unwrap();
    all.ask(Method::POST, "splits/2/confirm", json!({})).await;
    all.until("2", "manual").await;

    let list = all.said(&["splits", "list", "--store", &all.store, "--state", "manual"]).await;
    assert!(list.contains("no_balance") && list.contains("5400 CNY"), "{list}");
    let act = ["splits", "settle", "--store", &all.store, "2", "--by", "Li", "--note", "slip 7"];
    assert!(all.said(&act).await.contains("succeeded"));
    let check = all.said(&["splits", "check", "--json"]).await;
    let check: Value = serde_json::from_str(&check).unwrap();
    assert_eq!((&check["repairs"], &check["differences"]), (&json!(0), &json!(0)));
}
