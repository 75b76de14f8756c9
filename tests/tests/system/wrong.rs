//! Registers that are wrong on purpose: the real program and a piece put before or beside it. The judge has to find
//! them wrong, or it would find nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tillroll_tests::api::{Api, receipt};

/// What one that answers first keeps a sale in memory for.
const HELD: Duration = Duration::from_millis(100);
const LOOK: Duration = Duration::from_millis(10);

/// What is wrong with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    Nothing,
    /// It answers a sale at once and records it a little later: what it still holds dies with it.
    AnswersFirst,
    /// What may be on paper it prints again, and asks nobody.
    PrintsAgain,
}

/// A running register as a POS meets it.
#[derive(Clone)]
pub struct Served {
    pub api: Api,
    wrong: Wrong,
    held: Arc<AtomicUsize>,
}

impl Served {
    pub fn by(api: Api, wrong: Wrong) -> Self {
        Self { api, wrong, held: Arc::default() }
    }

    /// The POS hands a receipt over.
    ///
    /// # Errors
    /// When there is no answer.
    pub async fn submit(&self, number: usize) -> anyhow::Result<(StatusCode, Value)> {
        if self.wrong != Wrong::AnswersFirst {
            return self.api.post("/v1/receipts", &receipt(number)).await;
        }
        // One that is gone answers nothing.
        self.api.get("/healthz").await?;
        let (api, held) = (self.api.clone(), Arc::clone(&self.held));
        held.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            tokio::time::sleep(HELD).await;
            let _dies_with_it = api.post("/v1/receipts", &receipt(number)).await;
            held.fetch_sub(1, Ordering::SeqCst);
        });
        Ok((StatusCode::CREATED, Value::Null))
    }

    /// Waits until it holds nothing in memory, no job is open, and nothing is left that it would print again.
    ///
    /// # Errors
    /// When it is gone, or that takes longer than the limit.
    pub async fn wait_until_quiet(&self, limit: Duration) -> anyhow::Result<()> {
        let holds_nothing = async {
            while self.held.load(Ordering::SeqCst) > 0 {
                tokio::time::sleep(LOOK).await;
            }
        };
        tokio::time::timeout(limit, holds_nothing).await?;
        self.api.wait_until_quiet(limit).await?;
        if self.wrong == Wrong::PrintsAgain {
            self.print_again().await?;
            self.api.wait_until_quiet(limit).await?;
        }
        Ok(())
    }

    async fn print_again(&self) -> anyhow::Result<()> {
        for id in self.api.ids_in("unconfirmed").await? {
            self.api.post(&format!("/v1/jobs/{id}/not_on_paper"), &json!({})).await?;
        }
        Ok(())
    }
}
