//! A job as business systems see it.

use tillroll_domain::ids::Part;
use tillroll_wire::job::CloudJobView;

use crate::job::Job;

impl Job {
    /// The answer to a question for this job, and the body of its webhooks. `register` is the name of
    /// the register it went to; a job without a printer shows an empty one.
    #[must_use]
    pub fn view(&self, register: Option<&str>, replayed: bool) -> CloudJobView {
        CloudJobView {
            id: self.id.to_string(),
            state: self.state,
            reason: self.reason.clone(),
            register: register.map(str::to_owned),
            printer: self.printer.as_ref().map_or_else(String::new, Part::to_string),
            pushes: self.pushes,
            created_at: self.created_at,
            deadline_at: self.deadline_at,
            changed_at: self.changed_at,
            late: self.late,
            replayed,
        }
    }
}
