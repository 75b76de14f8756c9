//! A delivery platform: a business system with a key of its own.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::dispatcher_program::DispatcherProgram;

const PATIENCE: Duration = Duration::from_secs(30);

/// Orders for stores, and what it may see of them.
pub struct Platform {
    client: Client,
    office: String,
    key: String,
}

impl Platform {
    /// Gets a key for stores.
    ///
    /// # Errors
    /// When it is refused.
    pub fn join(office: &DispatcherProgram, tenant: &str, stores: &[&str]) -> Result<Self> {
        let mut arguments = vec!["api-key", "add", "--tenant", tenant];
        arguments.extend(stores.iter().flat_map(|store| ["--store", store]));
        arguments.extend(["delivery-platform", "--json"]);
        let made: Value = serde_json::from_str(&office.run(&arguments)?)?;
        let key = made["token"].as_str().context("no token")?.to_owned();
        let client = Client::builder().no_proxy().timeout(PATIENCE).build()?;
        Ok(Self { client, office: format!("http://{}/v1/stores", office.address), key })
    }

    /// Sends an order for a store's kitchen; its job id.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn order(&self, store: &str, number: &str) -> Result<String> {
        let body = json!({
            "order_no": number, "kind": "kitchen", "deadline_s": 60,
            "header": ["DELIVERY  delivery-platform"],
            "lines": [
                {"name": "红烧牛肉面（大碗）", "quantity": "2", "note": "少辣"},
                {"name": "酸梅汤", "quantity": "1"}
            ]
        });
        let url = format!("{}/{store}/print-jobs", self.office);
        let sent = self.client.post(url).bearer_auth(&self.key).json(&body).send().await?;
        let status = sent.status();
        let job: Value = sent.json().await?;
        ensure!(status.is_success(), "{job}");
        Ok(job["id"].as_str().context("no id")?.to_owned())
    }

    /// Waits until an order is on paper; the job then.
    ///
    /// # Errors
    /// When that takes longer than half a minute.
    pub async fn until_printed(&self, store: &str, id: &str) -> Result<Value> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let job = self.read(&format!("{store}/print-jobs/{id}")).await?;
            if job["state"] == "printed" {
                return Ok(job);
            }
            ensure!(Instant::now() < limit, "not printed: {job}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// A day of a store in the head office's books.
    ///
    /// # Errors
    /// When no good answer came.
    pub async fn day(&self, store: &str, day: &Value) -> Result<Value> {
        let day = day.as_str().context("no day")?;
        self.read(&format!("{store}/days/{day}")).await
    }

    async fn read(&self, path: &str) -> Result<Value> {
        let url = format!("{}/{path}", self.office);
        let answer = self.client.get(url).bearer_auth(&self.key).send().await?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(answer.json().await?)
    }
}
