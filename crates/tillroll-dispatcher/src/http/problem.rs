//! Why a request was refused, on its way to becoming a problem document.

use std::error::Error;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::receipt::Fault;
use tillroll_http::{AddressError, BodyError, CodingError, JsonError};
use tillroll_wire::job::CloudState;
use tillroll_wire::{Code, Problem};
use utoipa::ToSchema;

use super::pay_token::PayTokenView;
use crate::counters::Shortage;
use crate::limits::TooMany;
use crate::schedule::CancelError;
use crate::secret::NoRandomBits;
use crate::store::StoreError;

/// One thing wrong with a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldFault {
    /// The field's path.
    pub field: String,
    /// What is wrong with it.
    pub detail: String,
}

/// A refusal. What `source` says goes to the log alone.
#[derive(Debug, Default, thiserror::Error)]
#[error("the request was refused")]
pub(crate) struct Refusal {
    pub problem: Option<Box<Problem>>,
    pub faults: Vec<FieldFault>,
    pub fingerprints: Option<Box<Fingerprints>>,
    pub state: Option<CloudState>,
    pub shortages: Vec<Shortage>,
    pub pay_token: Option<Box<PayTokenView>>,
    pub source: Option<Box<dyn Error + Send + Sync>>,
}

/// Both fingerprints of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprints {
    pub stored: Fingerprint,
    pub offered: Fingerprint,
}

impl Refusal {
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Problem::new(code, detail).into()
    }

    /// A value that cannot be, with the name of its field.
    pub fn value(field: &str, detail: impl std::fmt::Display) -> Self {
        let detail = detail.to_string();
        let faults = vec![FieldFault { field: field.to_owned(), detail: detail.clone() }];
        Self { faults, ..Self::new(Code::InvalidValue, format!("{field}: {detail}")) }
    }

    /// Everything wrong with a receipt.
    pub fn receipt(faults: &[Fault]) -> Self {
        let details: Vec<_> = faults.iter().map(ToString::to_string).collect();
        let fault = |fault: &Fault| FieldFault {
            field: fault.field().to_owned(),
            detail: fault.to_string(),
        };
        let faults = faults.iter().map(fault).collect();
        Self { faults, ..Self::new(Code::InvalidReceipt, details.join("; ")) }
    }

    /// The same id came with another body.
    pub fn conflict(id: &impl std::fmt::Display, both: Fingerprints) -> Self {
        let Fingerprints { stored, offered } = both;
        let detail =
            format!("{id} was sent with another body: {stored} is stored, this is {offered}");
        Self { fingerprints: Some(Box::new(both)), ..Self::new(Code::Conflict, detail) }
    }

    /// What is not there, or not the asker's.
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("there is no such {what}"))
    }

    pub fn retry_after(mut self, after: Duration) -> Self {
        if let Some(problem) = &mut self.problem {
            problem.retry_after_ms = Some(u64::try_from(after.as_millis()).unwrap_or(u64::MAX));
        }
        self
    }

    /// The pay token it is about, as it stands.
    pub fn about(self, pay_token: PayTokenView) -> Self {
        Self { pay_token: Some(Box::new(pay_token)), ..self }
    }

    pub fn caused_by(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    /// The problem; a refusal without one is a fault of the program.
    pub fn problem(&self) -> Problem {
        let internal =
            || Problem::new(Code::Internal, "the dispatcher met a fault; its log says more");
        self.problem.as_deref().cloned().unwrap_or_else(internal)
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self { problem: Some(Box::new(problem)), ..Self::default() }
    }
}

impl From<AddressError> for Refusal {
    fn from(error: AddressError) -> Self {
        Self::new(Code::InvalidValue, error.to_string())
    }
}

impl From<JsonError> for Refusal {
    fn from(error: JsonError) -> Self {
        let refusal = Self::new(Code::InvalidBody, error.to_string());
        let JsonError::Field { path, source } = error else { return refusal };
        Self { faults: vec![FieldFault { field: path, detail: source.to_string() }], ..refusal }
    }
}

impl From<BodyError> for Refusal {
    fn from(error: BodyError) -> Self {
        let detail = error.to_string();
        let problem = match error {
            BodyError::NotJson(_) => Problem::new(Code::Unsupported, detail),
            BodyError::TooLarge(_) => Problem::new(Code::TooLarge, detail),
            BodyError::Late => Problem { status: 408, ..Problem::new(Code::InvalidBody, detail) },
            BodyError::BrokenOff(_) => Problem::new(Code::InvalidBody, detail),
            BodyError::Ending => return stopping(),
        };
        Self::from(problem).caused_by(error)
    }
}

impl From<CodingError> for Refusal {
    fn from(error: CodingError) -> Self {
        let code = match error {
            CodingError::Unknown(_) => Code::Unsupported,
            CodingError::TooLarge(_) => Code::TooLarge,
            CodingError::Broken(_) => Code::InvalidBody,
        };
        Self::new(code, error.to_string()).caused_by(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(why) => Self::new(Code::InvalidValue, why),
            StoreError::Unavailable(_) => Self::new(
                Code::Unavailable,
                "nothing can be stored now; ask again with the same id",
            )
            .retry_after(Duration::from_secs(2))
            .caused_by(error),
            StoreError::OutcomeUnknown(_) => {
                Self::new(Code::OutcomeUnknown, "it was stored or not: ask with the same id")
                    .retry_after(Duration::from_secs(1))
                    .caused_by(error)
            }
            StoreError::Unreadable(_) => Self::default().caused_by(error),
        }
    }
}

impl From<CancelError> for Refusal {
    fn from(error: CancelError) -> Self {
        match error {
            CancelError::NotFound => Self::not_found("job"),
            CancelError::NotAllowed(state) => {
                let detail = format!("a job that is {state} cannot be taken back");
                Self { state: Some(state), ..Self::new(Code::NotAllowed, detail) }
            }
            CancelError::Stopping => stopping(),
            CancelError::Store(error) => error.into(),
        }
    }
}

impl From<TooMany> for Refusal {
    fn from(too_many: TooMany) -> Self {
        Self::new(Code::RateLimited, "too many calls").retry_after(too_many.retry_after)
    }
}

impl From<NoRandomBits> for Refusal {
    fn from(error: NoRandomBits) -> Self {
        Self::default().caused_by(error)
    }
}

/// The program is ending.
pub(super) fn stopping() -> Refusal {
    Refusal::new(Code::Stopping, "the dispatcher is stopping").retry_after(Duration::from_secs(1))
}
