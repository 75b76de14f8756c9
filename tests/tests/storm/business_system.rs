//! The business system over HTTP: sends every job in its time, again until it is taken, and reads what became
//! of it.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use jiff::Timestamp;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::JobState;
use tillroll_testkit::{Dice, receipts};
use tillroll_wire::job::CloudJobView;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::judge::{Told, Trial};
use crate::order::Order;
use crate::plan::Plan;

/// A job that was not taken is sent again after this ...
const SEND_AGAIN: Duration = Duration::from_millis(200);
/// ... until then.
const PATIENCE: Duration = Duration::from_secs(60);
/// An answer that takes longer is lost.
const ANSWERED: Duration = Duration::from_secs(10);
/// Jobs of a page.
const PAGE: usize = 500;

/// A business system with a key to some stores.
#[derive(Clone)]
pub struct BusinessSystem {
    client: Client,
    url: String,
    token: String,
    /// Uids of the stores, in the order of the shops.
    stores: Vec<String>,
    deadline_s: u64,
}

/// Every job that was taken, with its shop, as the dispatcher acknowledged it.
pub type Sent = Vec<(usize, CloudJobView)>;

impl BusinessSystem {
    /// A business system whose jobs have so long.
    pub fn new(url: &str, token: &str, stores: Vec<String>, deadline_s: u64) -> Result<Self> {
        let client = Client::builder().no_proxy().timeout(ANSWERED).build()?;
        Ok(Self { client, url: url.to_owned(), token: token.to_owned(), stores, deadline_s })
    }

    /// Sends every job of a plan in its time.
    pub async fn send_all(self, plan: Plan) -> Result<Sent> {
        let mut sending = JoinSet::new();
        let mut dice = Dice::new(plan.seed);
        let (began, apart) = (Instant::now(), plan.length() / plan.jobs);
        for number in 1..=plan.jobs {
            let shop = usize::try_from(dice.below(plan.shops as u64))?;
            let system = self.clone();
            sending.spawn(async move { Ok((shop, system.send(shop, number).await?)) });
            sleep_until(began + apart * number).await;
        }
        sending.join_all().await.into_iter().collect()
    }

    /// Sends a job until it is taken. Nobody knows whether one without an answer was.
    async fn send(&self, shop: usize, number: u32) -> Result<CloudJobView> {
        let mut body = serde_json::to_value(receipts::simple(number))?;
        body["printer"] = "front".into();
        body["deadline_s"] = self.deadline_s.into();
        let (url, began) = (self.jobs_of(shop), Instant::now());
        loop {
            let unanswered = match self.try_send(&url, &body).await {
                Ok((status, job)) if status.is_success() => return Ok(serde_json::from_str(&job)?),
                Ok((StatusCode::SERVICE_UNAVAILABLE | StatusCode::BAD_GATEWAY, why)) => why,
                Ok((status, why)) => bail!("job {number}: {status} {why}"),
                Err(error) => error.to_string(),
            };
            if began.elapsed() > PATIENCE {
                bail!("job {number} was not taken: {unanswered}");
            }
            sleep(SEND_AGAIN).await;
        }
    }

    async fn try_send(&self, url: &str, body: &Value) -> reqwest::Result<(StatusCode, String)> {
        let answer = self.client.post(url).bearer_auth(&self.token).json(body).send().await?;
        Ok((answer.status(), answer.text().await?))
    }

    /// Every job as it stands.
    pub async fn told(&self) -> Result<BTreeMap<String, CloudJobView>> {
        let mut told = BTreeMap::new();
        for shop in 0..self.stores.len() {
            let jobs = format!("{}?limit={PAGE}", self.jobs_of(shop));
            let mut page = Some(jobs.clone());
            while let Some(url) = page {
                let answer = self.client.get(&url).bearer_auth(&self.token).send().await?;
                let list: Value = answer.error_for_status()?.json().await?;
                page = list["next"].as_str().map(|before| format!("{jobs}&before={before}"));
                for job in list["jobs"].as_array().context("no jobs")? {
                    let job: CloudJobView = serde_json::from_value(job.clone())?;
                    told.insert(job.id.clone(), job);
                }
            }
        }
        Ok(told)
    }

    fn jobs_of(&self, shop: usize) -> String {
        format!("{}/v1/stores/{}/print-jobs", self.url, self.stores[shop])
    }
}

/// What is to be judged: each job as it was taken, as it is told, and as its register has it. The run began
/// at `epoch`.
pub fn trials(
    sent: &Sent,
    told: &BTreeMap<String, CloudJobView>,
    states: &BTreeMap<JobId, JobState>,
    epoch: Timestamp,
) -> Result<Vec<Trial>> {
    let since = |at: Timestamp| Duration::try_from(at.duration_since(epoch)).unwrap_or_default();
    let trial = |(shop, job): &(usize, CloudJobView)| {
        let (taken, deadline) = (since(job.created_at), since(job.deadline_at));
        let id: JobId = job.id.parse()?;
        let now = told.get(&job.id).with_context(|| format!("{id} was taken and is gone"))?;
        let cloud = Told { state: now.state, reason: now.reason.clone(), late: now.late };
        let local = states.get(&id).copied();
        Ok(Trial { order: Order { shop: *shop, id, taken, deadline }, cloud, local })
    };
    sent.iter().map(trial).collect()
}
