//! A busy shop's day in a short time: what the register holds in memory and open, and what it leaves on the disk,
//! does not grow but by what each receipt needs. `TILLROLL_SOAK_S` seconds; the large count is 1,800.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::ensure;
use tillroll_tests::api::{Api, job_id, receipt};
use tillroll_tests::asked;
use tillroll_tests::paper_program::{PaperProgram, ids};
use tillroll_tests::process;
use tillroll_tests::register_program::RegisterProgram;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

const CLIENTS: usize = 4;
/// Of one client between two receipts: all of them sell 20 a second, a shop's day of 36,000 in half an hour.
const PAUSE: Duration = Duration::from_millis(200);
const PRINTERS: [&str; 3] = ["front", "back", "kitchen"];
/// A printer is out of reach every so often, for so long; the next one then.
const BREAK_EVERY: Duration = Duration::from_secs(5);
const BREAK: Duration = Duration::from_secs(2);
/// What a screen asks for, once a second.
const SCREEN: [&str; 4] = ["/v1/todo", "/v1/jobs?limit=50", "/v1/printers", "/healthz"];
/// Looks at what the program holds, in all.
const LOOKS: u32 = 30;
/// Below this a run says nothing of growth: the program is still warming up.
const LONG_ENOUGH: Duration = Duration::from_secs(300);

/// How often somebody who closes no connection opens one.
const LEFT_OPEN_EVERY: Duration = Duration::from_millis(25);

const WAL_MOST: u64 = 16 << 20;
/// Connections of clients and screen come and go.
const HANDLES_MORE: usize = 16;

fn duration() -> Duration {
    Duration::from_secs(asked::number("TILLROLL_SOAK_S").unwrap_or(12))
}

/// What there is at one moment.
#[derive(Debug, Clone, Copy)]
struct Look {
    receipts: usize,
    memory: u64,
    handles: usize,
    wal: u64,
    database: u64,
}

impl Look {
    fn now(pid: u32, data: &Path, receipts: usize) -> anyhow::Result<Self> {
        let size = |name: &str| std::fs::metadata(data.join(name)).map_or(0, |file| file.len());
        Ok(Self {
            receipts,
            memory: process::memory(pid)?,
            handles: process::handles(pid)?,
            wal: size("register.db-wal"),
            database: size("register.db"),
        })
    }
}

/// Sells until the end; the numbers are drawn together.
async fn sell(api: Api, next: Arc<AtomicUsize>, end: Instant) -> anyhow::Result<()> {
    let mut pace = interval(PAUSE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Skip);
    while Instant::now() < end {
        pace.tick().await;
        let number = next.fetch_add(1, Ordering::SeqCst);
        let mut body = receipt(number);
        body["printer"] = PRINTERS[number % PRINTERS.len()].into();
        let (status, answer) = api.post("/v1/receipts", &body).await?;
        ensure!(status == 201, "receipt {number}: {status} {answer}");
    }
    Ok(())
}

async fn look_at_screens(api: Api, end: Instant) -> anyhow::Result<()> {
    let mut pace = interval(Duration::from_secs(1));
    while Instant::now() < end {
        pace.tick().await;
        for path in SCREEN {
            api.get(path).await?;
        }
    }
    Ok(())
}

/// Opens a connection every few moments and closes none.
async fn leave_connections_open(address: String, end: Instant) -> anyhow::Result<()> {
    let (mut pace, mut open) = (interval(LEFT_OPEN_EVERY), Vec::new());
    while Instant::now() < end {
        pace.tick().await;
        open.push(TcpStream::connect(&address).await?);
    }
    Ok(())
}

/// One printer after the other moves away and comes back, so that each has a backlog again and again.
async fn break_printers(api: Api, uris: Vec<String>, end: Instant) -> anyhow::Result<()> {
    for at in (0..uris.len()).cycle() {
        sleep(BREAK_EVERY).await;
        if Instant::now() + BREAK > end {
            return Ok(());
        }
        api.move_printer(PRINTERS[at], "tcp://127.0.0.1:1").await?;
        sleep(BREAK).await;
        api.move_printer(PRINTERS[at], &uris[at]).await?;
    }
    Ok(())
}

/// Everything that grew in the last third of a run was growing in the second, too: the first warms up.
fn judge(looks: &[Look], took: Duration) {
    assert!(most(looks, |look| look.wal) <= WAL_MOST, "the log grows: {looks:#?}");
    assert!(!do_handles_grow(looks), "handles grow: {looks:#?}");
    if took < LONG_ENOUGH {
        return;
    }
    let (second, last) = later_thirds(looks);
    let (before, after) = (most(second, |look| look.memory), most(last, |look| look.memory));
    assert!(after <= before + before / 10, "memory grows: {looks:#?}");
    let each = |looks: &[Look]| {
        let (first, last) = (looks[0], looks[looks.len() - 1]);
        (last.database - first.database) / (last.receipts - first.receipts).max(1) as u64
    };
    let (before, after) = (each(second), each(last));
    assert!(after <= before + before / 5, "a receipt takes more and more of the disk: {looks:#?}");
}

fn most(looks: &[Look], of: fn(&Look) -> u64) -> u64 {
    looks.iter().map(of).max().unwrap_or(0)
}

fn later_thirds(looks: &[Look]) -> (&[Look], &[Look]) {
    let third = looks.len() / 3;
    (&looks[third..2 * third], &looks[2 * third..])
}

fn do_handles_grow(looks: &[Look]) -> bool {
    let (second, last) = later_thirds(looks);
    let handles = |look: &Look| look.handles as u64;
    most(last, handles) > most(second, handles) + HANDLES_MORE as u64
}

/// Each receipt is on the paper of its printer, once.
fn count(papers: &[Vec<String>], sold: usize) {
    let on_paper = ids(&papers.concat());
    for number in 0..sold {
        assert_eq!(on_paper.get(job_id(number).as_str()), Some(&1), "receipt {number}");
    }
    assert_eq!(on_paper.len(), sold);
}

/// What a busy day came to.
struct Day {
    looks: Vec<Look>,
    papers: Vec<Vec<String>>,
    sold: usize,
}

/// A busy day of that length; with somebody who closes no connection, or without.
async fn live(took: Duration, closes: bool) -> anyhow::Result<Day> {
    let mut papers = Vec::new();
    for _ in PRINTERS {
        papers.push(PaperProgram::start("token", &["--no-pictures"]).await?);
    }
    let uris: Vec<String> = papers.iter().map(PaperProgram::uri).collect();
    let mut register = RegisterProgram::init()?;
    let api = register.serve().await?;
    for (name, uri) in PRINTERS.iter().zip(&uris) {
        api.add_printer(name, uri, "token").await?;
    }
    let (next, begun) = (Arc::new(AtomicUsize::new(0)), Instant::now());
    let end = begun + took;
    let mut shop = JoinSet::new();
    for _ in 0..CLIENTS {
        shop.spawn(sell(api.clone(), Arc::clone(&next), end));
    }
    shop.spawn(look_at_screens(api.clone(), end));
    shop.spawn(break_printers(api.clone(), uris, end));
    if !closes {
        shop.spawn(leave_connections_open(api.address().to_owned(), end));
    }
    let (pid, data) = (register.pid()?, register.data());
    let mut looks = Vec::new();
    for nth in 1..=LOOKS {
        tokio::time::sleep_until(begun + took * nth / LOOKS).await;
        looks.push(Look::now(pid, &data, next.load(Ordering::SeqCst))?);
    }
    while let Some(ended) = shop.join_next().await {
        ended??;
    }
    api.wait_until_quiet(Duration::from_secs(120)).await?;
    register.kill().await?;
    let mut tickets = Vec::new();
    for paper in papers {
        tickets.push(paper.end().await?);
    }
    Ok(Day { looks, papers: tickets, sold: next.load(Ordering::SeqCst) })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn busy_day_leaves_memory_handles_and_files_flat() -> anyhow::Result<()> {
    let took = duration();
    let Day { looks, papers, sold } = live(took, true).await?;
    println!(
        "{sold} receipts in {took:?}; at a third and at the end: {:?} {:?}",
        looks[looks.len() / 3],
        looks[looks.len() - 1]
    );
    count(&papers, sold);
    judge(&looks, took);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handles_that_grow_all_day_are_found() -> anyhow::Result<()> {
    let took = Duration::from_secs(6);
    let Day { looks, papers, sold } = live(took, false).await?;
    count(&papers, sold);
    assert!(do_handles_grow(&looks), "{looks:#?}");
    Ok(())
}
