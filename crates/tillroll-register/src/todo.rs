//! The one list of what waits for a person.

use jiff::{SignedDuration, Timestamp};

use crate::Register;
use crate::jobs::LIST_MOST;
use crate::problem::Problem;
use crate::view::{NoticeView, RejectedView, TodoView};

/// Counting of open jobs stops here.
const COUNTED_TO: u32 = 1_000;

impl Register {
    /// Jobs that ask or wait too long, refused receipts and records, and what the register itself has to
    /// tell.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn todo(&self) -> Result<TodoView, Problem> {
        let jobs = self.store().todo(self.overdue_before(), LIST_MOST).await?;
        let rejected = self.store().rejections().await?;
        let records = self.cloud_records(None).await?;
        let notices = self.store().notices().await?;
        Ok(TodoView {
            jobs: jobs.into_iter().map(|job| self.view_job(job)).collect(),
            rejected: rejected.into_iter().map(RejectedView::from).collect(),
            refused_records: records.parked,
            cloud_only: records.cloud_only,
            notices: notices.into_iter().map(NoticeView::from).collect(),
        })
    }

    /// Who waits since before then has waited too long.
    pub(crate) fn overdue_before(&self) -> Timestamp {
        let limit = SignedDuration::from_secs(self.preferences().attention_after_s.into());
        self.clock().now().checked_sub(limit).unwrap_or(Timestamp::MIN)
    }

    /// A person has read a notice.
    ///
    /// # Errors
    /// [`crate::problem::Code::NotFound`] when it is not open.
    pub async fn answer_notice(&self, id: i64) -> Result<(), Problem> {
        Ok(self.store().answer_notice(id, self.clock().now()).await?)
    }

    /// Open jobs by state, counted to 1000 each.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn open_jobs(&self) -> Result<Vec<(&'static str, i64)>, Problem> {
        let counts = self.store().open_counts(COUNTED_TO).await?;
        Ok(counts.into_iter().map(|(state, count)| (state.as_str(), count)).collect())
    }
}
