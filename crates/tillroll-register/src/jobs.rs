//! Where is this receipt? One answer for one job, and lists of them.

use tillroll_domain::print_job::JobState;

use crate::Register;
use crate::problem::Problem;
use crate::view::{JobView, StoryView};

/// Rows of a list at most.
pub(crate) const LIST_MOST: u32 = 500;

impl Register {
    /// Everything known about a job.
    ///
    /// # Errors
    /// [`crate::problem::Code::NotFound`] without such a job.
    pub async fn job(&self, job_id: &str) -> Result<StoryView, Problem> {
        let story = self.store().story(job_id.to_owned()).await?;
        Ok(StoryView::of(story))
    }

    /// The newest jobs, or the newest in one state; at most 500.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn jobs(&self, state: Option<JobState>, most: u32) -> Result<Vec<JobView>, Problem> {
        let jobs = self.store().jobs(state, most.min(LIST_MOST)).await?;
        Ok(jobs.into_iter().map(JobView::from).collect())
    }
}
