//! What the register answers instead of a result: a stable code, never a text to match.
//!
//! The shape is that of RFC 9457. A code exists because some client branches on it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::print_job::JobState;
use tillroll_domain::receipt::Fault;
use tillroll_http::{AddressError, BodyError, JsonError};
use tillroll_spooler::SpoolerError;
use tillroll_store::StoreError;
use utoipa::ToSchema;

/// Stable codes of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The body is no JSON, or not of the shape.
    InvalidBody,
    /// The receipt's fields or sums are wrong; `faults` names each.
    InvalidReceipt,
    /// A value in the address or body cannot be used.
    InvalidValue,
    /// The same id was recorded with another body.
    Conflict,
    /// There is no such thing.
    NotFound,
    /// The name is taken.
    Taken,
    /// The state does not allow it; the detail says why.
    NotAllowed,
    /// The content was dropped after its time.
    BodyGone,
    /// No printer is set up for this kind.
    NoPrinter,
    /// The printer cannot be used so; the detail says why.
    PrinterUnusable,
    /// No or an unknown token.
    Unauthorized,
    /// The token has no right to this.
    Forbidden,
    /// That is not the manager's PIN.
    WrongPin,
    /// Too many wrong PINs; `retry_at` says when it may be tried again.
    PinLocked,
    /// No manager PIN was set yet.
    PinUnset,
    /// The body is too large.
    TooLarge,
    /// The head office was not reached, or did not answer in time.
    CloudUnreachable,
    /// The head office refused; the detail says why.
    CloudRefused,
    /// The request took too long.
    TimedOut,
    /// No installed font has the letters that are needed.
    FontsMissing,
    /// The media type is not known here.
    Unsupported,
    /// The address does not know this method.
    MethodNotAllowed,
    /// The request was addressed to another computer's name.
    Misdirected,
    /// The commit failed: it may be stored or not. Ask again with the same id.
    OutcomeUnknown,
    /// The disk is full; nothing was stored.
    DiskFull,
    /// The database takes no writes now; nothing was stored.
    Unavailable,
    /// The register is stopping.
    Stopping,
    /// A fault of the register itself; it is in the log.
    Internal,
}

impl Code {
    /// Every code.
    pub const ALL: [Self; 28] = [
        Self::InvalidBody,
        Self::InvalidReceipt,
        Self::InvalidValue,
        Self::Conflict,
        Self::NotFound,
        Self::Taken,
        Self::NotAllowed,
        Self::BodyGone,
        Self::NoPrinter,
        Self::PrinterUnusable,
        Self::Unauthorized,
        Self::Forbidden,
        Self::WrongPin,
        Self::PinLocked,
        Self::PinUnset,
        Self::TooLarge,
        Self::CloudUnreachable,
        Self::CloudRefused,
        Self::TimedOut,
        Self::FontsMissing,
        Self::Unsupported,
        Self::MethodNotAllowed,
        Self::Misdirected,
        Self::OutcomeUnknown,
        Self::DiskFull,
        Self::Unavailable,
        Self::Stopping,
        Self::Internal,
    ];

    /// HTTP status and a short title.
    #[must_use]
    pub fn status(self) -> (u16, &'static str) {
        match self {
            Self::InvalidBody => (400, "The body cannot be read"),
            Self::InvalidReceipt => (422, "The receipt is not right"),
            Self::InvalidValue => (422, "A value cannot be used"),
            Self::Conflict => (409, "The same id with another content"),
            Self::NotFound => (404, "There is no such thing"),
            Self::Taken => (409, "The name is taken"),
            Self::NotAllowed => (409, "The state does not allow it"),
            Self::BodyGone => (410, "The content is no longer kept"),
            Self::NoPrinter => (409, "No printer is set up for this"),
            Self::PrinterUnusable => (422, "The printer cannot be used so"),
            Self::Unauthorized => (401, "A valid token is needed"),
            Self::Forbidden => (403, "This token has no right to it"),
            Self::WrongPin => (403, "The PIN is wrong"),
            Self::PinLocked => (429, "Too many wrong PINs"),
            Self::PinUnset => (409, "No manager PIN is set"),
            Self::TooLarge => (413, "The body is too large"),
            // 424 Failed Dependency (RFC 4918, 11.4): it is no fault of the register.
            Self::CloudUnreachable => (424, "The head office was not reached"),
            Self::CloudRefused => (409, "The head office refused"),
            Self::TimedOut => (408, "The request took too long"),
            Self::FontsMissing => (503, "Fonts are missing on this computer"),
            Self::Unsupported => (415, "The media type is not known here"),
            Self::MethodNotAllowed => (405, "The method is not known here"),
            Self::Misdirected => (421, "The request is not for this register"),
            Self::OutcomeUnknown => (503, "Ask again with the same id"),
            Self::DiskFull => (507, "The disk is full"),
            Self::Unavailable => (503, "Nothing can be stored now"),
            Self::Stopping => (503, "The register is stopping"),
            Self::Internal => (500, "A fault of the register"),
        }
    }

    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidBody => "invalid_body",
            Self::InvalidReceipt => "invalid_receipt",
            Self::InvalidValue => "invalid_value",
            Self::Conflict => "conflict",
            Self::NotFound => "not_found",
            Self::Taken => "taken",
            Self::NotAllowed => "not_allowed",
            Self::BodyGone => "body_gone",
            Self::NoPrinter => "no_printer",
            Self::PrinterUnusable => "printer_unusable",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::WrongPin => "wrong_pin",
            Self::PinLocked => "pin_locked",
            Self::PinUnset => "pin_unset",
            Self::TooLarge => "too_large",
            Self::CloudUnreachable => "cloud_unreachable",
            Self::CloudRefused => "cloud_refused",
            Self::TimedOut => "timed_out",
            Self::FontsMissing => "fonts_missing",
            Self::Unsupported => "unsupported",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::Misdirected => "misdirected",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::DiskFull => "disk_full",
            Self::Unavailable => "unavailable",
            Self::Stopping => "stopping",
            Self::Internal => "internal",
        }
    }
}

/// One thing wrong with a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct FaultView {
    /// Path of the field.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
    /// What the parts add up to, for a sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computed_minor: Option<i64>,
    /// What the field says, for a sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_minor: Option<i64>,
}

impl From<&Fault> for FaultView {
    fn from(fault: &Fault) -> Self {
        let (computed_minor, stated_minor) = if let Fault::Sum { computed, stated, .. } = fault {
            (Some(*computed), Some(*stated))
        } else {
            (None, None)
        };
        let field = fault.field().to_owned();
        Self { field, message: fault.to_string(), computed_minor, stated_minor }
    }
}

/// A problem: what went wrong, for a program and for a person.
#[derive(Debug, thiserror::Error)]
#[error("{}: {detail}", code.as_str())]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// What happened, what is safe, what to do.
    pub detail: String,
    /// Everything wrong with the body.
    pub faults: Vec<FaultView>,
    /// Fingerprints of the recorded and the offered body, for a conflict.
    pub fingerprints: Option<(String, String)>,
    /// The state that forbids it.
    pub state: Option<JobState>,
    /// When it may be tried again, where time cures it.
    pub retry_at: Option<Timestamp>,
    /// The cause, for the log.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Problem {
    /// A problem of that code.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self {
            code,
            detail,
            faults: Vec::new(),
            fingerprints: None,
            state: None,
            retry_at: None,
            source: None,
        }
    }

    /// A value of a field that cannot be used.
    #[must_use]
    pub fn value(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let detail = match message.strip_prefix(field) {
            // The message names its field itself.
            Some(rest) if rest.starts_with([' ', ':']) => message.clone(),
            Some(_) | None => format!("{field} {message}"),
        };
        let fault = FaultView {
            field: field.to_owned(),
            message,
            computed_minor: None,
            stated_minor: None,
        };
        Self { faults: vec![fault], ..Self::new(Code::InvalidValue, detail) }
    }

    /// Everything wrong with a receipt.
    #[must_use]
    pub fn receipt(faults: &[Fault]) -> Self {
        let faults: Vec<FaultView> = faults.iter().map(FaultView::from).collect();
        let detail =
            faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join("; ");
        Self { faults, ..Self::new(Code::InvalidReceipt, detail) }
    }

    pub(crate) fn caused(
        code: Code,
        error: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        let detail = error.to_string();
        Self { source: Some(Box::new(error)), ..Self::new(code, detail) }
    }
}

impl From<StoreError> for Problem {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else the store meets is a fault of the register"
    )]
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Conflict { recorded, offered, .. } => {
                let fingerprints = Some((recorded.to_string(), offered.to_string()));
                Self { fingerprints, ..Self::new(Code::Conflict, error.to_string()) }
            }
            StoreError::Refused(refusal) => {
                let state = Some(refusal.state);
                Self { state, ..Self::new(Code::NotAllowed, error.to_string()) }
            }
            StoreError::NotFound { .. } => Self::new(Code::NotFound, error.to_string()),
            StoreError::Taken { .. } => Self::new(Code::Taken, error.to_string()),
            StoreError::Forbidden(_) => Self::new(Code::NotAllowed, error.to_string()),
            StoreError::Field { field, must } => Self::value(field, *must),
            StoreError::Stale => Self::new(Code::NotAllowed, "it changed meanwhile: look again"),
            StoreError::BodyGone => Self::new(Code::BodyGone, error.to_string()),
            StoreError::DiskFull => Self::caused(Code::DiskFull, error),
            StoreError::OutcomeUnknown => Self::caused(Code::OutcomeUnknown, error),
            StoreError::Unavailable => Self::caused(Code::Unavailable, error),
            _ => {
                let detail = "the register met a fault; its log says more";
                Self { source: Some(Box::new(error)), ..Self::new(Code::Internal, detail) }
            }
        }
    }
}

impl From<AddressError> for Problem {
    fn from(error: AddressError) -> Self {
        Self::new(Code::InvalidValue, error.to_string())
    }
}

impl From<JsonError> for Problem {
    fn from(error: JsonError) -> Self {
        Self::new(Code::InvalidBody, error.to_string())
    }
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        let code = match error {
            BodyError::NotJson(_) => Code::Unsupported,
            BodyError::TooLarge(_) => Code::TooLarge,
            BodyError::Late => Code::TimedOut,
            BodyError::BrokenOff(_) => Code::InvalidBody,
            BodyError::Ending => return Self::new(Code::Stopping, "the register is stopping"),
        };
        Self::caused(code, error)
    }
}

impl From<SpoolerError> for Problem {
    fn from(error: SpoolerError) -> Self {
        Self::caused(Code::PrinterUnusable, error)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn detail_names_its_field_once() {
        assert_eq!(Problem::value("level", "must be silent").detail, "level must be silent");
        assert_eq!(
            Problem::value("kind", "kind must be one of two").detail,
            "kind must be one of two"
        );
        assert_eq!(Problem::value("name", "names no printer").detail, "name names no printer");
    }

    #[test]
    fn every_code_has_its_own_word_as_serde_writes_it() {
        let words: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(words.len(), Code::ALL.len());
        for code in Code::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            assert!((400..600).contains(&code.status().0));
        }
    }
}
