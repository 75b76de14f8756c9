//! The accepting side over HTTP while the printer is dead: nothing but receipts becoming durable.

use std::cell::Cell;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result};
use tillroll_tests::figures::number::{a_second, ms, us};
use tillroll_tests::figures::{Bar, Findings};
use tillroll_tests::scale;
use tokio::runtime::Runtime;

use crate::bare_disk::BareDisk;
use crate::client::Template;
use crate::raw_sqlite::RawSqlite;
use crate::servers::{POSTGRES, REDIS, Servers};
use crate::site::Site;
use crate::sync_count::SyncCount;
use crate::syncs;
use crate::tills::Tills;
use crate::turns::{self, Lane};

const SLICE: Duration = Duration::from_millis(200);
const ROUNDS: u32 = 15;
const CONNECTIONS: [usize; 4] = [1, 8, 32, 128];
/// Receipts for the count of syncs.
const COUNTED: u32 = 10_000;

const BARE: &str = "bare disk: overwrite 4 KiB and fdatasync";
const RAW: &str = "bare SQLite in process, the same rows, 32 a commit";
const EMPTY: &str = "no receipt: GET /healthz, 32 connections";

/// Measures on the disk as it is and as if its syncs took a millisecond, as a till's do.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<Findings> {
    let (site, servers) = (Site::open(folder, dead_printer()?)?, Servers::start());
    let mut lanes = lanes(runtime, folder, &site)?;
    let of_register = lanes.len();
    lanes.extend(servers.lanes(runtime)?);
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    let title = "Over HTTP, printer dead: requests a second (client included in CPU)";
    let found = Findings::default().table(turns::table(title, &lanes));
    let found = found.bars(beside_bare_sqlite(&lanes)?).bars(beside_servers(&lanes)?);
    // A server's syncs are its own.
    lanes.truncate(of_register);
    syncs::last_at_least(Duration::from_millis(1));
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    syncs::last_at_least(Duration::ZERO);
    let found = found.table(turns::table("The same where a sync takes 1 ms", &lanes));
    let found = found.bars(beside_bare_syncs(&lanes)?);
    drop(lanes);
    site.close();
    Ok(found.bars([count_syncs(runtime, folder)?]))
}

fn lanes(runtime: &Rc<Runtime>, folder: &Path, site: &Site) -> Result<Vec<Lane>> {
    let receipt = Template::receipt(site.address, &site.token)?;
    let next = Rc::new(Cell::new(0));
    let bare = BareDisk::in_folder(folder)?;
    let raw = RawSqlite::in_folder(&folder.join("raw"), 32)?;
    let health = Template::health(site.address);
    let health = Tills::connect(runtime, site.address, &health, 32, &Rc::default())?;
    let mut lanes = vec![Lane::new(BARE, bare), Lane::new(RAW, raw), Lane::new(EMPTY, health)];
    for connections in CONNECTIONS {
        let tills = Tills::connect(runtime, site.address, &receipt, connections, &next)?;
        lanes.push(Lane::new(posting(connections), tills));
    }
    Ok(lanes)
}

fn posting(connections: usize) -> String {
    format!("POST /v1/receipts, connections: {connections}")
}

/// On a disk whose sync costs less than a request's CPU, the yardsticks are what else this machine can do
/// with a receipt, and with a request.
fn beside_bare_sqlite(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let (raw, empty) = (Lane::named(lanes, RAW)?, Lane::named(lanes, EMPTY)?);
    let at_32 = Lane::named(lanes, &posting(32))?;
    let cpu = at_32.cpu.div_duration_f64(empty.cpu);
    Ok(vec![
        Bar::at_least(
            "HTTP, 32 connections, of bare SQLite at 32 a commit",
            0.3,
            at_32.rate / raw.rate,
        )
        .ours(a_second(at_32.rate))
        .peer(format!("bare SQLite {}", a_second(raw.rate)))
        .limit(format!("empty requests {}", a_second(empty.rate))),
        Bar::at_most("CPU of a receipt at 32 connections, in empty requests", 4.0, cpu)
            .ours(format!("{} us", us(at_32.cpu)))
            .limit(format!("empty request {} us", us(empty.cpu))),
    ])
}

/// They answer bytes that they do not look at, in a protocol of their own; what the rest of the register's CPU
/// is stands in the row of the empty request.
fn beside_servers(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let named = |name: &str| Lane::named(lanes, name);
    let empty = named(EMPTY)?.rate;
    let beside = |connections, name: &str, peer: &str, bar| -> Result<Bar> {
        let (ours, theirs) = (named(&posting(connections))?.rate, named(name)?.rate);
        let figure = format!("HTTP, {connections} connections, of {peer}");
        Ok(Bar::at_least(figure, bar, ours / theirs)
            .ours(a_second(ours))
            .peer(format!("{peer} {}", a_second(theirs)))
            .limit(format!("empty requests {}", a_second(empty))))
    };
    Ok(vec![
        beside(32, POSTGRES, "PostgreSQL", 2.0)?,
        beside(128, POSTGRES, "PostgreSQL", 2.0)?,
        beside(32, REDIS, "Redis", 1.0)?,
    ])
}

fn beside_bare_syncs(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let (bare, raw) = (Lane::named(lanes, BARE)?, Lane::named(lanes, RAW)?);
    let (at_32, at_128) = (Lane::named(lanes, &posting(32))?, Lane::named(lanes, &posting(128))?);
    let beside = |connections: u32, bar, aim, rate: f64| {
        let figure = format!("1 ms a sync: HTTP, {connections} connections, of bare syncs");
        Bar::at_least(figure, bar, rate / bare.rate)
            .aim(aim)
            .ours(a_second(rate))
            .peer(format!("bare SQLite {}", a_second(raw.rate)))
            .limit(format!("bare syncs {}", a_second(bare.rate)))
    };
    let p99 = at_32.p99.div_duration_f64(bare.p50);
    Ok(vec![
        beside(32, 5.0, 7.0, at_32.rate),
        beside(128, 8.0, 12.0, at_128.rate),
        Bar::at_most("1 ms a sync: p99 at 32 connections, in bare syncs", 25.0, p99)
            .aim(12.0)
            .ours(ms(at_32.p99))
            .limit(format!("bare sync {}", ms(bare.p50))),
    ])
}

fn count_syncs(runtime: &Rc<Runtime>, folder: &Path) -> Result<Bar> {
    let site = Site::open(folder, dead_printer()?)?;
    let receipt = Template::receipt(site.address, &site.token)?;
    let next = Rc::new(Cell::new(0));
    let mut tills = Tills::connect(runtime, site.address, &receipt, 32, &next)?;
    tills.hand_over(100)?;
    let (syncs, commits) = (syncs::count(), site.commits());
    let counted = scale::count(COUNTED).into();
    tills.hand_over(counted)?;
    let count = SyncCount::since(syncs, commits, site.commits());
    site.close();
    let each = count.each(counted);
    let bar = Bar::at_most("syncs a receipt, accepting side, 32 connections", 0.1, each.syncs);
    Ok(bar.aim(0.04).ours(each.told()))
}

/// An address where nobody answers.
fn dead_printer() -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.local_addr().context("address")
}
