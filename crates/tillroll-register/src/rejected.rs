//! Refused receipts, and what a person says to them.

use crate::Register;
use crate::problem::Problem;
use crate::view::RejectedView;

impl Register {
    /// The refused receipts nobody has dealt with, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn rejected(&self) -> Result<Vec<RejectedView>, Problem> {
        let rejected = self.store().rejections().await?;
        Ok(rejected.into_iter().map(RejectedView::from).collect())
    }

    /// A person dealt with a refused receipt; the answer is recorded.
    ///
    /// # Errors
    /// [`crate::problem::Code::NotFound`] when it is not on the list.
    pub async fn answer_rejected(&self, id: i64, answer: &str) -> Result<(), Problem> {
        let answer = answer.trim();
        if answer.is_empty() || answer.len() > 500 {
            return Err(Problem::value("answer", "must say in 1 to 500 bytes what was done"));
        }
        Ok(self.store().answer_rejection(id, answer.to_owned(), self.clock().now()).await?)
    }
}
