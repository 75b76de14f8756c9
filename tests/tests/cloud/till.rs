//! A register with a virtual printer, whose way to the head office can be cut.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use jiff::civil::Date;
use serde_json::{Value, json};
use tempfile::TempDir;
use tillroll_domain::clock::Clock;
use tillroll_domain::printer::ConfirmationLevel;
use tillroll_paper::VirtualPrinter;
use tillroll_register::view::{
    CloudState, CloudStatusView, DayView, PairCloudBody, PrinterBody, RecordVerb, RecordsBody,
};
use tillroll_register::{Access, Register, RegisterOptions, SystemClock, TOKEN_FILE};
use tillroll_store::RegisterSettings;
use tillroll_testkit::{Break, ChaosProxy, Faults};
use tillroll_tests::api::receipt;
use tokio::time::Instant;

use crate::head_office::{HeadOffice, PATIENCE};

pub struct Till {
    pub register: Register,
    pub access: Access,
    pub folder: TempDir,
    network: ChaosProxy,
}

impl Till {
    /// Register `name` of store S1 with the printer `printer`, paired with the head office.
    pub async fn open(office: &HeadOffice, name: &str, printer: &str) -> Result<Self> {
        Self::open_at(office, name, printer, Arc::new(SystemClock)).await
    }

    pub async fn open_at(
        office: &HeadOffice,
        name: &str,
        printer: &str,
        clock: Arc<dyn Clock>,
    ) -> Result<Self> {
        let code = office.code_for(name).await?;
        Self::with(office, ("S1", name), printer, &code, clock).await
    }

    /// A register of any store, with a code that was made for it.
    pub async fn with(
        office: &HeadOffice,
        (store, name): (&str, &str),
        printer: &str,
        code: &str,
        clock: Arc<dyn Clock>,
    ) -> Result<Self> {
        Self::within(tempfile::tempdir()?, office, (store, name), printer, code, clock).await
    }

    /// Its data in a folder that was made for it.
    pub async fn within(
        folder: TempDir,
        office: &HeadOffice,
        (store, name): (&str, &str),
        printer: &str,
        code: &str,
        clock: Arc<dyn Clock>,
    ) -> Result<Self> {
        let data = folder.path().join("data");
        Register::init(&data, settings(store, name)?).await?;
        let network = ChaosProxy::start(office.address()).await?;
        let register = start(&data, clock).await?;
        let access = owner(&register, &data).await?;
        let body = PrinterBody {
            uri: Some(format!("virtual:{printer}")),
            // A probe would cut a ticket of its own.
            level: Some(ConfirmationLevel::Token),
            ..PrinterBody::default()
        };
        register.add_printer(printer, &body).await?;
        let url = format!("http://{}", network.address());
        register.pair(&access, &PairCloudBody { url, code: code.to_owned() }).await?;
        let till = Self { register, access, folder, network };
        till.until_state(CloudState::Online).await?;
        Ok(till)
    }

    /// The register goes, and what it needs to come again stays.
    pub async fn close(self) -> Closed {
        self.register.stop().await;
        Closed { folder: self.folder, network: self.network }
    }

    pub fn printer(&self, name: &str) -> Result<VirtualPrinter> {
        self.register.virtual_printer(name).context("no such printer")
    }

    pub async fn cut_network(&self) -> Result<()> {
        self.network.refuse(true).await;
        self.network.sever(Break::Reset);
        self.until_state(CloudState::Offline).await.map(drop)
    }

    /// The network is there again, whatever the head office says then.
    pub async fn reconnect(&self) {
        self.network.refuse(false).await;
    }

    pub async fn restore_network(&self) -> Result<()> {
        self.reconnect().await;
        self.until_state(CloudState::Online).await.map(drop)
    }

    /// From now on nothing comes back from the head office, though everything gets there; or it does again.
    pub fn lose_answers(&self, lost: bool) {
        self.network.set(Faults { drop_replies: lost, ..Faults::default() });
        self.network.sever(Break::Reset);
    }

    /// Waits until so many requests for records are under way to the head office, since its connections were cut.
    pub async fn until_asked(&self, requests: usize) -> Result<()> {
        let request = b"POST /v1/sync/records";
        let asked = |up: &[u8]| up.windows(request.len()).filter(|bytes| *bytes == request).count();
        let is_asked = self.network.until(PATIENCE, |links| {
            let open = links.iter().filter(|link| !link.closed);
            open.map(|link| asked(&link.up)).sum::<usize>() >= requests
        });
        ensure!(is_asked.await, "not asked {requests} times");
        Ok(())
    }

    /// The head office as this register reaches it.
    pub fn url(&self) -> String {
        format!("http://{}", self.network.address())
    }

    /// Sells number `n`; its job id.
    pub async fn sell(&self, n: usize) -> Result<String> {
        self.submit(&receipt(n)).await
    }

    /// Sells number `n` for another amount, by card.
    pub async fn sell_for(&self, n: usize, amount_minor: i64) -> Result<String> {
        self.submit(&json!({
            "order_no": format!("R1-{n:06}"), "kind": "receipt",
            "lines": [{"name": "Milk", "amount_minor": amount_minor}],
            "total_minor": amount_minor, "tenders": [{"type": "card", "amount_minor": amount_minor}],
        }))
        .await
    }

    /// Gives back so much of sale number `n`; the refund's job id.
    pub async fn refund(&self, n: usize, amount_minor: i64) -> Result<String> {
        self.submit(&json!({
            "order_no": format!("R1-{n:06}"), "kind": "refund",
            "lines": [{"name": "Milk", "amount_minor": amount_minor}],
            "total_minor": amount_minor, "tenders": [{"type": "cash", "amount_minor": amount_minor}],
        }))
        .await
    }

    async fn submit(&self, receipt: &Value) -> Result<String> {
        Ok(self.register.submit(&self.access, &serde_json::to_vec(receipt)?).await?.id)
    }

    /// Waits until the head office said that the store shares its orders.
    pub async fn until_sharing(&self) -> Result<()> {
        let limit = Instant::now() + PATIENCE;
        while !self.register.splits(self.today()).await?.shared {
            ensure!(Instant::now() < limit, "not told that orders are shared");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    /// Has a refused record sent again.
    pub async fn send_again(&self, record: i64) -> Result<()> {
        let body = RecordsBody { ids: vec![record], reason: None };
        self.register.answer_records(&self.access, RecordVerb::SendAgain, &body).await?;
        Ok(())
    }

    pub fn today(&self) -> Date {
        self.register.calendar().day_of(self.register.clock().now())
    }

    pub async fn day(&self) -> Result<DayView> {
        Ok(self.register.day(self.today()).await?)
    }

    /// Waits until a job is in that state here.
    pub async fn until_job(&self, id: &str, state: &str) -> Result<()> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let now = match self.register.job(id).await {
                Ok(story) => story.job.state.as_str(),
                Err(_) => "unknown",
            };
            if now == state {
                return Ok(());
            }
            ensure!(Instant::now() < limit, "{id} is {now}, not {state}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub async fn until_state(&self, state: CloudState) -> Result<CloudStatusView> {
        self.until(&format!("{state:?}"), |cloud| cloud.state == state).await
    }

    /// Waits until the register stands so with the head office.
    pub async fn until(
        &self,
        what: &str,
        wished: impl Fn(&CloudStatusView) -> bool,
    ) -> Result<CloudStatusView> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let cloud = self.register.cloud().await?;
            if wished(&cloud) {
                return Ok(cloud);
            }
            ensure!(Instant::now() < limit, "not {what}: {cloud:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until a record of that job is listed as one that only the head office has.
    pub async fn until_named(&self, job: &str) -> Result<()> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let listed = self.register.todo().await?.cloud_only;
            if listed.iter().any(|record| record.request_id.starts_with(job)) {
                return Ok(());
            }
            ensure!(Instant::now() < limit, "{job} is not named: {listed:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until the day shows a difference of that code.
    pub async fn until_difference(&self, code: &str) -> Result<()> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let told = serde_json::to_value(self.day().await?.differences)?;
            if told.as_array().is_some_and(|rows| rows.iter().any(|row| row["code"] == code)) {
                return Ok(());
            }
            ensure!(Instant::now() < limit, "no difference {code}: {told}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until the day here and at the head office are the same in every figure.
    pub async fn until_days_are_equal(&self) -> Result<DayView> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let day = self.day().await?;
            let asked = day.cloud.source == Some(tillroll_register::view::CloudSource::HeadOffice);
            if asked
                && day.cloud.totals.as_ref() == Some(&day.register)
                && day.differences.is_empty()
            {
                return Ok(day);
            }
            ensure!(Instant::now() < limit, "the days differ: {day:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A register that does not run.
pub struct Closed {
    folder: TempDir,
    network: ChaosProxy,
}

impl Closed {
    pub fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    pub async fn open(self) -> Result<Till> {
        let data = self.data();
        let register = start(&data, Arc::new(SystemClock)).await?;
        let access = owner(&register, &data).await?;
        let till = Till { register, access, folder: self.folder, network: self.network };
        till.until_state(CloudState::Online).await?;
        Ok(till)
    }
}

async fn start(data: &Path, clock: Arc<dyn Clock>) -> Result<Register> {
    let sync = tillroll_sync::Timings {
        repair_every: Duration::from_millis(300),
        ..tillroll_sync::Timings::default()
    };
    Ok(Register::start(data, RegisterOptions { clock, sync, ..RegisterOptions::default() }).await?)
}

async fn owner(register: &Register, data: &Path) -> Result<Access> {
    let token = std::fs::read_to_string(data.join(TOKEN_FILE))?;
    Ok(register.authenticate(token.trim()).await?)
}

fn settings(store: &str, name: &str) -> Result<RegisterSettings> {
    Ok(RegisterSettings {
        store: store.parse()?,
        register: name.parse()?,
        zone: "Asia/Shanghai".to_owned(),
        cutoff: "04:00".to_owned(),
        currency: "CNY".parse()?,
        locale: "en".to_owned(),
    })
}
