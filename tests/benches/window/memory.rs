//! What memory a receipt costs a window that stays open: a line through samples of what is held.

use anyhow::{Result, ensure};

use crate::desktop::wait_until;
use crate::pos::Pos;
use crate::processes::{Memory, Processes};

const RECEIPTS: u64 = 10_000;
const SAMPLE_EVERY: u64 = 1_000;

/// What was held after how many receipts.
pub struct Samples(Vec<(u64, Memory)>);

/// Samples while receipts arrive.
pub async fn sample(processes: &Processes, pos: &Pos) -> Result<Samples> {
    let first = pos.handed_over();
    let mut samples = Vec::new();
    for after in (0..=RECEIPTS).step_by(usize::try_from(SAMPLE_EVERY)?) {
        wait_until("the next receipts", || {
            ensure!(!pos.has_ended(), "the POS ended");
            Ok((pos.handed_over() >= first + after).then_some(()))
        })
        .await?;
        samples.push((after, processes.memory()?));
    }
    Ok(Samples(samples))
}

impl Samples {
    /// Prints the line through them.
    pub fn print(&self) {
        println!("\nMemory held (PSS) over {RECEIPTS} receipts\n");
        println!("| | at first MiB | at last MiB | bytes a receipt |");
        println!("| --- | ---: | ---: | ---: |");
        self.print_row("register and window", |memory| memory.program);
        self.print_row("pages (WebKit)", |memory| memory.pages);
        self.print_row("both", |memory| memory.program + memory.pages);
    }

    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    fn print_row(&self, name: &str, held: impl Fn(&Memory) -> u64) {
        let points: Vec<(f64, f64)> =
            self.0.iter().map(|(after, memory)| (*after as f64, held(memory) as f64)).collect();
        let mib = |point: Option<&(f64, f64)>| point.map_or(0.0, |(_, held)| held / 1_048_576.0);
        println!(
            "| {name} | {:.1} | {:.1} | {:.0} |",
            mib(points.first()),
            mib(points.last()),
            slope(&points)
        );
    }
}

/// The slope of the line that fits best (least squares).
#[expect(clippy::cast_precision_loss, reason = "a few samples")]
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let together: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let spread: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    together / spread
}
