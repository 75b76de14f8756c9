//! Registers on the machine's own clock: opened, and their lines cut and restored as a plan has it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tillroll_register::{RegisterOptions, SystemClock};
use tillroll_testkit::{Dice, Line, Weather};
use tokio::time::{Instant, sleep_until};

use crate::course::{self, Event};
use crate::history::History;
use crate::paper;
use crate::plan::Plan;
use crate::shop::{self, Fittings, Shop};

/// A register with its printer, in a folder of its own, on a line that takes no time; with its installation.
pub async fn open(folder: &Path, no: usize, history: &History) -> (Arc<Shop>, String) {
    let folder = folder.join(no.to_string());
    shop::make(&folder, no).await;
    let usual = RegisterOptions::default();
    let fittings = Fittings {
        clock: Arc::new(SystemClock),
        database: usual.store.database,
        random: usual.random,
    };
    let no_delay = Duration::ZERO..Duration::ZERO;
    let weather = Weather { latency: no_delay, ..Weather::calm() };
    let line = Line::new(Dice::new(no as u64), weather);
    let shop = Arc::new(Shop::new(no, folder, line, fittings, history.clone()));
    let installation = shop.open().await;
    tokio::spawn(paper::watch(Arc::clone(&shop), history.clone()));
    (shop, installation)
}

/// Registers come and go as in simulated time; what else could go wrong, a cable does.
pub async fn come_and_go(plan: Plan, shops: Vec<Arc<Shop>>) {
    let began = Instant::now();
    for (at, event) in course::of(&plan) {
        sleep_until(began + at).await;
        match event {
            Event::Cut(shop, noticed) => shops[shop].line.cut(noticed),
            Event::Restore(shop) => shops[shop].line.restore(),
            Event::Reconnect(shop, noticed) => shops[shop].line.break_calls(noticed),
            _ => {}
        }
    }
}
