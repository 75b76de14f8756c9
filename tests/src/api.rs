//! A client of the register's API, as a POS has one.

use std::time::Duration;

use anyhow::ensure;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::time::Instant;

/// The register closes connections that were idle for 15 s; a request on one that it closes at that moment has no answer.
const REUSED_WITHIN: Duration = Duration::from_secs(10);

/// The API of a running register.
#[derive(Clone)]
pub struct Api {
    client: Client,
    address: String,
    token: String,
}

impl Api {
    /// The API at an address.
    ///
    /// # Errors
    /// When no client can be made.
    pub fn of(address: &str, token: &str) -> anyhow::Result<Self> {
        let client = Client::builder()
            .timeout(Duration::from_secs(30))
            .pool_idle_timeout(REUSED_WITHIN)
            .build()?;
        Ok(Self { client, address: address.to_owned(), token: token.to_owned() })
    }

    /// Where it is.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Sends a body; the status and the JSON of the answer.
    ///
    /// # Errors
    /// When no answer came: whatever was sent may be recorded or not.
    pub async fn post(&self, path: &str, body: &Value) -> anyhow::Result<(StatusCode, Value)> {
        let url = format!("http://{}{path}", self.address);
        let sent = self.client.post(url).bearer_auth(&self.token).json(body).send().await?;
        let status = sent.status();
        Ok((status, sent.json().await.unwrap_or(Value::Null)))
    }

    /// Asks for something that must be there.
    ///
    /// # Errors
    /// When no good answer came.
    pub async fn get(&self, path: &str) -> anyhow::Result<Value> {
        let url = format!("http://{}{path}", self.address);
        let answer = self.client.get(url).bearer_auth(&self.token).send().await?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(answer.json().await?)
    }

    /// Adds a printer.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn add_printer(&self, name: &str, uri: &str, level: &str) -> anyhow::Result<()> {
        let body = json!({"name": name, "uri": uri, "profile": "virtual", "level": level});
        let (status, answer) = self.post("/v1/printers", &body).await?;
        ensure!(status.is_success(), "{answer}");
        Ok(())
    }

    /// Moves a printer to another address.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn move_printer(&self, name: &str, uri: &str) -> anyhow::Result<()> {
        let url = format!("http://{}/v1/printers/{name}", self.address);
        let body = json!({"uri": uri});
        let sent = self.client.patch(url).bearer_auth(&self.token).json(&body).send().await?;
        ensure!(sent.status().is_success(), "{}", sent.text().await?);
        Ok(())
    }

    /// Ids of everything on the to-do list.
    ///
    /// # Errors
    /// When no good answer came.
    pub async fn todo_ids(&self) -> anyhow::Result<Vec<String>> {
        ids(&self.get("/v1/todo").await?["jobs"])
    }

    /// Ids of the newest jobs in a state.
    ///
    /// # Errors
    /// When no good answer came.
    pub async fn ids_in(&self, state: &str) -> anyhow::Result<Vec<String>> {
        ids(&self.get(&format!("/v1/jobs?state={state}&limit=500")).await?["jobs"])
    }

    /// Waits until no job is pending or printing.
    ///
    /// # Errors
    /// When nothing goes on for longer than the limit.
    pub async fn wait_until_quiet(&self, limit: Duration) -> anyhow::Result<()> {
        let (mut before, mut deadline) = (Vec::new(), Instant::now() + limit);
        loop {
            let open = [self.ids_in("pending").await?, self.ids_in("printing").await?].concat();
            if open.is_empty() {
                return Ok(());
            }
            if open != before {
                (before, deadline) = (open, Instant::now() + limit);
            }
            ensure!(Instant::now() < deadline, "nothing went on for {limit:?}: {before:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn ids(jobs: &Value) -> anyhow::Result<Vec<String>> {
    let jobs = jobs.as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(jobs.iter().filter_map(|job| job["id"].as_str().map(str::to_owned)).collect())
}

/// A small receipt with that number.
#[must_use]
pub fn receipt(number: usize) -> Value {
    json!({
        "order_no": format!("R1-{number:06}"), "kind": "receipt",
        "lines": [{"name": "Bread", "amount_minor": 450}, {"name": "Milk", "amount_minor": 800}],
        "total_minor": 1250, "tenders": [{"type": "cash", "amount_minor": 2000}], "change_minor": 750
    })
}

/// The job id of that receipt.
#[must_use]
pub fn job_id(number: usize) -> String {
    format!("S1:R1-{number:06}:receipt:v1")
}
