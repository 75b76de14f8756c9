//! `demo`: everything once, without any set-up: two temporary stores, virtual printers, sample receipts,
//! a small drama, and the day's table.

mod books;
mod drama;
mod frame;
mod samples;
mod stage;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tillroll_domain::money::Currency;

use self::books::Books;
use self::frame::framed;
use self::stage::{Sold, Stage};
use crate::commands::job::describe;
use crate::commands::paper::Archive;
use crate::failure::Failure;
use crate::output::{Output, Tone};

/// The drawer begins the day with this, in minor units.
const FLOAT: i64 = 20_000;

/// Shows it all without any set-up: sample receipts on virtual paper, faults and their cure, the day's table.
///
/// Two temporary stores are made, a restaurant in Shanghai and a bakery in Paris, each with a register and a
/// virtual printer in this process. Nothing is left behind.
#[derive(Debug, Args)]
pub struct Demo {
    /// Show long receipts whole.
    #[arg(long)]
    full: bool,
    /// Also keep the paper as text, SVG and PNG in this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const NEXT: &str = "\
Try next:
  tillctl init --data ./till --store S1 --register R1 \\
      --zone Asia/Shanghai --cutoff 04:00 --currency CNY
  tillctl serve --data ./till &
  tillctl paper --out ./paper &                      a virtual printer at 127.0.0.1:9100
  export TILLROLL_DATA=./till
  tillctl printer add front --uri tcp://127.0.0.1:9100
  tillctl submit receipt.json                        then look into ./paper
  tillctl --help";

impl Demo {
    /// Plays it from beginning to end.
    ///
    /// # Errors
    /// [`Failure::Demo`] when something does not happen as it must.
    pub async fn run(self, output: &Output) -> Result<(), Failure> {
        let begun = Instant::now();
        let restaurant = Stage::open("S1", "Asia/Shanghai", currency("CNY")?, "zh-CN").await?;
        let bakery = Stage::open("S2", "Europe/Paris", currency("EUR")?, "fr").await?;
        let played = self.play(&restaurant, &bakery, output).await;
        let kept = played.and_then(|()| self.keep([&restaurant, &bakery], output));
        restaurant.close().await;
        bakery.close().await;
        kept?;
        let seconds = begun.elapsed().as_secs_f64();
        output.line(format_args!("\n{NEXT}\n\nThat took {seconds:.1} s."))
    }

    async fn play(
        &self,
        restaurant: &Stage,
        bakery: &Stage,
        output: &Output,
    ) -> Result<(), Failure> {
        let mut books = Books::default();
        restaurant.put_float(FLOAT).await?;
        for sample in samples::restaurant()? {
            title(sample.title, output)?;
            books.add(&sample.receipt);
            self.show(&restaurant.sell(&sample.receipt).await?, output)?;
        }
        title("A bakery in Paris: accents and the euro sign", output)?;
        self.show(&bakery.sell(&samples::bakery()?).await?, output)?;
        drama::play(restaurant, &mut books, self, output).await?;
        books::close_the_day(restaurant, &books, self, output).await
    }

    /// The paper, and what is known of its job.
    fn show(&self, sold: &Sold, output: &Output) -> Result<(), Failure> {
        self.show_paper(&sold.paper, output)?;
        let (answered, printed) = (millis(sold.answered), millis(sold.printed));
        output.line(format_args!(
            "{}  {}  answered after {answered}, on paper after {printed}",
            sold.job.id,
            output.paint(Tone::Good, describe(&sold.job))
        ))
    }

    fn show_paper(&self, paper: &str, output: &Output) -> Result<(), Failure> {
        output.line(framed(paper, self.full))
    }

    fn keep(&self, stages: [&Stage; 2], output: &Output) -> Result<(), Failure> {
        let Some(out) = &self.out else { return Ok(()) };
        for stage in stages {
            let mut archive = Archive::open(&out.join(stage.store()), true)?;
            archive.take(stage.printer())?;
            while archive.has_undrawn() {
                archive.draw_next()?;
            }
        }
        output.line(format_args!("\nThe paper is kept in {}.", out.display()))
    }
}

fn title(text: &str, output: &Output) -> Result<(), Failure> {
    output.line(format_args!("\n{}", output.paint(Tone::Strong, format_args!("== {text} =="))))
}

fn millis(time: std::time::Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1_000.0)
}

fn currency(code: &str) -> Result<Currency, Failure> {
    code.parse().map_err(Failure::demo)
}
