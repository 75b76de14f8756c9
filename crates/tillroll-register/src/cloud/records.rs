//! The manager's list: records the head office refused, and records it has that went here with an older
//! copy of the database.

use tillroll_store::RecordId;

use crate::problem::{Code, Problem};
use crate::view::{
    CloudOnlyView, CloudRecordsView, RecordState, RecordVerb, RecordsAnswered, RecordsBody,
    RefusedRecordView,
};
use crate::{Access, Register};

/// Records of a list, and of one answer, at most.
const MANY_MOST: usize = 500;
/// The longest reason, in bytes.
const REASON_MAX: usize = 500;

impl Register {
    /// The records nobody has dealt with, oldest first; at most 500 of each kind.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cloud_records(
        &self,
        state: Option<RecordState>,
    ) -> Result<CloudRecordsView, Problem> {
        let wants = |wanted| state.is_none_or(|state| state == wanted);
        let mut records = CloudRecordsView::default();
        if wants(RecordState::Parked) {
            let parked = self.store().parked_records(MANY_MOST).await?;
            records.parked = parked.into_iter().map(RefusedRecordView::from).collect();
        }
        if wants(RecordState::CloudOnly) {
            let listed = self.store().cloud_only(MANY_MOST).await?;
            records.cloud_only = listed.into_iter().map(CloudOnlyView::from).collect();
        }
        Ok(records)
    }

    /// Does what a manager asks of records. Records of one receipt go together: the answer to one is the
    /// answer to all of them.
    ///
    /// # Errors
    /// [`Code::Forbidden`], [`Code::NotFound`] when none of them is on the list, or the field at fault.
    pub async fn answer_records(
        &self,
        access: &Access,
        verb: RecordVerb,
        body: &RecordsBody,
    ) -> Result<RecordsAnswered, Problem> {
        access.manages()?;
        let reason = reason_for(verb, body.reason.as_deref())?;
        if body.ids.is_empty() || body.ids.len() > MANY_MOST {
            return Err(Problem::value(
                "ids",
                format!("must be 1 to {MANY_MOST} numbers of the list"),
            ));
        }
        let mut answered = 0;
        let mut missed = None;
        for id in &body.ids {
            match self.answer_record(verb, *id, &reason).await {
                Ok(records) => answered += records,
                // Another record of its receipt was answered just before.
                Err(problem) if problem.code == Code::NotFound => missed = Some(problem),
                Err(problem) => return Err(problem),
            }
        }
        tracing::info!(
            client = access.name(),
            verb = verb.as_str(),
            answered,
            "records were answered"
        );
        match missed {
            Some(problem) if answered == 0 => Err(problem),
            Some(_) | None => Ok(RecordsAnswered { answered }),
        }
    }

    async fn answer_record(
        &self,
        verb: RecordVerb,
        id: i64,
        reason: &str,
    ) -> Result<usize, Problem> {
        let (store, now) = (self.store(), self.clock().now());
        let record = RecordId(id);
        Ok(match verb {
            RecordVerb::SendAgain => store.send_again(record).await?,
            RecordVerb::GiveUp => store.give_up(record, reason.to_owned(), now).await?,
            RecordVerb::Compared => {
                store.answer_cloud_only(id, reason.to_owned(), now).await?;
                1
            }
        })
    }
}

/// What a manager says; needed for all that ends the matter.
fn reason_for(verb: RecordVerb, reason: Option<&str>) -> Result<String, Problem> {
    let reason = reason.map(str::trim).unwrap_or_default();
    if reason.is_empty() && verb != RecordVerb::SendAgain {
        return Err(Problem::value("reason", "is required: what came of it?"));
    }
    if reason.len() > REASON_MAX {
        return Err(Problem::value("reason", format!("must be at most {REASON_MAX} bytes")));
    }
    Ok(reason.to_owned())
}
