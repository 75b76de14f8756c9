//! The storm on real sockets: the real dispatcher as a process, registers in another behind a cable that
//! loses 15 % of all packets each way or carries little, in a network namespace. Needs root, iptables and tc.

mod cable;
mod host;
mod namespace;
mod plain;
mod sales;
mod steady;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use reqwest::Client;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tempfile::TempDir;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::JobState;
use tillroll_tests::figures::{Bar, Findings, Sheet};
use tillroll_tests::{asked, program};
use tillroll_wire::job::CloudJobView;
use tokio::time::sleep;

use self::cable::{Cable, LOSS};
use self::host::{ERRAND, Errand, READY, Seen};
use self::namespace::Namespace;
use self::plain::Plain;
use crate::assert_just;
use crate::business_system::{BusinessSystem, Sent, trials};
use crate::folder::in_memory;
use crate::history::History;
use crate::judge;
use crate::plan::Plan;
use crate::report::{MARK, Report, attack};
use crate::{runtime, shop};

/// Registers; the tills' network has no more addresses to pair from.
const SHOPS: usize = 100;
/// How long jobs come, in seconds, unless another length is asked for.
const LENGTH_S: u64 = 120;
const LENGTH: &str = "TILLROLL_STORM_S";
/// Every job's deadline, so that a run need not wait longer to settle.
const DEADLINE_S: u64 = 40;
const SETTLING: Duration = Duration::from_secs(DEADLINE_S + 15);
/// A printer here carries 13 or 76 times the jobs of a published one, and the usual ceiling of recovery, 5 in
/// 2 s, is below what comes in new: the results alone set the pace, with at most 5 out at a time.
const CONFIG: &str = "behind_tls_proxy = true\n[schedule]\nrecovery_every_ms = 0\n";
/// Mean time to paper of devices that are there, at most: a tenth of the published 2.4 s.
const MEAN_MS: u64 = 240;

#[test]
#[ignore = "minutes, and root: run by make storm"]
fn storm_at_the_published_peak_rate_on_real_sockets() {
    in_time(73);
}

#[test]
#[ignore = "minutes, and root: run by make storm"]
fn storm_at_ten_times_the_published_mean_rate_on_real_sockets() {
    in_time(444);
}

#[test]
#[ignore = "minutes, and root: run by make storm-rest"]
fn storm_over_a_line_of_a_megabit_for_all() {
    storm(20, Cable::Thin);
}

#[test]
#[ignore = "the tills of a storm on real sockets, started by it"]
fn tills() {
    let Ok(errand) = std::env::var(ERRAND) else { return };
    host::run(&serde_json::from_str(&errand).unwrap());
}

/// Whether the build takes longer than what is measured, which is said.
fn is_slow() -> bool {
    let is_slow = cfg!(debug_assertions) && std::env::var_os("TILLROLL_STORM_SLOWLY").is_none();
    if is_slow {
        println!("skipped: what a build without optimisation takes says nothing");
    }
    is_slow
}

fn in_time(rate: u32) {
    if is_slow() {
        return;
    }
    let report = storm(rate, Cable::Lossy);
    assert!(report.online.mean() <= MEAN_MS, "{}", report.line());
}

fn storm(rate: u32, cable: Cable) -> Report {
    let length_s = asked::number(LENGTH).unwrap_or(LENGTH_S);
    let jobs = rate * u32::try_from(length_s).unwrap();
    let plan = Plan { shops: SHOPS, jobs, length_s, ..Plan::usual(u64::from(rate)) };
    let report = runtime().block_on(run(plan, cable)).unwrap();
    println!("{rate}/s: {}", report.line());
    let reports = std::slice::from_ref(&report);
    attack(&format!("a storm on sockets, {cable}, {rate} a second"), reports).show();
    assert_just(reports);
    report
}

async fn run(plan: Plan, cable: Cable) -> Result<Report> {
    let namespace = cable.lay()?;
    let folder = in_memory();
    let cloud = Cloud::start(&namespace, &folder.path().join("cloud")).await?;
    let places = cloud.set_up(plan.shops)?;
    let plain = Plain::listen(&namespace).await?;
    let errand = cloud.errand(&plan, &places, &folder)?;
    let errand = Errand { plain: Some(plain.address()), ..errand };
    let mut tills = Tills::start(&namespace, &errand)?;
    tills.line_with(READY)?;
    let used = cloud.cpu_ms()?;
    let business = cloud.business_system(&places)?;
    let sent = business.clone().send_all(plan).await?;
    let used = cloud.cpu_ms()? - used;
    println!("the dispatcher used {used} ms CPU in {} s", plan.length_s);
    sleep(SETTLING).await;
    let seen: Seen = tills.end()?;
    let (mean, p99) = (seen.plain.mean(), seen.plain.percentile(99));
    println!("beside it one order and its answer over plain TCP: {mean} ms, p99 {p99} ms");
    let report = judged(plan, &sent, &business.told().await?, seen)?;
    if cable == Cable::Lossy {
        measured(plan, &report, mean, used).keep()?;
    }
    Ok(report)
}

/// For the summary of the benches.
fn measured(plan: Plan, report: &Report, plain_ms: u64, used_ms: u64) -> Sheet {
    let rate = u64::from(plan.jobs) / plan.length_s;
    let figure = format!("{rate} orders a second, {LOSS} % loss: mean time to paper, ms");
    let bar = Bar::at_most(figure, as_ms(MEAN_MS), as_ms(report.online.mean()))
        .aim(50.0)
        .peer("published 2.4 s")
        .limit(format!("one exchange over TCP {plain_ms} ms"));
    let note = format!("The dispatcher used {used_ms} ms of CPU in {} s.", plan.length_s);
    let found = Findings::default().note(note).bars([bar]);
    Sheet::of("storm", &format!("at-{rate}"), found)
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds")]
fn as_ms(ms: u64) -> f64 {
    ms as f64
}

fn judged(
    plan: Plan,
    sent: &Sent,
    told: &BTreeMap<String, CloudJobView>,
    seen: Seen,
) -> Result<Report> {
    let history = History::new(false);
    let states: BTreeMap<JobId, JobState> = seen.states.into_iter().collect();
    let trials = trials(sent, told, &states, seen.epoch)?;
    history.take_over(seen.record);
    Ok(judge::judge(plan, &trials, &history, Default::default()))
}

/// The dispatcher as a process.
struct Cloud {
    child: tokio::process::Child,
    url: String,
    data: String,
    client: Client,
    token: Mutex<String>,
}

/// A store and its register's pairing code.
struct Place {
    uid: String,
    code: String,
}

impl Cloud {
    async fn start(namespace: &Namespace, data: &Path) -> Result<Self> {
        std::fs::create_dir_all(data)?;
        let config = data.with_extension("toml");
        std::fs::write(&config, CONFIG)?;
        let data = data.display().to_string();
        let serve = ["serve", "--data", &data, "--config", &config.display().to_string()];
        let listen = ["--listen", "0.0.0.0:0"];
        let arguments = [&serve[..], &listen].concat();
        let (child, address) = program::start_of(&program::dispatcher()?, &arguments).await?;
        let port = address.rsplit(':').next().context("no port")?;
        let url = format!("http://{}:{port}", namespace.cloud());
        let client = Client::builder().no_proxy().build()?;
        Ok(Self { child, url, data, client, token: Mutex::default() })
    }

    fn errand(&self, plan: &Plan, places: &[Place], folder: &TempDir) -> Result<Errand> {
        let folder = folder.path().join("tills");
        std::fs::create_dir_all(&folder)?;
        Ok(Errand {
            plan: plan.to_string(),
            url: self.url.clone(),
            folder,
            codes: places.iter().map(|place| place.code.clone()).collect(),
            sales: None,
            plain: None,
        })
    }

    fn ask(&self, arguments: &[&str]) -> Result<String> {
        let arguments = [&["--data", &self.data], arguments].concat();
        Ok(program::run_of(&program::dispatcher()?, &arguments)?.trim().to_owned())
    }

    fn set_up(&self, shops: usize) -> Result<Vec<Place>> {
        self.ask(&["tenant", "add", "Lao Wang"])?;
        let mut places = Vec::new();
        for no in 0..shops {
            let store = shop::code(no).to_string();
            let uid = self.ask(&[
                "store", "add", "--tenant", "Lao Wang", "--code", &store, "--name", &store,
            ])?;
            let code = self.ask(&["register", "add", "--store", &uid, "R1"])?;
            places.push(Place { uid, code });
        }
        let stores: Vec<_> = places.iter().flat_map(|place| ["--store", &place.uid]).collect();
        let key =
            [&["api-key", "add", "--tenant", "Lao Wang"], &stores[..], &["platform", "--json"]]
                .concat();
        let made: Value = serde_json::from_str(&self.ask(&key)?)?;
        *self.token.lock().unwrap() = made["token"].as_str().context("no token")?.to_owned();
        Ok(places)
    }

    /// The business system that was let in, once stores are set up.
    fn business_system(&self, places: &[Place]) -> Result<BusinessSystem> {
        let stores = places.iter().map(|place| place.uid.clone()).collect();
        BusinessSystem::new(&self.url, &self.token.lock().unwrap(), stores, DEADLINE_S)
    }

    /// What the process has computed so far.
    fn cpu_ms(&self) -> Result<u64> {
        let id = self.child.id().context("the dispatcher has ended")?;
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat"))?;
        let fields: Vec<_> = stat.rsplit(')').next().unwrap_or_default().split(' ').collect();
        let (user, system): (u64, u64) = (fields[12].parse()?, fields[13].parse()?);
        // Linux counts in hundredths of a second.
        Ok((user + system) * 10)
    }
}

/// The registers, in the namespace.
struct Tills {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Tills {
    fn start(namespace: &Namespace, errand: &Errand) -> Result<Self> {
        let mut child = namespace
            .command(&std::env::current_exe()?)
            .args(["--exact", "sockets::tills", "--ignored", "--nocapture"])
            .env(ERRAND, serde_json::to_string(errand)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let said = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Self { child, said })
    }

    /// Ends the registers; what they saw.
    fn end<T: DeserializeOwned>(mut self) -> Result<T> {
        drop(self.child.stdin.take());
        let seen = self.report()?;
        self.child.wait()?;
        Ok(seen)
    }

    /// What they report.
    fn report<T: DeserializeOwned>(&mut self) -> Result<T> {
        let line = self.line_with(MARK)?;
        let (_, report) = line.split_once(MARK).context("no report")?;
        Ok(serde_json::from_str(report)?)
    }

    fn line_with(&mut self, mark: &str) -> Result<String> {
        loop {
            let mut line = String::new();
            let read = self.said.read_line(&mut line)?;
            ensure!(read > 0, "the tills ended");
            if line.contains(mark) {
                return Ok(line);
            }
        }
    }
}

impl Drop for Tills {
    fn drop(&mut self) {
        // It has ended, or is to.
        let _ = self.child.kill();
    }
}
