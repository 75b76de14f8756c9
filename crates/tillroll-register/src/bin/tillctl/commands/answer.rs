//! What a person says to jobs: `retry`, `on-paper`, `not-on-paper`, `print`, `skip`, `reroute`, `copy`.

use clap::{Args, Subcommand};
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_register::view::{ManyAnswered, ManyBody, OneAnswered};

use super::job::{describe, tone_of};
use crate::cli::Desk;
use crate::failure::Failure;
use crate::output::Tone;

/// What is said.
#[derive(Debug, Subcommand)]
pub enum Answer {
    /// Tries jobs again: failed ones from the start, waiting ones at once.
    Retry(Answered),
    /// Says that jobs are on paper: somebody saw them.
    OnPaper(Answered),
    /// Says that jobs are not on paper: they print again, marked REPRINT.
    NotOnPaper(Answered),
    /// Prints held jobs.
    Print(Answered),
    /// Decides that jobs are not printed; the reason is recorded. One that is at its printer is skipped only
    /// if nothing of it gets on paper.
    Skip {
        #[command(flatten)]
        jobs: Answered,
        /// Why they are not printed.
        #[arg(long)]
        reason: String,
    },
    /// Sends jobs to another printer.
    Reroute {
        #[command(flatten)]
        jobs: Answered,
        /// The printer that is to print them.
        #[arg(long, value_name = "PRINTER")]
        to: String,
    },
    /// Prints marked copies of printed jobs.
    Copy(Answered),
}

/// The jobs it is said to.
#[derive(Debug, Args)]
pub struct Answered {
    /// The jobs' ids, up to 500.
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

impl Answer {
    /// Answers each job for itself.
    ///
    /// # Errors
    /// [`Failure::SomeRefused`] when the state of one did not allow it.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        let (verb, Answered { ids, json }, reason, printer) = self.parts();
        let body = ManyBody { ids, reason, printer };
        let answer = desk.api.post(&["jobs", verb.as_str()], &body).await?;
        let answered: ManyAnswered = answer.read()?;
        if json {
            desk.output.line(answer.text())?;
        }
        let asked = answered.answered.len();
        let mut refused = 0;
        for one in &answered.answered {
            refused += usize::from(one.job.is_none());
            if !json {
                show(one, desk)?;
            }
        }
        if refused == 0 { Ok(()) } else { Err(Failure::SomeRefused { refused, asked }) }
    }

    fn parts(self) -> (Verb, Answered, Option<String>, Option<String>) {
        match self {
            Self::Retry(jobs) => (Verb::Retry, jobs, None, None),
            Self::OnPaper(jobs) => (Verb::OnPaper, jobs, None, None),
            Self::NotOnPaper(jobs) => (Verb::NotOnPaper, jobs, None, None),
            Self::Print(jobs) => (Verb::Print, jobs, None, None),
            Self::Skip { jobs, reason } => (Verb::Skip, jobs, Some(reason), None),
            Self::Reroute { jobs, to } => (Verb::Reroute, jobs, None, Some(to)),
            Self::Copy(jobs) => (Verb::Copy, jobs, None, None),
        }
    }
}

fn show(one: &OneAnswered, desk: &Desk<'_>) -> Result<(), Failure> {
    let Some(job) = &one.job else {
        let detail = one.detail.as_deref().unwrap_or("refused");
        let code = one.code.as_deref().unwrap_or_default();
        let detail = desk.output.paint(Tone::Bad, format_args!("{detail} ({code})"));
        return desk.output.note(format_args!("{}  {detail}", one.id));
    };
    let state = desk.output.paint(tone_of(job.state), describe(job));
    desk.output.line(format_args!("{}  {state}", job.id))?;
    // Whatever else is asked of it is done; a skip in the middle of printing waits for its end.
    match &job.advice {
        Some(advice) if job.state == JobState::Printing => {
            desk.output.line(format_args!("  {advice}"))
        }
        Some(_) | None => Ok(()),
    }
}
