//! The accepting side over HTTP while the printer is dead: nothing but receipts becoming durable.

use std::cell::Cell;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::runtime::Runtime;

use crate::bare_disk::BareDisk;
use crate::client::Template;
use crate::raw_sqlite::RawSqlite;
use crate::site::Site;
use crate::syncs;
use crate::tills::Tills;
use crate::turns::{self, Lane};

const SLICE: Duration = Duration::from_millis(200);
const ROUNDS: u32 = 15;
const CONNECTIONS: [usize; 4] = [1, 8, 32, 128];
/// Receipts for the count of syncs.
const COUNTED: u64 = 10_000;

/// Measures and prints.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<()> {
    let site = Site::open(folder, dead_printer()?)?;
    let mut lanes = lanes(runtime, folder, &site)?;
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    turns::print("Over HTTP, printer dead: requests a second (client included in CPU)", &lanes);
    print_tail(&lanes);
    drop(lanes);
    site.close();
    count_syncs(runtime, folder)
}

fn lanes(runtime: &Rc<Runtime>, folder: &Path, site: &Site) -> Result<Vec<Lane>> {
    let receipt = Template::receipt(site.address, &site.token)?;
    let next = Rc::new(Cell::new(0));
    let bare = BareDisk::in_folder(folder)?;
    let raw = RawSqlite::in_folder(&folder.join("raw"), 32)?;
    let health = Template::health(site.address);
    let health = Tills::connect(runtime, site.address, &health, 32, &Rc::default())?;
    let mut lanes = vec![
        Lane::new("bare disk: overwrite 4 KiB and fdatasync", bare),
        Lane::new("bare SQLite in process, the same rows, 32 a commit", raw),
        Lane::new("no receipt: GET /healthz, 32 connections", health),
    ];
    for connections in CONNECTIONS {
        let tills = Tills::connect(runtime, site.address, &receipt, connections, &next)?;
        lanes.push(Lane::new(format!("POST /v1/receipts, {connections} connections"), tills));
    }
    Ok(lanes)
}

fn print_tail(lanes: &[Lane]) {
    let (Some(bare), Some(at_32)) = (lanes.first(), lanes.iter().rev().nth(1)) else { return };
    let tail = at_32.figures().p99.as_secs_f64() / bare.figures().p50.as_secs_f64();
    println!("\np99 at 32 connections: {tail:.1} bare syncs (their p50)");
}

fn count_syncs(runtime: &Rc<Runtime>, folder: &Path) -> Result<()> {
    let site = Site::open(folder, dead_printer()?)?;
    let receipt = Template::receipt(site.address, &site.token)?;
    let next = Rc::new(Cell::new(0));
    let mut tills = Tills::connect(runtime, site.address, &receipt, 32, &next)?;
    tills.hand_over(100)?;
    let (syncs, commits) = (syncs::count(), site.commits());
    tills.hand_over(COUNTED)?;
    let count = syncs::Count::since(syncs, commits, site.commits());
    count.print("accepting side, 32 callers", COUNTED);
    site.close();
    Ok(())
}

/// An address where nobody answers.
fn dead_printer() -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.local_addr().context("address")
}
