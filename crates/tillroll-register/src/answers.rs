//! Answers of people, for one job or for many at once; each job is answered for itself.

use futures_util::{StreamExt as _, stream};
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_store::{Answer, Answering};

use crate::problem::Problem;
use crate::view::{AnswerBody, JobView, ManyAnswered, OneAnswered};
use crate::{Access, Register};

/// Jobs in one request at most.
const MANY_MOST: usize = 500;
/// Of many jobs so many are answered at the same time.
const AT_ONCE: usize = 32;
/// The longest reason, in bytes.
const NOTE_MAX: usize = 500;

impl Register {
    /// Does what a person asks of one job.
    ///
    /// # Errors
    /// [`crate::problem::Code::NotAllowed`] with the reason when its state forbids it.
    pub async fn answer(
        &self,
        access: &Access,
        job_id: &str,
        verb: Verb,
        body: &AnswerBody,
    ) -> Result<JobView, Problem> {
        check(verb, body)?;
        let answer = Answer {
            job_id: job_id.to_owned(),
            verb,
            note: body.reason.clone(),
            printer: body.printer.clone(),
        };
        let by = Answering { client: Some(access.0.id), now: self.clock().now() };
        let answered = self.store().answer(answer, by).await?;
        if answered.job.state == JobState::Pending {
            // A person wants it now: a stopped printer does not wait out its back-off.
            self.spooler().try_now(answered.job.printer);
        }
        let id: &JobId = &answered.job.job_id;
        tracing::info!(job.id = %id, %verb, client = access.name(), "job {id} was answered: {verb}");
        Ok(self.view_job(answered.job))
    }

    /// Does the same to many jobs. One that refuses does not keep the others.
    ///
    /// # Errors
    /// When the request itself is wrong.
    pub async fn answer_many(
        &self,
        access: &Access,
        ids: &[String],
        verb: Verb,
        body: &AnswerBody,
    ) -> Result<ManyAnswered, Problem> {
        check(verb, body)?;
        if ids.is_empty() || ids.len() > MANY_MOST {
            return Err(Problem::value("ids", format!("must be 1 to {MANY_MOST} job ids")));
        }
        let one =
            async |id: &String| OneAnswered::of(id, self.answer(access, id, verb, body).await);
        // Side by side, so that they share commits.
        let answered = stream::iter(ids).map(one).buffered(AT_ONCE).collect().await;
        Ok(ManyAnswered { answered })
    }
}

fn check(verb: Verb, body: &AnswerBody) -> Result<(), Problem> {
    let reason = body.reason.as_deref().map(str::trim).unwrap_or_default();
    if verb == Verb::Skip && reason.is_empty() {
        return Err(Problem::value("reason", "is required for a skip: why is it not printed?"));
    }
    if reason.len() > NOTE_MAX {
        return Err(Problem::value("reason", format!("must be at most {NOTE_MAX} bytes")));
    }
    if verb == Verb::Reroute && body.printer.is_none() {
        return Err(Problem::value("printer", "is required for a reroute: where to?"));
    }
    Ok(())
}
