//! `todo`: what waits for a person.

use clap::Args;
use tillroll_register::view::{JobView, NoticeView, TodoView};

use super::cloud::write_records;
use super::job::{describe, tone_of, typed};
use super::rejected::rejected_table;
use crate::cli::Desk;
use crate::failure::Failure;
use crate::output::{Output, Tone};
use crate::shop::Shop;

/// Lists what waits for a person: jobs that ask, refused receipts and records, and notices of the register.
#[derive(Debug, Args)]
pub struct Todo {
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

impl Todo {
    /// Shows the list.
    ///
    /// # Errors
    /// When the register does not answer.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        let answer = desk.api.get(&["todo"]).await?;
        if self.json {
            return desk.output.line(answer.text());
        }
        write_todo(&answer.read()?, &desk.shop, desk.output)
    }
}

/// Writes the list for a person.
///
/// # Errors
/// When it cannot be written.
pub fn write_todo(todo: &TodoView, shop: &Shop, output: &Output) -> Result<(), Failure> {
    let TodoView { jobs, rejected, refused_records, cloud_only, notices } = todo;
    let no_records = refused_records.is_empty() && cloud_only.is_empty();
    if jobs.is_empty() && rejected.is_empty() && no_records && notices.is_empty() {
        return output.line(output.paint(Tone::Good, "Nothing waits for you."));
    }
    for job in jobs {
        write_job(job, shop, output)?;
    }
    if !rejected.is_empty() {
        output.line("Refused receipts (tillctl rejected answer NUMBER TEXT)")?;
        rejected_table(rejected, shop).write(output, "")?;
    }
    write_records(refused_records, cloud_only, shop, output)?;
    for NoticeView { id, detail, noticed_at, .. } in notices {
        let at = shop.moment(*noticed_at);
        output.line(format_args!("Notice {id} of {at}: {detail} (tillctl notice read {id})"))?;
    }
    Ok(())
}

/// What happened, what is safe, and the keys for it.
fn write_job(job: &JobView, shop: &Shop, output: &Output) -> Result<(), Failure> {
    let state = output.paint(tone_of(job.state), describe(job));
    let (id, amount) = (output.paint(Tone::Strong, &job.id), shop.money(job.amount_minor));
    output.line(format_args!("{id}  {state}  {amount}, printer {}", job.printer))?;
    if let Some(advice) = &job.advice {
        output.line(format_args!("  {advice}"))?;
    }
    if let Some(due_at) = job.due_at {
        output.line(format_args!("  next try {}", shop.moment(due_at)))?;
    }
    let allowed: Vec<String> = job.allowed.iter().map(|verb| typed(*verb)).collect();
    if allowed.is_empty() {
        Ok(())
    } else {
        output.line(format_args!("  you may: {}", allowed.join(", ")))
    }
}
