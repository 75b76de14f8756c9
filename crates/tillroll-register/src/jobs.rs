//! Where is this receipt? One answer for one job, and lists of them.

use tillroll_domain::ids::Part;
use tillroll_domain::print_job::JobState;
use tillroll_store::{JobRow, Sought};

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
        let status = self.spooler().status(story.job.printer);
        Ok(StoryView::of(story, status))
    }

    /// A job with what its printer shows now.
    pub(crate) fn view_job(&self, job: JobRow) -> JobView {
        let status = self.spooler().status(job.printer);
        JobView::from(job).at_printer(status)
    }

    /// The newest jobs, or the newest in one state; at most 500.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn jobs(&self, state: Option<JobState>, most: u32) -> Result<Vec<JobView>, Problem> {
        let jobs = self.store().jobs(state, most.min(LIST_MOST)).await?;
        Ok(jobs.into_iter().map(|job| self.view_job(job)).collect())
    }

    /// The newest jobs with that order number, a part of it, or an amount that begins so; at most 500.
    /// Amounts are found among the newest 20,000 jobs, order numbers by their beginning at any age.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn search(&self, text: &str, most: u32) -> Result<Vec<JobView>, Problem> {
        let Some(sought) = self.sought(text.trim()) else { return Ok(Vec::new()) };
        let jobs = self.store().search(sought, most.min(LIST_MOST)).await?;
        Ok(jobs.into_iter().map(|job| self.view_job(job)).collect())
    }

    /// What a text looks for; `None` for one that no order number and no amount can hold.
    fn sought(&self, text: &str) -> Option<Sought> {
        let amount_digits = digits_of_amount(text);
        let order = Part::new(text, "order number").map(|part| part.to_string()).ok();
        if order.is_none() && amount_digits.is_none() {
            return None;
        }
        let settings = self.settings();
        let id_beginnings = order.iter().flat_map(|order| {
            // As a POS with unique numbers sends it, and as one that restarts its numbers does.
            let store = &settings.store;
            [format!("{store}:{order}"), format!("{store}:{}~{order}", settings.register)]
        });
        Some(Sought {
            id_beginnings: id_beginnings.collect(),
            // A colon stands in no order number.
            order: order.clone().unwrap_or_else(|| ":".to_owned()),
            amount_digits,
        })
    }
}

/// The digits of an amount as people write it: `54`, `54.00`, `1,234.50`, `¥54`.
fn digits_of_amount(text: &str) -> Option<String> {
    let plain = text.trim_start_matches(|c: char| !c.is_ascii() || c == '$' || c == '-').trim();
    let is_amount = plain.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    let digits: String = plain.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    (is_amount && !digits.is_empty()).then(|| digits.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amount_is_read_as_people_write_it() {
        for (text, digits) in
            [("54", "54"), ("54.00", "5400"), ("1,234.5", "12345"), ("¥0.60", "60")]
        {
            assert_eq!(digits_of_amount(text).as_deref(), Some(digits), "{text}");
        }
        for text in ["", "A-54", "0", "5 4"] {
            assert_eq!(digits_of_amount(text), None, "{text}");
        }
    }
}
