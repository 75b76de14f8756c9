//! A million jobs that wait: what it costs to take them up at a start and to wait for them, and how late
//! their deadlines are. Beside it one sleeping task a job.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use jiff::Timestamp;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_tests::figures::number::{mib, ms, whole};
use tillroll_tests::figures::{Bar, Findings, Table};
use tillroll_tests::{process, scale};
use tokio::runtime::Runtime;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::alone::Alone;
use crate::chain::Chain;
use crate::jobs::{self, Deadlines, Stand};
use crate::lateness::{self, Seen};
use crate::line::{Line, Printer};
use crate::program::Program;
use crate::rival::{Rival, Running};
use crate::sleepers::{Late, Sleepers};

const JOBS: u32 = 1_000_000;
/// Of these come due while they are watched: all, so that none is left for the next.
const NEAR: u32 = 8_333;
const STORES: usize = 102;
/// Deadlines that come due are watched for so long.
const WATCHED: Duration = Duration::from_secs(30);
/// Before the first one is due everybody has had the time to take all of them up.
const LEAD: Duration = Duration::from_secs(8);
/// After the start's own work.
const SETTLED: Duration = Duration::from_secs(3);
const RESTS: Duration = Duration::from_secs(20);

/// What somebody needed.
struct Needed {
    memory: u64,
    peak: u64,
    /// To take all of them up.
    taking_up: Duration,
    /// While some of them came due.
    coming_due: Duration,
    /// From a deadline to what follows from it.
    late: Late,
}

/// Measures.
pub fn measure(runtime: &Runtime, folder: &Path) -> Result<Findings> {
    runtime.block_on(async {
        let chain = Chain::make(folder, "waiting", STORES, 1).await?;
        jobs::write_far(&chain, &deadlines(), Stand::Parked)?;
        let rest = at_rest(&chain).await?;
        let (dispatcher, alone) = (dispatcher(&chain).await?, alone(&chain).await?);
        let sleepers = sleepers().await?;
        let found = found(&dispatcher, &alone, &sleepers);
        let (dispatcher, _) = dispatcher;
        let found = found.bars(bars(&dispatcher, &sleepers, rest));
        Ok(found.note(left_by_a_crash(folder).await?))
    })
}

/// The near ones begin soon, all others in a quarter of an hour.
fn deadlines() -> Deadlines {
    let now = SystemClock.now();
    let far = now + Duration::from_secs(900);
    let (near, all) = (scale::count(NEAR), scale::count(JOBS));
    Deadlines { near: near.into(), others: (all - near).into(), begin: now + LEAD, far }
}

/// CPU of the program, as a share of a core, while nothing comes due.
async fn at_rest(chain: &Chain) -> Result<f64> {
    let program = Program::start(&chain.data, "").await?;
    sleep(SETTLED).await;
    let (before, rests) = (program.cpu()?, scale::time(RESTS));
    sleep(rests).await;
    let used = program.cpu()?.saturating_sub(before);
    program.stop().await?;
    Ok(used.div_duration_f64(rests))
}

async fn dispatcher(chain: &Chain) -> Result<(Needed, Late)> {
    let deadlines = deadlines();
    jobs::write_near(chain, &deadlines, 1)?;
    let program = Program::start(&chain.data, "").await?;
    until(deadlines.begin).await;
    let taking_up = program.cpu()?;
    let memory = program.memory()?;
    let seen = watch(chain, 1, deadlines.begin).await?;
    let coming_due = program.cpu()?.saturating_sub(taking_up);
    let peak = program.peak()?;
    program.stop().await?;
    Ok((Needed { memory, peak, taking_up, coming_due, late: seen.durable }, seen.decided))
}

async fn alone(chain: &Chain) -> Result<(Needed, Late)> {
    let deadlines = deadlines();
    jobs::write_near(chain, &deadlines, 2)?;
    let mut rival = Rival::Alone(Alone { database: chain.database() }).start()?;
    let _: bool = rival.said().await?;
    until(deadlines.begin).await;
    let Running { pid, .. } = rival;
    let (taking_up, memory) = (process::cpu(pid)?, process::memory(pid)?);
    let seen = watch(chain, 2, deadlines.begin).await?;
    let coming_due = process::cpu(pid)?.saturating_sub(taking_up);
    let peak = process::peak(pid)?;
    Ok((Needed { memory, peak, taking_up, coming_due, late: seen.durable }, seen.decided))
}

async fn watch(chain: &Chain, store: i64, begin: Timestamp) -> Result<Seen> {
    let database = chain.database();
    spawn_blocking(move || lateness::watch(&database, store, begin + scale::time(WATCHED))).await?
}

async fn sleepers() -> Result<Needed> {
    let deadlines = deadlines();
    let until_then = deadlines.begin + scale::time(WATCHED);
    let mut rival = Rival::Sleepers(Sleepers { deadlines, until: until_then }).start()?;
    let _: i64 = rival.said().await?;
    until(deadlines.begin).await;
    let Running { pid, .. } = rival;
    let (taking_up, memory) = (process::cpu(pid)?, process::memory(pid)?);
    let late = rival.said().await?;
    let coming_due = process::cpu(pid)?.saturating_sub(taking_up);
    Ok(Needed { memory, peak: process::peak(pid)?, taking_up, coming_due, late })
}

async fn until(at: Timestamp) {
    sleep(Duration::try_from(at.duration_since(SystemClock.now())).unwrap_or_default()).await;
}

fn found(
    (dispatcher, decided): &(Needed, Late),
    alone: &(Needed, Late),
    sleepers: &Needed,
) -> Findings {
    let (jobs, late) = (whole(scale::count(JOBS).into()), whole(scale::count(NEAR).into()));
    let title = format!("{jobs} waiting jobs, {late} of them too late within {WATCHED:?}");
    let heads = [
        "",
        "held",
        "peak",
        "CPU to take up",
        "CPU us each that came due",
        "late p50 ms",
        "p99 ms",
        "most ms",
    ];
    let table = Table::new(title, heads)
        .row(row("dispatcher, to the durable row", dispatcher))
        .row(row("its schedule alone, commits unpaced, to the durable row", &alone.0))
        .row(row("one sleeping task a job, to its waking", sleepers));
    let [decided, unpaced] = [*decided, alone.1].map(|late| lateness_of(late).join(" / "));
    let note =
        format!("To the decision, p50 / p99 / most ms: dispatcher {decided}, unpaced {unpaced}.");
    Findings::default().table(table).note(note)
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn row(name: &str, needed: &Needed) -> [String; 8] {
    let Needed { memory, peak, taking_up, coming_due, late } = needed;
    let each = coming_due.as_secs_f64() * 1e6 / late.count.max(1) as f64;
    let [p50, p99, most] = lateness_of(*late);
    let (memory, peak) = (mib(*memory), mib(*peak));
    [name.to_owned(), memory, peak, ms(*taking_up), whole(each), p50, p99, most]
}

fn lateness_of(Late { p50_ns, p99_ns, most_ns, .. }: Late) -> [String; 3] {
    let ms = |ns| format!("{:.1}", Duration::from_nanos(ns).as_secs_f64() * 1e3);
    [ms(p50_ns), ms(p99_ns), ms(most_ns)]
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn bars(dispatcher: &Needed, sleepers: &Needed, rest: f64) -> [Bar; 4] {
    let cpu = dispatcher.taking_up.div_duration_f64(sleepers.taking_up);
    let memory = dispatcher.memory as f64 / sleepers.memory as f64;
    let p99 = Duration::from_nanos(dispatcher.late.p99_ns).as_secs_f64() * 1e3;
    let waking = ms(Duration::from_nanos(sleepers.late.p99_ns));
    [
        Bar::at_most("a million waiting jobs, CPU to take them up, of a task a job", 0.25, cpu)
            .aim(0.14)
            .ours(ms(dispatcher.taking_up))
            .peer(format!("a task a job {}", ms(sleepers.taking_up))),
        Bar::at_most("a million waiting jobs, memory, of a task a job", 0.125, memory)
            .aim(0.04)
            .ours(mib(dispatcher.memory))
            .peer(format!("a task a job {}", mib(sleepers.memory))),
        Bar::at_most("a million waiting jobs, p99 of lateness, ms", 4.0, p99)
            .limit(format!("a sleeper's waking {waking}")),
        Bar::at_most("a million waiting jobs, CPU at rest, % of a core", 0.2, rest * 100.0),
    ]
}

/// The same million, scheduled at registers that were connected when the program died.
async fn left_by_a_crash(folder: &Path) -> Result<String> {
    let chain = Chain::make(folder, "left", STORES, 1).await?;
    jobs::write_far(&chain, &deadlines(), Stand::Scheduled)?;
    let begun = Instant::now();
    let program = Program::start(&chain.data, "").await?;
    let listens = begun.elapsed();
    let till = &chain.shops[2].tills[0];
    let from = [127, 0, 0, 1].into();
    let line = Line::greeted(from, program.address, till, Printer::Empty).await?;
    let welcomed = begun.elapsed();
    let mut used = program.cpu()?;
    loop {
        sleep(SETTLED).await;
        let more = program.cpu()?;
        if more.saturating_sub(used) < SETTLED / 50 {
            break;
        }
        used = more;
    }
    let told = format!(
        "A million jobs left scheduled by a crash: the program listens after {} and welcomes a register after {}; \
         all are parked with {} of CPU, {} held, {} at most.",
        ms(listens),
        ms(welcomed),
        ms(used),
        mib(program.memory()?),
        mib(program.peak()?)
    );
    drop(line);
    program.stop().await?;
    Ok(told)
}
