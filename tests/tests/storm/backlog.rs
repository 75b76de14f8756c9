//! A register without a network for days, and in the middle of them an older copy of its database.
//!
//! The register sells, its database is backed up as the manual says, and it sells on until the line is cut;
//! the head office has all of that. Half-way through the outage the backup is put in place of the database.
//! The clerk compares with the POS, which sends again what it sold since the line was cut, and by mistake
//! some of what the head office has already. Then the line is back, and the store sells on meanwhile.
//!
//! Judged by the POS's own list of acknowledged ids, the head office's books, the manager's list and the
//! paper: see [`verdict`].

mod pos;
mod verdict;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use tillroll_domain::print_job::JobState;
use tillroll_paper::printer::Paper;
use tillroll_testkit::Noticed;
use tokio::time::{Instant, sleep};

use self::pos::Pos;
use crate::plan::Plan;
use crate::run::{World, simulated};
use crate::shop::Shop;

/// Of so many sales of the outage one is made before the backup, and one more before the line is cut.
const ONE_IN: u32 = 40;
/// Sales that are sent again although the head office has them.
const BY_MISTAKE: u32 = 5;
/// The POS sends again one in so long.
const SEND_AGAIN_EVERY: Duration = Duration::from_secs(1);
/// While the backlog goes up there is a new sale in so long.
const NEW_SALE_EVERY: Duration = Duration::from_millis(50);
/// How long it may take until the register notices that the line is back.
const NOTICED: Duration = Duration::from_millis(2_500);
/// How long 2,000 records may take then.
const TWO_THOUSAND: Duration = Duration::from_secs(1);
/// How long a new sale may take to paper meanwhile.
const TO_PAPER: Duration = Duration::from_secs(1);
/// All of it has to be over by then.
const LIMIT: Duration = Duration::from_secs(3 * 3_600);

/// How long the line is cut, and how much is sold meanwhile.
#[derive(Debug, Clone, Copy)]
pub struct Days {
    pub hours: u64,
    pub sales: u32,
}

/// How the backlog went up.
#[derive(Debug, Default)]
pub struct Drain {
    /// Records that waited when the line was back.
    pub backlog: i64,
    /// From the line's return until the first of them was acknowledged, and from there until the last was.
    pub noticed: Duration,
    pub took: Duration,
    /// Sales meanwhile, and the slowest of them to paper: simulated, and what this machine took.
    pub sold: usize,
    pub slowest: Duration,
    pub slowest_here: Duration,
}

/// Lives through it; how the backlog went up. Panics at what is not right.
pub fn of(days: Days) -> Drain {
    let plan = Plan { shops: 1, lost: 0, ..Plan::short(72) };
    simulated(plan, false, move |world| async move { lived(&world, days).await })
}

async fn lived(world: &World, days: Days) -> Drain {
    let shop = &world.shops()[0];
    let mut pos = Pos::new(Arc::clone(shop));
    let every = Duration::from_secs(days.hours * 3_600) / days.sales;
    let few = days.sales / ONE_IN;

    pos.sell(few, every).await;
    let open = leave_open(&mut pos).await;
    let backup = back_up(shop.folder());
    shop.printer.set_paper(Paper::Ok);
    let known_to_both = pos.sell(few, every).await;
    let sold_on = shop.today();
    until(shop, "everything is sent", |unsent| unsent == 0).await;

    shop.line.cut(Noticed::default());
    let on_paper_alone = pos.sell(days.sales / 2, every).await;
    put_back(world, &backup).await;
    assert_eq!(shop.says_of(&pos.id(open)).await, Some(JobState::Held), "open in the copy");
    pos.send_again(on_paper_alone, SEND_AGAIN_EVERY).await;
    let by_mistake = known_to_both.start..known_to_both.start + BY_MISTAKE;
    // On the same business day it is the same sale; on another one it would be counted twice.
    let refused = if shop.today() == sold_on { 0..0 } else { by_mistake.clone() };
    pos.send_again(by_mistake, SEND_AGAIN_EVERY).await;
    pos.sell(days.sales / 2, every).await;

    let drain = drain(&mut pos).await;
    until(shop, "everything is sent", |unsent| unsent == 0).await;
    until_named(shop, known_to_both.len()).await;
    verdict::judge(world, &pos, verdict::Went { known_to_both, refused }).await;
    drain
}

/// A sale that waits for paper: it is open in a backup made now. Its number.
async fn leave_open(pos: &mut Pos) -> u32 {
    pos.shop.printer.set_paper(Paper::End);
    pos.sell_without_paper().await
}

/// A backup of a register that runs, as the manual says.
fn back_up(folder: &Path) -> PathBuf {
    let backup = folder.join("backup");
    let database = Connection::open(folder.join("register.db")).unwrap();
    database.execute("VACUUM INTO ?1", [backup.to_str()]).unwrap();
    backup
}

/// Puts the backup in place of the database, as the manual says.
async fn put_back(world: &World, backup: &Path) {
    let shop = &world.shops()[0];
    shop.stop().await;
    for log in ["register.db-wal", "register.db-shm"] {
        // One that was closed in order has left none.
        let _ = fs::remove_file(shop.folder().join(log));
    }
    fs::copy(backup, shop.folder().join("register.db")).unwrap();
    shop.start(world.link(shop)).await;
}

/// The line is back, and the store sells on until the head office has everything from before.
async fn drain(pos: &mut Pos) -> Drain {
    let shop = Arc::clone(&pos.shop);
    let mut drain = Drain { backlog: shop.unsent().await, ..Drain::default() };
    let (back, back_at, oldest) = (Instant::now(), shop.now(), shop.waits_since().await);
    shop.line.restore();
    loop {
        let waits_since = shop.waits_since().await;
        if waits_since == oldest {
            drain.noticed = back.elapsed();
        }
        if waits_since.is_none_or(|since| since >= back_at) {
            break;
        }
        assert!(back.elapsed() < LIMIT, "records wait since {waits_since:?}");
        let (began, began_here) = (Instant::now(), std::time::Instant::now());
        pos.sell(1, Duration::ZERO).await;
        drain.slowest = drain.slowest.max(began.elapsed());
        drain.slowest_here = drain.slowest_here.max(began_here.elapsed());
        drain.sold += 1;
        sleep(NEW_SALE_EVERY).await;
    }
    drain.took = back.elapsed() - drain.noticed;
    drain
}

async fn until(shop: &Shop, what: &str, reached: impl Fn(i64) -> bool) {
    let began = Instant::now();
    while !reached(shop.unsent().await) {
        assert!(began.elapsed() < LIMIT, "not: {what}");
        sleep(Duration::from_secs(1)).await;
    }
}

/// Waits until so many sales are named on the manager's list, each with its paper.
async fn until_named(shop: &Shop, sales: usize) {
    let began = Instant::now();
    while shop.named().await.len() < 2 * sales {
        assert!(began.elapsed() < LIMIT, "{:?}", shop.named().await);
        sleep(Duration::from_secs(10)).await;
    }
}

impl Drain {
    /// Panics when it took longer than it may.
    pub fn assert_in_time(&self) {
        assert!(self.noticed <= NOTICED, "{self:?}");
        let thousands = u32::try_from(self.backlog / 2_000).unwrap() + 1;
        assert!(self.took <= TWO_THOUSAND * thousands, "{self:?}");
        assert!(self.sold > 0 && self.slowest <= TO_PAPER, "{self:?}");
    }
}

#[test]
fn nothing_is_lost_or_sold_twice_by_hours_offline_and_an_older_copy() {
    let drain = of(Days { hours: 6, sales: 400 });
    println!("{drain:?}");
    drain.assert_in_time();
}
