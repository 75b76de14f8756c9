//! From the request to the first byte at an idle printer, and how many jobs a second one printer gets.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::time::{ClockId, clock_gettime};
use tillroll_tests::figures::number::{ms, us, whole};
use tillroll_tests::figures::{Bar, Findings, Table};
use tillroll_tests::scale;
use tokio::runtime::Runtime;

use crate::bare_disk::BareDisk;
use crate::client::Template;
use crate::cpu;
use crate::cups::{Cups, SCHEDULER};
use crate::device::Device;
use crate::latencies::Latencies;
use crate::site::Site;
use crate::sync_count::SyncCount;
use crate::syncs;
use crate::tills::Tills;
use crate::turns::Rival as _;

const ROUNDS: u32 = 4;
/// Jobs of a round, one at a time.
const SINGLE: u64 = 150;
/// Jobs of a round, as fast as they go.
const MANY: u64 = 2_000;
const TILLS: usize = 16;
const LIMIT: Duration = Duration::from_secs(30);
const BARE: Duration = Duration::from_millis(300);

/// Measures; CUPS beside it where it is installed.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<Findings> {
    let mut bench = Bench::open(runtime, folder)?;
    let mut cups = Cups::start(folder)?;
    let (mut ours, mut theirs, mut bare) = (Total::default(), Total::default(), Bare::of(folder)?);
    bench.one_at_a_time(20, &mut Latencies::default())?;
    for _ in 0..scale::count(ROUNDS) {
        bare.slice()?;
        bench.one_at_a_time(SINGLE, &mut ours.first_bytes)?;
        bench.many(MANY, &mut ours)?;
        if let Some(cups) = &mut cups {
            cups.round(&mut theirs)?;
        }
    }
    let sync = bare.calls.quantile(0.5);
    let found = Findings::default().table(table(&ours, cups.is_some().then_some(&theirs)));
    let found = match cups {
        Some(_) => found.bars(beside_cups(&ours, &theirs, sync)),
        None => found.note(format!("CUPS is left out: it needs root, {SCHEDULER} and python3.")),
    };
    Ok(found.bars(bench.count_syncs()?))
}

/// What a way of printing came to.
#[derive(Default)]
pub struct Total {
    /// From the request to the first byte at an idle printer.
    pub first_bytes: Latencies,
    /// Jobs printed as fast as they went.
    pub jobs: u64,
    /// Time that took.
    pub elapsed: Duration,
    /// CPU that took, without till and printer.
    pub cpu: Duration,
}

struct Bench {
    site: Site,
    device: Device,
    lone: Tills,
    crowd: Tills,
    next: Rc<Cell<u64>>,
}

impl Bench {
    fn open(runtime: &Rc<Runtime>, folder: &Path) -> Result<Self> {
        let device = Device::switch_on()?;
        let site = Site::open(folder, device.address())?;
        let receipt = Template::receipt(site.address, &site.token)?;
        let next = Rc::new(Cell::new(0));
        let lone = Tills::connect(runtime, site.address, &receipt, 1, &next)?;
        let crowd = Tills::connect(runtime, site.address, &receipt, TILLS, &next)?;
        Ok(Self { site, device, lone, crowd, next })
    }

    fn one_at_a_time(&mut self, jobs: u64, first_bytes: &mut Latencies) -> Result<()> {
        for _ in 0..jobs {
            self.device.expect_job();
            let begun = Instant::now();
            self.lone.hand_over(1)?;
            let came = self.device.first_byte(LIMIT)?;
            first_bytes.note(came.saturating_duration_since(begun));
            self.device.wait_printed(self.next.get(), LIMIT)?;
            self.site.wait_idle(LIMIT)?;
        }
        Ok(())
    }

    fn many(&mut self, jobs: u64, total: &mut Total) -> Result<()> {
        let (begun, cpu) = (Instant::now(), self.register_cpu());
        self.crowd.hand_over(jobs)?;
        self.device.wait_printed(self.next.get(), LIMIT)?;
        total.elapsed += begun.elapsed();
        total.cpu += self.register_cpu().saturating_sub(cpu);
        total.jobs += jobs;
        self.site.wait_idle(LIMIT)?;
        Ok(())
    }

    /// CPU of this process without the tills, which run on this thread, and without the printer.
    fn register_cpu(&self) -> Duration {
        let tills = clock_gettime(ClockId::ThreadCPUTime);
        let others = Duration::try_from(tills).unwrap_or_default() + self.device.cpu();
        cpu::process().saturating_sub(others)
    }

    fn count_syncs(mut self) -> Result<[Bar; 2]> {
        let (syncs, commits) = (syncs::count(), self.site.commits());
        self.one_at_a_time(SINGLE, &mut Latencies::default())?;
        let idle = SyncCount::since(syncs, commits, self.site.commits()).each(SINGLE);
        self.crowd.hand_over(MANY)?;
        let left = self.next.get() - self.device.printed();
        let (syncs, commits) = (syncs::count(), self.site.commits());
        self.device.wait_printed(self.next.get(), LIMIT)?;
        self.site.wait_idle(LIMIT)?;
        let backlog = SyncCount::since(syncs, commits, self.site.commits()).each(left);
        self.site.close();
        Ok([
            Bar::at_most("commits of a job, idle printer, request to done", 2.0, idle.commits)
                .ours(idle.told()),
            Bar::at_most("syncs of a job, printing side with a backlog", 1.05, backlog.syncs)
                .ours(backlog.told()),
        ])
    }
}

struct Bare {
    disk: BareDisk,
    calls: Latencies,
}

impl Bare {
    fn of(folder: &Path) -> Result<Self> {
        Ok(Self { disk: BareDisk::in_folder(folder)?, calls: Latencies::default() })
    }

    fn slice(&mut self) -> Result<()> {
        self.disk.work(Instant::now() + BARE, &mut self.calls).map(drop)
    }
}

fn table(ours: &Total, cups: Option<&Total>) -> Table {
    let heads = ["", "first byte p50 us", "p99 us", "jobs a second", "CPU us a job"];
    let table =
        Table::new("One fast TCP printer", heads).row(row("register, `POST /v1/receipts`", ours));
    match cups {
        Some(cups) => table.row(row("CUPS raw queue, IPP Print-Job", cups)),
        None => table,
    }
}

fn row(name: &str, total: &Total) -> [String; 5] {
    let quantile = |share| us(total.first_bytes.quantile(share));
    [name.to_owned(), quantile(0.5), quantile(0.99), whole(total.rate()), us(total.cpu_each())]
}

fn beside_cups(ours: &Total, cups: &Total, sync: Duration) -> [Bar; 4] {
    let first_byte = |what: &str, share, bar| {
        let (here, there) = (ours.first_bytes.quantile(share), cups.first_bytes.quantile(share));
        Bar::at_least(
            format!("first byte {what}, times faster than CUPS"),
            bar,
            there.div_duration_f64(here),
        )
        .aim(20.0)
        .ours(ms(here))
        .peer(format!("CUPS {}", ms(there)))
        .limit(format!("bare sync {}", ms(sync)))
    };
    [
        first_byte("p50", 0.5, 10.0),
        first_byte("p99", 0.99, 8.0),
        Bar::at_least("jobs a second, times CUPS", 10.0, ours.rate() / cups.rate())
            .aim(20.0)
            .ours(whole(ours.rate()))
            .peer(format!("CUPS {}", whole(cups.rate()))),
        Bar::at_least(
            "CPU a job, times less than CUPS",
            10.0,
            cups.cpu_each().div_duration_f64(ours.cpu_each()),
        )
        .aim(25.0)
        .ours(ms(ours.cpu_each()))
        .peer(format!("CUPS {}", ms(cups.cpu_each()))),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
impl Total {
    fn rate(&self) -> f64 {
        self.jobs as f64 / self.elapsed.as_secs_f64()
    }

    fn cpu_each(&self) -> Duration {
        self.cpu.div_f64(self.jobs.max(1) as f64)
    }
}
