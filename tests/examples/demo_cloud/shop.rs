//! A store: its register and its printer as programs, and its network, which can be cut.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tillroll_testkit::{Break, ChaosProxy};
use tillroll_tests::api::{Api, receipt};
use tillroll_tests::dispatcher_program::DispatcherProgram;
use tillroll_tests::paper_program::PaperProgram;
use tillroll_tests::program;
use tillroll_tests::register_program::RegisterProgram;
use tokio::time::Instant;

const PATIENCE: Duration = Duration::from_secs(30);

pub struct Shop {
    program: RegisterProgram,
    api: Api,
    paper: PaperProgram,
    network: ChaosProxy,
}

impl Shop {
    pub async fn open(store: &str, office: &DispatcherProgram) -> Result<Self> {
        let paper = PaperProgram::start("token", &[]).await?;
        let mut program = RegisterProgram::init_in(store)?;
        let api = program.serve().await?;
        api.add_printer("front", &paper.uri(), "token").await?;
        let network = ChaosProxy::start(office.address.parse()?).await?;
        Ok(Self { program, api, paper, network })
    }

    pub fn address(&self) -> &str {
        self.api.address()
    }

    /// Runs `tillctl` at this register; what it printed.
    pub fn show(&self, arguments: &[&str]) -> Result<String> {
        let data = self.program.data().display().to_string();
        let arguments = [arguments, &["--data", &data]].concat();
        Ok(program::run(&arguments)?.trim_end().to_owned())
    }

    pub async fn pair(&self, code: &str) -> Result<String> {
        let url = format!("http://{}", self.network.address());
        self.show(&["pair", code, "--url", &url])?;
        self.until("/v1/cloud", |cloud| cloud["state"] == "online").await?;
        self.show(&["cloud"]).map(|told| told.replace('\n', ", "))
    }

    pub async fn sell(&self, number: usize) -> Result<()> {
        let (status, answer) = self.api.post("/v1/receipts", &receipt(number)).await?;
        ensure!(status.is_success(), "{answer}");
        Ok(())
    }

    pub fn tickets(&self) -> Result<Vec<String>> {
        self.paper.tickets()
    }

    /// Waits for ticket number `n`; its text.
    pub async fn paper(&self, n: usize) -> Result<String> {
        let limit = Instant::now() + PATIENCE;
        loop {
            if let Some(ticket) = self.paper.tickets()?.into_iter().nth(n - 1) {
                return Ok(ticket);
            }
            ensure!(Instant::now() < limit, "there is no ticket {n}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn cut_network(&self) -> Result<()> {
        self.network.refuse(true).await;
        self.network.sever(Break::Reset);
        self.until("/v1/cloud", |cloud| cloud["state"] == "offline").await.map(drop)
    }

    pub async fn restore_network(&self) -> Result<()> {
        self.network.refuse(false).await;
        self.until("/v1/cloud", |cloud| cloud["state"] == "online").await.map(drop)
    }

    /// Waits until the head office, asked, has the day of this register in every figure.
    pub async fn until_days_are_equal(&self) -> Result<Value> {
        let today: Value = serde_json::from_str(&self.show(&["day", "--json"])?)?;
        let path = format!("/v1/days/{}", today["day"].as_str().unwrap_or_default());
        let equal = |day: &Value| {
            let cloud = &day["cloud"];
            cloud["source"] == "head_office"
                && cloud["totals"] == day["register"]
                && day["differences"] == json!([])
        };
        self.until(&path, equal).await
    }

    async fn until(&self, path: &str, wished: impl Fn(&Value) -> bool) -> Result<Value> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let answer = self.api.get(path).await?;
            if wished(&answer) {
                return Ok(answer);
            }
            ensure!(Instant::now() < limit, "{path} still answers {answer}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
