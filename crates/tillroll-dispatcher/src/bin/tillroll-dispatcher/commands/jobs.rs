//! `jobs`: a look at a store's print jobs.

use clap::Args;
use tillroll_dispatcher::admin::Command;
use tillroll_dispatcher::http::JobList;
use tillroll_wire::job::{CloudJobView, CloudState};

use crate::desk::Desk;
use crate::failure::Failure;
use crate::output;

/// Lists a store's newest print jobs.
#[derive(Debug, Args)]
pub struct Jobs {
    /// The store's uid.
    #[arg(long)]
    store: String,
    /// Only those in this state, such as parked.
    #[arg(long, value_parser = state)]
    state: Option<CloudState>,
    /// At most so many, up to 500.
    #[arg(long, default_value_t = 50)]
    limit: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Jobs {
    /// Lists them.
    ///
    /// # Errors
    /// [`Failure::Refused`] when there is no such store.
    pub async fn run(self, desk: &Desk) -> Result<(), Failure> {
        let Self { store, state, limit, json } = self;
        let list: JobList = desk.ask(Command::Jobs { store, state, limit }).await?;
        if json {
            return output::json(&list);
        }
        let headings = ["job", "state", "reason", "printer", "register", "pushes", "changed"];
        output::table(headings, list.jobs.into_iter().map(row).collect(), "no jobs")
    }
}

fn row(job: CloudJobView) -> [String; 7] {
    [
        job.id,
        job.state.to_string(),
        job.reason.unwrap_or_default(),
        job.printer,
        job.register.unwrap_or_default(),
        job.pushes.to_string(),
        job.changed_at.to_string(),
    ]
}

fn state(text: &str) -> Result<CloudState, String> {
    CloudState::of(text).ok_or_else(|| {
        let known = CloudState::ALL.map(CloudState::as_str).join(", ");
        format!("must be one of {known}")
    })
}
