//! What memory a receipt costs a window that stays open: a line through samples of what is held.

use anyhow::{Result, ensure};
use tillroll_tests::figures::Table;
use tillroll_tests::figures::number::whole;
use tillroll_tests::scale;

use crate::desktop::wait_until;
use crate::pos::Pos;
use crate::processes::{Memory, Processes};

const RECEIPTS: u32 = 10_000;
const SAMPLES: u64 = 10;

/// What was held after how many receipts.
pub struct Samples(Vec<(u64, Memory)>);

/// Samples while receipts arrive.
pub async fn sample(processes: &Processes, pos: &Pos) -> Result<Samples> {
    let first = pos.handed_over();
    let mut samples = Vec::new();
    let receipts = u64::from(scale::count(RECEIPTS));
    for nth in 0..=SAMPLES {
        let after = receipts * nth / SAMPLES;
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
    /// The line through them.
    pub fn table(&self) -> Table {
        let receipts = whole(f64::from(scale::count(RECEIPTS)));
        let title = format!("Memory held (PSS) over {receipts} receipts");
        Table::new(title, ["", "at first MiB", "at last MiB", "bytes a receipt"])
            .row(self.row("register and window", |memory| memory.program))
            .row(self.row("pages (WebKit)", |memory| memory.pages))
            .row(self.row("both", |memory| memory.program + memory.pages))
    }

    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    fn row(&self, name: &str, held: impl Fn(&Memory) -> u64) -> [String; 4] {
        let points: Vec<(f64, f64)> =
            self.0.iter().map(|(after, memory)| (*after as f64, held(memory) as f64)).collect();
        let mib = |point: Option<&(f64, f64)>| {
            format!("{:.1}", point.map_or(0.0, |(_, held)| held / 1_048_576.0))
        };
        [name.to_owned(), mib(points.first()), mib(points.last()), whole(slope(&points))]
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
