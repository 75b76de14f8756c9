//! Jobs, their stories, and the answers to them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::ids::JobKind;
use tillroll_domain::print_job::{Confirmation, Event, JobReason, JobState, Verb, transition};
use tillroll_domain::printer::{PrinterState, StopReason};
use tillroll_spooler::PrinterStatus;
use tillroll_store::{Attempt, JobRow, Recorded, Story, StoryAnswer, StoryRecord};
use utoipa::ToSchema;

use crate::problem::Problem;

/// The answer to a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Accepted {
    /// The job's id: the same on the screen, in the log, in the cloud and on paper.
    pub id: String,
    /// Where it stands.
    #[schema(value_type = String)]
    pub state: JobState,
    /// Its flow number at this register.
    pub flow_no: i64,
    /// It was recorded before with the same body; nothing is new.
    pub replayed: bool,
}

impl From<Recorded> for Accepted {
    fn from(recorded: Recorded) -> Self {
        Self {
            id: recorded.job.job_id.to_string(),
            state: recorded.job.state,
            flow_no: recorded.job.flow_no,
            replayed: recorded.replayed,
        }
    }
}

/// A print job.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct JobView {
    /// Its id.
    pub id: String,
    /// The order number within its scope.
    pub order: String,
    /// What it is for.
    #[schema(value_type = String)]
    pub kind: JobKind,
    /// The original's id, for a copy.
    pub copy_of: Option<String>,
    /// Where it stands.
    #[schema(value_type = String)]
    pub state: JobState,
    /// Why, as a stable code.
    #[schema(value_type = Option<String>)]
    pub reason: Option<JobReason>,
    /// Why its printer does not print it now, while it waits or is at the device.
    #[schema(value_type = Option<String>)]
    pub cause: Option<StopReason>,
    /// What happened, what is safe, what to do.
    pub advice: Option<String>,
    /// What proves it.
    #[schema(value_type = Option<String>)]
    pub confirmation: Option<Confirmation>,
    /// Its printer.
    pub printer: String,
    /// Its flow number.
    pub flow_no: i64,
    /// What it adds to the takings, in minor units.
    pub amount_minor: i64,
    /// Attempts so far.
    pub attempts: u32,
    /// Its next paper carries the REPRINT mark.
    pub reprint: bool,
    /// What became of its drawer pulse: `none`, `due`, `opened` or `dropped`.
    pub drawer: String,
    /// When it is tried next.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub due_at: Option<Timestamp>,
    /// When it was accepted.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub accepted_at: Timestamp,
    /// When it changed last.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub changed_at: Timestamp,
    /// What a person may do with it.
    #[schema(value_type = Vec<String>)]
    pub allowed: Vec<Verb>,
}

impl From<JobRow> for JobView {
    fn from(job: JobRow) -> Self {
        let facts = job.facts();
        let may = |verb: &Verb| transition(facts, Event::Asked(*verb)).is_ok();
        Self {
            id: job.job_id.to_string(),
            order: job.job_id.order.to_string(),
            kind: job.job_id.kind,
            copy_of: job.job_id.copy.map(|_| job.job_id.original().to_string()),
            state: job.state,
            reason: job.reason,
            cause: None,
            advice: advice(&job),
            confirmation: job.confirmation,
            printer: job.printer_name,
            flow_no: job.flow_no,
            amount_minor: job.takings_minor,
            attempts: job.attempts,
            reprint: job.reprint,
            drawer: job.drawer.as_str().to_owned(),
            due_at: job.due_at,
            accepted_at: job.accepted_at,
            changed_at: job.changed_at,
            allowed: Verb::ALL.into_iter().filter(may).collect(),
        }
    }
}

impl JobView {
    /// With what its printer shows now: a job that waits, or is in the middle, tells why.
    #[must_use]
    pub(crate) fn at_printer(mut self, status: Option<PrinterStatus>) -> Self {
        let Some(status) = status else { return self };
        self.cause = match self.state {
            JobState::Pending => stopped(status.state),
            JobState::Printing => status.mid_job_cause,
            JobState::Held
            | JobState::Printed
            | JobState::Sent
            | JobState::Unconfirmed
            | JobState::Failed
            | JobState::Skipped => None,
        };
        if let Some(cause) = self.cause {
            self.advice = Some(cause.advice().to_owned());
            self.due_at = status.next_try_at.or(self.due_at);
        }
        self
    }
}

fn stopped(state: PrinterState) -> Option<StopReason> {
    if let PrinterState::Stopped(reason) = state { Some(reason) } else { None }
}

/// What happened, and what is asked.
fn advice(job: &JobRow) -> Option<String> {
    let skipping = job.skip_asked && job.state == JobState::Printing;
    let parts = [
        job.reason.map(JobReason::advice),
        job.state.question(),
        skipping
            .then_some("It is at the printer: it is skipped only if nothing of it gets on paper."),
    ];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// A list of jobs.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct JobsView {
    /// Newest first.
    pub jobs: Vec<JobView>,
}

/// A job with its whole story.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StoryView {
    /// The job.
    #[serde(flatten)]
    pub job: JobView,
    /// Business day of its receipt.
    pub day: String,
    /// The POS's own time.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub issued_at: Option<Timestamp>,
    /// When the register recorded it.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub recorded_at: Timestamp,
    /// Every attempt, first to last.
    #[serde(rename = "story")]
    pub attempt_list: Vec<AttemptView>,
    /// Every answer of a person, first to last.
    pub answers: Vec<AnswerView>,
    /// The original and its other copies.
    pub copies: Vec<String>,
    /// Its records for the head office.
    pub records: Vec<RecordView>,
}

impl StoryView {
    pub(crate) fn of(story: Story, status: Option<PrinterStatus>) -> Self {
        Self {
            day: story.day.to_string(),
            issued_at: story.issued_at,
            recorded_at: story.recorded_at,
            attempt_list: story.attempts.into_iter().map(AttemptView::from).collect(),
            answers: story.answers.into_iter().map(AnswerView::from).collect(),
            copies: story.copies,
            records: story.records.into_iter().map(RecordView::from).collect(),
            job: JobView::from(story.job).at_printer(status),
        }
    }
}

/// An attempt.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AttemptView {
    /// First, second, ...
    pub number: u32,
    /// Where it went.
    pub printer: String,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub started_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub ended_at: Option<Timestamp>,
    /// `printed`, `sent`, `left_nothing` or `unconfirmed`; absent while it is open.
    pub outcome: Option<String>,
    /// Why it ended so, as a stable code.
    #[schema(value_type = Option<String>)]
    pub cause: Option<JobReason>,
    /// Bytes of the job.
    pub byte_count: i64,
}

impl From<Attempt> for AttemptView {
    fn from(attempt: Attempt) -> Self {
        Self {
            number: attempt.number,
            printer: attempt.printer,
            started_at: attempt.started_at,
            ended_at: attempt.ended_at,
            outcome: attempt.outcome.map(|outcome| outcome.as_str().to_owned()),
            cause: attempt.cause,
            byte_count: attempt.planned.byte_count,
        }
    }
}

/// An answer of a person.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnswerView {
    /// What was asked for.
    #[schema(value_type = String)]
    pub verb: Verb,
    /// The state then.
    #[schema(value_type = String)]
    pub was: JobState,
    /// Who asked.
    pub client: Option<String>,
    /// Why, or where to.
    pub note: Option<String>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub answered_at: Timestamp,
}

impl From<StoryAnswer> for AnswerView {
    fn from(answer: StoryAnswer) -> Self {
        Self {
            verb: answer.verb,
            was: answer.was,
            client: answer.client,
            note: answer.note,
            answered_at: answer.answered_at,
        }
    }
}

/// A record for the head office.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordView {
    /// Its request id.
    pub request_id: String,
    /// `waiting`, `acknowledged` or `parked`.
    pub state: String,
    /// The head office's verdict.
    pub verdict: Option<String>,
}

impl From<StoryRecord> for RecordView {
    fn from(record: StoryRecord) -> Self {
        Self { request_id: record.request_id, state: record.state, verdict: record.verdict }
    }
}

/// What goes with an answer.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default, deny_unknown_fields)]
pub struct AnswerBody {
    /// Why; required for a skip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where to; required for a reroute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printer: Option<String>,
}

/// The same answer for many jobs.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ManyBody {
    /// The jobs.
    pub ids: Vec<String>,
    /// Why; required for a skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where to; required for a reroute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printer: Option<String>,
}

/// What became of each.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ManyAnswered {
    /// In the order of the request.
    pub answered: Vec<OneAnswered>,
}

/// What became of one of many.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OneAnswered {
    /// The id asked for.
    pub id: String,
    /// The job as it stands, when it was done.
    pub job: Option<JobView>,
    /// The code of the problem, when it was not.
    pub code: Option<String>,
    /// The reason, when it was not.
    pub detail: Option<String>,
}

impl OneAnswered {
    pub(crate) fn of(id: &str, answered: Result<JobView, Problem>) -> Self {
        match answered {
            Ok(job) => Self { id: id.to_owned(), job: Some(job), code: None, detail: None },
            Err(problem) => Self {
                id: id.to_owned(),
                job: None,
                code: Some(problem.code.as_str().to_owned()),
                detail: Some(problem.detail),
            },
        }
    }
}
