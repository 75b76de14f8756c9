//! A register with its printer and its head office, all of them programs, and the count of what passed between them.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use tillroll_testkit::Attack;
use tillroll_tests::api::{Api, job_id, receipt};
use tillroll_tests::dispatcher_program::DispatcherProgram;
use tillroll_tests::paper_program::{PaperProgram, ids};
use tillroll_tests::platform::Platform;
use tillroll_tests::program;
use tillroll_tests::register_program::RegisterProgram;
use tokio::time::Instant;

/// Longer than anything takes that is right, on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);
const TENANT: &str = "Old Wang";
/// What every sale comes to.
const PRICE_MINOR: usize = 1_250;

/// The head office: a store that a delivery platform sends orders to.
pub struct Office {
    pub program: DispatcherProgram,
    pub store: String,
    pub platform: Platform,
}

impl Office {
    pub async fn open() -> Result<Self> {
        let program = DispatcherProgram::start().await?;
        program.run(&["tenant", "add", TENANT])?;
        let store = program.add_store(TENANT, "S1", "One")?;
        let platform = Platform::join(&program, TENANT, &[&store])?;
        Ok(Self { program, store, platform })
    }

    pub fn code(&self) -> Result<String> {
        self.program.pairing_code(&self.store, "R1")
    }

    /// How many sales of a day are in the books. What they come to must agree.
    async fn booked(&self, day: &Value) -> Result<usize> {
        let books = self.platform.day(&self.store, day).await?;
        let figure = |name: &str| {
            let figure = books["registers"][0][name].as_u64().with_context(|| books.to_string());
            Ok::<_, anyhow::Error>(usize::try_from(figure?)?)
        };
        let receipts = figure("receipts")?;
        ensure!(figure("gross_minor")? == receipts * PRICE_MINOR, "{books}");
        Ok(receipts)
    }
}

/// The register and its printer.
pub struct Till {
    pub api: Api,
    register: RegisterProgram,
    paper: PaperProgram,
    /// Sales that were acknowledged.
    pub sold: usize,
}

impl Till {
    /// Starts it; it trusts the authority in that file, if any.
    pub async fn open(trusts: Option<&Path>) -> Result<Self> {
        let paper = PaperProgram::start("token", &["--no-pictures"]).await?;
        let mut register = RegisterProgram::init()?;
        let api = match trusts {
            Some(file) => {
                let trusts = format!("SSL_CERT_FILE={}", file.display());
                register.serve_under(&["env", &trusts]).await?
            }
            None => register.serve().await?,
        };
        api.add_printer("front", &paper.uri(), "token").await?;
        Ok(Self { api, register, paper, sold: 0 })
    }

    /// `tillctl pair`; what it says when it is refused.
    pub fn pair(&self, url: &str, code: &str) -> Result<()> {
        let data = self.register.data().display().to_string();
        program::run(&["pair", code, "--url", url, "--data", &data]).map(drop)
    }

    pub async fn sell(&mut self) -> Result<()> {
        let (status, answer) = self.api.post("/v1/receipts", &receipt(self.sold)).await?;
        ensure!(status.is_success(), "{status} {answer}");
        self.sold += 1;
        Ok(())
    }

    /// Has it try for a connection now.
    pub async fn retry(&self) -> Result<()> {
        let (status, answer) = self.api.post("/v1/cloud/retry", &Value::Null).await?;
        ensure!(status.is_success(), "{status} {answer}");
        Ok(())
    }

    /// Waits until the register stands so with the head office.
    pub async fn until(&self, what: &str, wished: impl Fn(&Value) -> bool) -> Result<Value> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let cloud = self.api.get("/v1/cloud").await?;
            if wished(&cloud) {
                return Ok(cloud);
            }
            ensure!(Instant::now() < limit, "not {what}: {cloud}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until everything was told.
    pub async fn until_told(&self) -> Result<Value> {
        self.until("told", |cloud| cloud["state"] == "online" && cloud["unsent"] == 0).await
    }

    /// Ends it, and counts for an attack what is in the books and on paper: each sale and each of those orders once.
    pub async fn settle(
        mut self,
        office: &Office,
        orders: &[String],
        attack: Attack,
    ) -> Result<Attack> {
        self.api.wait_until_quiet(PATIENCE).await?;
        let newest = self.api.get(&format!("/v1/jobs/{}", job_id(self.sold - 1))).await?;
        let booked = office.booked(&newest["day"]).await?;
        self.register.kill().await?;
        let sales = (0..self.sold).map(job_id);
        let wanted: Vec<_> = sales.chain(orders.iter().cloned()).collect();
        let on_paper = ids(&self.paper.end().await?);
        let missing = wanted.iter().filter(|id| !on_paper.contains_key(*id)).count();
        let doubled = on_paper.values().filter(|times| **times > 1).count();
        let strange = on_paper.len().saturating_sub(wanted.len());
        Ok(Attack {
            losses: attack.losses + missing + self.sold.saturating_sub(booked),
            duplicates: attack.duplicates + doubled + strange + booked.saturating_sub(self.sold),
            ..attack
        })
    }
}
