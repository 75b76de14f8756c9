//! A dispatcher with one tenant, and a delivery platform that sends it orders.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use jiff::civil::Date;
use reqwest::{Client, StatusCode};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;
use tillroll_dispatcher::bank_sim::{BankFaults, BankSim};
use tillroll_dispatcher::config::Config;
use tillroll_dispatcher::{Dispatcher, DispatcherOptions};
use tokio::time::Instant;

use crate::bank;

/// Longer than anything takes that is right.
pub const PATIENCE: Duration = Duration::from_secs(30);
const TENANT: &str = "Old Wang";

pub struct HeadOffice {
    dispatcher: Option<Dispatcher>,
    bank: Option<BankSim>,
    address: SocketAddr,
    folder: TempDir,
    platform: Client,
    key: String,
    /// Uids of the stores, in the order of their codes.
    stores: Vec<String>,
}

impl HeadOffice {
    /// A head office with stores of those codes.
    pub async fn open(codes: &[&str]) -> Result<Self> {
        Self::open_in(tempfile::tempdir()?, codes, None).await
    }

    /// The same with a bank that pays splits.
    pub async fn open_with_bank(codes: &[&str], faults: BankFaults) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let bank = bank::open(&folder.path().join("bank"), faults).await?;
        Self::open_in(folder, codes, Some(bank)).await
    }

    async fn open_in(folder: TempDir, codes: &[&str], bank: Option<BankSim>) -> Result<Self> {
        let dispatcher = Dispatcher::start(options(&folder, None, bank.as_ref())?).await?;
        let admin = dispatcher.admin();
        admin.add_tenant(TENANT).await.map_err(told)?;
        let mut stores = Vec::new();
        for code in codes {
            stores.push(
                admin.add_store(TENANT, code, &format!("Store {code}")).await.map_err(told)?.uid,
            );
        }
        let key = admin.add_api_key(TENANT, "platform", &stores, None).await.map_err(told)?.token;
        let (address, platform) = (dispatcher.address(), Client::builder().no_proxy().build()?);
        Ok(Self { address, dispatcher: Some(dispatcher), bank, folder, platform, key, stores })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    fn dispatcher(&self) -> Result<&Dispatcher> {
        self.dispatcher.as_ref().context("the dispatcher is stopped")
    }

    /// A pairing code for a register of the first store.
    pub async fn code_for(&self, register: &str) -> Result<String> {
        self.code_in(0, register).await
    }

    pub fn bank(&self) -> Result<&BankSim> {
        self.bank.as_ref().context("no bank")
    }

    /// The registers of a store have its orders shared, by a table of platform and merchant.
    pub async fn share_orders(&self, store: usize) -> Result<()> {
        self.set_share_table(store).await?;
        self.share_orders_without_table(store).await
    }

    pub async fn share_orders_without_table(&self, store: usize) -> Result<()> {
        let admin = self.dispatcher()?.admin();
        admin.share_orders(&self.stores[store], true).await.map_err(told)
    }

    pub async fn set_share_table(&self, store: usize) -> Result<()> {
        let store = &self.stores[store];
        let url = format!("http://{}/v1/stores/{store}/share-tables/1", self.address);
        let sent = self.platform.put(url).bearer_auth(&self.key).json(&bank::share_table());
        let status = sent.send().await?.status();
        ensure!(status == StatusCode::CREATED, "{status}");
        Ok(())
    }

    /// A split of the first store as the platform sees it.
    pub async fn split(&self, id: &str) -> Result<Value> {
        self.read(0, &format!("splits/{id}")).await
    }

    pub async fn code_in(&self, store: usize, register: &str) -> Result<String> {
        let made = self.dispatcher()?.admin().add_register(&self.stores[store], register).await;
        Ok(made.map_err(told)?.code)
    }

    pub async fn revoke(&self, register: &str) -> Result<()> {
        let admin = self.dispatcher()?.admin();
        admin.revoke_register(&self.stores[0], register).await.map_err(told)
    }

    /// Stops the dispatcher and starts it again at the same address.
    pub async fn restart(&mut self) -> Result<()> {
        let before = self.dispatcher.take().context("it runs")?;
        before.stop().await;
        let options = options(&self.folder, Some(self.address), self.bank.as_ref())?;
        self.dispatcher = Some(Dispatcher::start(options).await?);
        Ok(())
    }

    /// Whatever changes the books waits until this is dropped.
    pub fn keep_busy(&self) -> Result<Connection> {
        let database = Connection::open(self.folder.path().join("dispatcher.db"))?;
        database.execute_batch("BEGIN IMMEDIATE")?;
        Ok(database)
    }

    /// The platform sends an order for the first store.
    pub async fn order(&self, body: &Value) -> Result<String> {
        self.order_in(0, body).await
    }

    pub async fn order_in(&self, store: usize, body: &Value) -> Result<String> {
        let url = format!("http://{}/v1/stores/{}/print-jobs", self.address, self.stores[store]);
        let sent = self.platform.post(url).bearer_auth(&self.key).json(body).send().await?;
        let (status, job): (StatusCode, Value) = (sent.status(), sent.json().await?);
        ensure!(status == StatusCode::CREATED, "{status} {job}");
        Ok(job["id"].as_str().context("no id")?.to_owned())
    }

    /// A job as the platform sees it.
    pub async fn job(&self, id: &str) -> Result<Value> {
        self.read(0, &format!("print-jobs/{id}")).await
    }

    /// A day of the first store, as the head office has it.
    pub async fn day(&self, day: Date) -> Result<Value> {
        self.read(0, &format!("days/{day}")).await
    }

    /// Waits until a register of the first store has so many receipts in the books of a day.
    pub async fn until_booked(&self, register: &str, day: Date, receipts: u64) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let books = self.day(day).await?;
            let registers = books["registers"].as_array().context("no registers")?;
            let booked = registers.iter().find(|books| books["register"] == register);
            if booked.is_some_and(|books| books["receipts"] == receipts) {
                return Ok(());
            }
            ensure!(Instant::now() < until, "{register} has not {receipts}: {books}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn read(&self, store: usize, path: &str) -> Result<Value> {
        let url = format!("http://{}/v1/stores/{}/{path}", self.address, self.stores[store]);
        let answer = self.platform.get(url).bearer_auth(&self.key).send().await?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(answer.json().await?)
    }

    /// Waits until the platform sees a job in that state; the job then.
    pub async fn until(&self, id: &str, state: &str) -> Result<Value> {
        let until = Instant::now() + PATIENCE;
        loop {
            let job = self.job(id).await?;
            if job["state"] == state {
                return Ok(job);
            }
            ensure!(Instant::now() < until, "{id} is not {state}: {job}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

fn options(
    folder: &TempDir,
    listen: Option<SocketAddr>,
    bank: Option<&BankSim>,
) -> Result<DispatcherOptions> {
    let listen = listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0)));
    let mut config = Config { listen, ..Config::default() };
    if let Some(bank) = bank {
        bank::pay_by(&mut config, bank)?;
    }
    Ok(DispatcherOptions::new(folder.path(), config))
}

fn told(problem: tillroll_wire::Problem) -> anyhow::Error {
    anyhow::anyhow!("{}: {}", problem.code, problem.detail)
}

/// An order of a delivery platform for the kitchen.
pub fn kitchen(order: &str) -> Value {
    json!({"order_no": order, "kind": "kitchen", "lines": [{"name": "Beef noodles", "quantity": "2"}]})
}

/// The same with a deadline.
pub fn kitchen_within(order: &str, deadline_s: u32) -> Value {
    let mut body = kitchen(order);
    body["deadline_s"] = json!(deadline_s);
    body
}
