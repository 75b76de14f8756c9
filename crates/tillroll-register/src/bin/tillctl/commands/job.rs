//! `job` and `jobs`: where is this receipt?

mod list;
mod story;

use clap::Args;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_register::view::{JobsView, StoryView};

pub use self::list::{describe, job_table};
use self::story::write_story;
use crate::cli::Desk;
use crate::failure::Failure;
use crate::output::Tone;

/// Tells everything about a job: its state, what to do, and every attempt with its cause.
#[derive(Debug, Args)]
pub struct Job {
    /// The job's id, such as S1:20261009-000123:receipt:v1.
    id: String,
    /// Print the API's JSON.
    #[arg(long, conflicts_with = "paper")]
    json: bool,
    /// Show the paper as it would print now.
    #[arg(long)]
    paper: bool,
}

/// Lists the newest jobs.
#[derive(Debug, Args)]
pub struct Jobs {
    /// Only those in this state: pending, held, printing, printed, sent, unconfirmed, failed or skipped.
    #[arg(long)]
    state: Option<JobState>,
    /// At most so many, up to 500.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

impl Job {
    /// Shows the job.
    ///
    /// # Errors
    /// [`Failure::Refused`] without such a job.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        if self.paper {
            let paper = desk.api.get(&["jobs", &self.id, "paper"]).await?;
            return desk.output.line(paper.text().trim_end_matches('\n'));
        }
        let answer = desk.api.get(&["jobs", &self.id]).await?;
        if self.json {
            return desk.output.line(answer.text());
        }
        write_story(&answer.read::<StoryView>()?, &desk.shop, desk.output)
    }
}

impl Jobs {
    /// Lists the jobs, newest first.
    ///
    /// # Errors
    /// When the register does not answer.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        let limit = self.limit.to_string();
        let mut query = vec![("limit", limit.as_str())];
        query.extend(self.state.map(|state| ("state", state.as_str())));
        let answer = desk.api.query(&["jobs"], &query).await?;
        if self.json {
            return desk.output.line(answer.text());
        }
        let JobsView { jobs } = answer.read()?;
        job_table(&jobs, &desk.shop).write(desk.output, "no jobs")
    }
}

/// How a state is shown.
pub fn tone_of(state: JobState) -> Tone {
    match state {
        JobState::Printed => Tone::Good,
        JobState::Pending | JobState::Printing => Tone::Plain,
        JobState::Held | JobState::Sent => Tone::Warn,
        JobState::Unconfirmed | JobState::Failed => Tone::Bad,
        JobState::Skipped => Tone::Faint,
    }
}

/// A verb as it is typed on this command line.
pub fn typed(verb: Verb) -> String {
    verb.as_str().replace('_', "-")
}
