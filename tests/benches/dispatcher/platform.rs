//! A business system that sends orders.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, ensure};
use reqwest::{Client, StatusCode};
use serde_json::Value;
use tillroll_domain::ids::Part;
use tillroll_testkit::receipts;
use tokio::time::{Instant, sleep};

use crate::chain::{Chain, Shop};

/// Longer than anything takes that is right.
const PATIENCE: Duration = Duration::from_secs(30);

/// A business system.
#[derive(Debug, Clone)]
pub struct Platform {
    client: Client,
    url: String,
    token: String,
}

impl Platform {
    /// One with a key to the stores of a chain.
    pub fn of(chain: &Chain, address: SocketAddr) -> Result<Self> {
        let client = Client::builder().no_proxy().build()?;
        Ok(Self { client, url: format!("http://{address}"), token: chain.token.clone() })
    }

    /// Sends order `number`.
    pub async fn order(&self, shop: &Shop, printer: &Part, number: u32) -> Result<()> {
        let mut body = serde_json::to_value(receipts::simple(number))?;
        body["printer"] = printer.as_str().into();
        body["deadline_s"] = 3_600.into();
        let url = format!("{}/v1/stores/{}/print-jobs", self.url, shop.uid);
        let answer = self.client.post(url).bearer_auth(&self.token).json(&body).send().await?;
        let status = answer.status();
        ensure!(status == StatusCode::CREATED, "{status}: {}", answer.text().await?);
        Ok(())
    }

    /// Waits until so many jobs of a store are in a state.
    pub async fn until(&self, shop: &Shop, state: &str, count: usize) -> Result<()> {
        let url = format!("{}/v1/stores/{}/print-jobs?state={state}&limit=500", self.url, shop.uid);
        let begun = Instant::now();
        loop {
            let answer = self.client.get(&url).bearer_auth(&self.token).send().await?;
            let list: Value = answer.error_for_status()?.json().await?;
            let here = list["jobs"].as_array().map_or(0, Vec::len);
            if here >= count {
                return Ok(());
            }
            ensure!(begun.elapsed() < PATIENCE, "{here} jobs are {state}, not {count}");
            sleep(Duration::from_millis(20)).await;
        }
    }
}
