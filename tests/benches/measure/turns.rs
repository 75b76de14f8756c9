//! Rivals that work in short slices, in turn, so that all of them see the same disk and the same
//! neighbours. Absolute rates change from minute to minute; the ratios of one run are the figures.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use tillroll_tests::figures::Table;
use tillroll_tests::figures::number::{us, whole};
use tillroll_tests::scale;

use crate::cpu;
use crate::latencies::Latencies;

/// One way of doing the work.
pub trait Rival {
    /// Works until the deadline, notes the time of each call and tells how much was done.
    ///
    /// # Errors
    /// Ends the whole run.
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64>;
}

/// A rival and what it did so far.
pub struct Lane {
    name: String,
    rival: Box<dyn Rival>,
    done: u64,
    elapsed: Duration,
    cpu: Duration,
    calls: Latencies,
}

/// What a lane came to.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// Operations a second.
    pub rate: f64,
    /// CPU of this whole process for one operation.
    pub cpu: Duration,
    /// Median of a call.
    pub p50: Duration,
    /// The 99th percentile of a call.
    pub p99: Duration,
}

impl Lane {
    /// A lane that has not begun.
    pub fn new(name: impl Into<String>, rival: impl Rival + 'static) -> Self {
        Self {
            name: name.into(),
            rival: Box::new(rival),
            done: 0,
            elapsed: Duration::ZERO,
            cpu: Duration::ZERO,
            calls: Latencies::default(),
        }
    }

    /// What it came to so far.
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    pub fn figures(&self) -> Figures {
        let done = self.done.max(1) as f64;
        Figures {
            rate: self.done as f64 / self.elapsed.as_secs_f64(),
            cpu: self.cpu.div_f64(done),
            p50: self.calls.quantile(0.5),
            p99: self.calls.quantile(0.99),
        }
    }

    /// The figures of the lane of that name.
    pub fn named(lanes: &[Self], name: &str) -> Result<Figures> {
        let lane = lanes.iter().find(|lane| lane.name == name);
        lane.map(Self::figures).with_context(|| format!("no lane {name:?}"))
    }

    /// Forgets what it did; the database it works on stays.
    fn begin_anew(&mut self) {
        (self.done, self.elapsed, self.cpu) = (0, Duration::ZERO, Duration::ZERO);
        self.calls = Latencies::default();
    }

    fn take_turn(&mut self, slice: Duration) -> Result<()> {
        let (begun, cpu_before) = (Instant::now(), cpu::process());
        self.done += self.rival.work(begun + slice, &mut self.calls)?;
        self.elapsed += begun.elapsed();
        self.cpu += cpu::process().saturating_sub(cpu_before);
        Ok(())
    }
}

/// Lets all lanes work in turn, each one slice a round. The first round only warms up.
pub fn take_turns(lanes: &mut [Lane], rounds: u32, slice: Duration) -> Result<()> {
    for round in 0..=scale::count(rounds) {
        for lane in &mut *lanes {
            if round == 1 {
                lane.begin_anew();
            }
            lane.take_turn(slice)?;
        }
    }
    Ok(())
}

/// The lanes, each beside the first one.
pub fn table(title: &str, lanes: &[Lane]) -> Table {
    let heads = ["", "a second", "of the first row", "p50 us", "p99 us", "CPU us each"];
    let mut table = Table::new(title, heads);
    let base = lanes.first().map_or(f64::NAN, |lane| lane.figures().rate);
    for lane in lanes {
        let Figures { rate, cpu, p50, p99 } = lane.figures();
        let of_base = format!("{:.2}", rate / base);
        table.push([lane.name.clone(), whole(rate), of_base, us(p50), us(p99), us(cpu)]);
    }
    table
}
