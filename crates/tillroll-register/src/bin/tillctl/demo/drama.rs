//! What goes wrong at a register, and how it ends well.

use tillroll_domain::print_job::{JobState, Verb};
use tillroll_paper::{Fault, Paper};
use tillroll_register::view::JobView;

use super::books::Books;
use super::stage::Stage;
use super::{Demo, samples, title};
use crate::commands::day::write_differences;
use crate::commands::job::{describe, tone_of};
use crate::commands::todo::write_todo;
use crate::failure::Failure;
use crate::output::Output;

/// The link breaks when the printer has taken so many bytes: in the middle of the receipt.
const BYTES_BEFORE_CUT: u64 = 160;

const NOT_ON_PAPER: &str = "The clerk looks: half a receipt hangs in the printer. The answer is: not on paper. \
    It prints once more, under a mark.";

/// Plays the three scenes.
pub(super) async fn play(
    stage: &Stage,
    books: &mut Books,
    demo: &Demo,
    output: &Output,
) -> Result<(), Failure> {
    paper_end(stage, books, demo, output).await?;
    broken_link(stage, books, demo, output).await?;
    copy(stage, demo, output).await
}

async fn paper_end(
    stage: &Stage,
    books: &mut Books,
    demo: &Demo,
    output: &Output,
) -> Result<(), Failure> {
    title("The paper ends", output)?;
    stage.printer().set_paper(Paper::End);
    stage.let_news_arrive().await;
    let receipt = samples::noodles("1006")?;
    books.add(&receipt);
    let before = stage.printer().cut_tickets();
    let id = stage.submit(&receipt).await?;
    let printer = stage.wait_for_cause().await?;
    let waiting = stage.register().job(&id).await.map_err(Failure::demo)?.job;
    tell(&waiting, output)?;
    let cause = printer.reason.or(printer.mid_job_cause).map(|cause| cause.to_string());
    let advice = printer.advice.unwrap_or_default();
    output.line(format_args!("printer: {}. {advice}", cause.unwrap_or_default()))?;
    output.line("A new roll is put in.")?;
    stage.printer().set_paper(Paper::Ok);
    let paper = stage.next_paper(before).await?;
    demo.show_paper(&paper, output)?;
    tell(&stage.wait_for(&id, JobState::Printed).await?, output)
}

async fn broken_link(
    stage: &Stage,
    books: &mut Books,
    demo: &Demo,
    output: &Output,
) -> Result<(), Failure> {
    title("The link breaks in the middle of a receipt", output)?;
    stage.printer().fault(Fault::ResetAfterBytes(BYTES_BEFORE_CUT));
    let receipt = samples::noodles("1007")?;
    books.add(&receipt);
    let id = stage.submit(&receipt).await?;
    tell(&stage.wait_for(&id, JobState::Unconfirmed).await?, output)?;
    output.line("It is never sent again by itself. The to-do list:")?;
    let todo = stage.register().todo().await.map_err(Failure::demo)?;
    write_todo(&todo, stage.shop(), output)?;
    output.line("And the day:")?;
    let day = stage.register().day(stage.today()).await.map_err(Failure::demo)?;
    write_differences(&serde_json::from_value(serde_json::to_value(day)?)?, stage.shop(), output)?;
    output.line(NOT_ON_PAPER)?;
    let before = stage.printer().cut_tickets();
    stage.answer(&id, Verb::NotOnPaper).await?;
    let paper = stage.next_paper(before).await?;
    let printed = stage.wait_for(&id, JobState::Printed).await?;
    demo.show_paper(&paper, output)?;
    tell(&printed, output)
}

async fn copy(stage: &Stage, demo: &Demo, output: &Output) -> Result<(), Failure> {
    title("A guest asks for a copy", output)?;
    let before = stage.printer().cut_tickets();
    let copy = stage.answer(&format!("{}:1007:receipt:v1", stage.store()), Verb::Copy).await?;
    let paper = stage.next_paper(before).await?;
    demo.show_paper(&paper, output)?;
    tell(&stage.wait_for(&copy.id, JobState::Printed).await?, output)
}

fn tell(job: &JobView, output: &Output) -> Result<(), Failure> {
    let state = output.paint(tone_of(job.state), describe(job));
    output.line(format_args!("{}  {state}", job.id))
}
