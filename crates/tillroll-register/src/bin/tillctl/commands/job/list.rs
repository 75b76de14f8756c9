//! Jobs in a table.

use tillroll_domain::print_job::{Confirmation, JobState};
use tillroll_register::view::JobView;

use super::tone_of;
use crate::shop::Shop;
use crate::table::{Cell, Table};

/// Jobs with what is known of each.
pub fn job_table(jobs: &[JobView], shop: &Shop) -> Table {
    let mut table = Table::new(["job", "state", "why", "printer", "flow", "amount", "accepted"]);
    for job in jobs {
        table.row([
            Cell::text(&job.id),
            Cell::text(job.state).tone(tone_of(job.state)),
            Cell::text(job.reason.map(|reason| reason.to_string()).unwrap_or_default()),
            Cell::text(&job.printer),
            Cell::number(job.flow_no),
            Cell::number(shop.amount(job.amount_minor)),
            Cell::text(shop.moment(job.accepted_at)),
        ]);
    }
    table
}

/// The state with what proves or explains it: `printed (token)`, `pending: paper_end`.
pub fn describe(job: &JobView) -> String {
    match (job.confirmation, job.reason) {
        (Some(confirmation), _) => format!("{}, {}", job.state, proof(confirmation)),
        (None, Some(reason)) => format!("{}: {reason}", job.state),
        (None, None) if job.state == JobState::Pending && job.attempts > 0 => {
            format!("{}, tried {} times", job.state, job.attempts)
        }
        (None, None) => job.state.to_string(),
    }
}

fn proof(confirmation: Confirmation) -> &'static str {
    match confirmation {
        Confirmation::Token => "proved by the device (token)",
        Confirmation::Counter => "proved by the device (counter)",
        Confirmation::InOrder => "proved by the device (in_order)",
        Confirmation::Clerk => "seen on paper by a person",
        Confirmation::Assumed => "assumed: this printer proves nothing",
    }
}
