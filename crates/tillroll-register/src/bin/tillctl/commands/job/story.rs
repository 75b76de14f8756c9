//! A job's whole story for a person.

use tillroll_register::view::{AttemptView, StoryView};

use super::{describe, tone_of, typed};
use crate::failure::Failure;
use crate::output::{Output, Tone};
use crate::shop::Shop;
use crate::table::{Cell, Table};

/// Writes what is known of a job, from its state down to every attempt.
///
/// # Errors
/// When it cannot be written.
pub fn write_story(story: &StoryView, shop: &Shop, output: &Output) -> Result<(), Failure> {
    let job = &story.job;
    output.line(output.paint(Tone::Strong, &job.id))?;
    for (label, text) in facts(story, shop) {
        let text = if label == "state" { output.paint(tone_of(job.state), text) } else { text };
        output.line(format_args!("  {label:<12}  {text}"))?;
    }
    section(output, "attempts", attempts(story, shop), "none yet")?;
    section(output, "answers", answers(story, shop), "")?;
    section(output, "records for the head office", records(story), "")
}

fn facts(story: &StoryView, shop: &Shop) -> Vec<(&'static str, String)> {
    let job = &story.job;
    let mut facts = vec![("state", describe(job))];
    facts.extend(job.advice.clone().map(|advice| ("advice", advice)));
    let allowed: Vec<String> = job.allowed.iter().map(|verb| typed(*verb)).collect();
    if !allowed.is_empty() {
        facts.push(("you may", allowed.join(", ")));
    }
    facts.push(("printer", job.printer.clone()));
    facts.push(("flow number", job.flow_no.to_string()));
    if job.amount_minor != 0 {
        facts.push(("amount", shop.money(job.amount_minor)));
    }
    facts.push(("day", story.day.clone()));
    facts.extend(story.issued_at.map(|at| ("issued", shop.moment(at))));
    facts.push(("accepted", shop.moment(job.accepted_at)));
    facts.extend(job.due_at.map(|at| ("next try", shop.moment(at))));
    facts.extend(job.copy_of.clone().map(|original| ("copy of", original)));
    if !story.copies.is_empty() {
        facts.push(("see also", story.copies.join(", ")));
    }
    if job.drawer != "none" {
        facts.push(("drawer", job.drawer.clone()));
    }
    facts
}

fn attempts(story: &StoryView, shop: &Shop) -> Table {
    let mut table = Table::new(["", "begun", "ended", "outcome", "cause", "printer", "bytes"]);
    for attempt in &story.attempt_list {
        let AttemptView { number, printer, started_at, ended_at, outcome, cause, byte_count } =
            attempt;
        table.row([
            Cell::number(format_args!("  {number}")),
            Cell::text(shop.moment(*started_at)),
            Cell::text(ended_at.map(|at| shop.time(at)).unwrap_or_default()),
            Cell::text(outcome.as_deref().unwrap_or("under way")),
            Cell::text(cause.map(|cause| cause.to_string()).unwrap_or_default()),
            Cell::text(printer),
            Cell::number(byte_count),
        ]);
    }
    table
}

fn answers(story: &StoryView, shop: &Shop) -> Table {
    let mut table = Table::new(["", "at", "answer", "it was", "by", "note"]);
    for answer in &story.answers {
        table.row([
            Cell::text(" "),
            Cell::text(shop.moment(answer.answered_at)),
            Cell::text(typed(answer.verb)),
            Cell::text(answer.was),
            Cell::text(answer.client.as_deref().unwrap_or_default()),
            Cell::text(answer.note.as_deref().unwrap_or_default()),
        ]);
    }
    table
}

fn records(story: &StoryView) -> Table {
    let mut table = Table::new(["", "request id", "state", "verdict"]);
    for record in &story.records {
        table.row([
            Cell::text(" "),
            Cell::text(&record.request_id),
            Cell::text(&record.state),
            Cell::text(record.verdict.as_deref().unwrap_or_default()),
        ]);
    }
    table
}

/// A table under its title; an empty one is left out, or replaced by what is said instead.
fn section(output: &Output, title: &str, table: Table, instead: &str) -> Result<(), Failure> {
    match (table.is_empty(), instead) {
        (true, "") => Ok(()),
        (true, instead) => output.line(format_args!("  {title}: {instead}")),
        (false, _) => {
            output.line(format_args!("  {title}"))?;
            table.write(output, instead)
        }
    }
}
