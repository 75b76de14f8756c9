//! Stable error codes, and the problem document that carries one.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why something was refused. Codes never change their meaning; a reader treats an unknown one as
/// [`Code::Unknown`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The body cannot be read.
    InvalidBody,
    /// A value is outside its bounds; the detail names the field.
    InvalidValue,
    /// The receipt's sums or fields do not hold.
    InvalidReceipt,
    /// The same id was used with another body.
    Conflict,
    /// The same id is being worked on.
    InProgress,
    /// No or unknown credential.
    Unauthorized,
    /// It does not exist, or is not the caller's: both look the same.
    NotFound,
    /// The state does not allow it.
    NotAllowed,
    /// The protocol version is not spoken here.
    UnknownProtocol,
    /// The body is larger than allowed.
    TooLarge,
    /// The media type or feature is not supported.
    Unsupported,
    /// Too many calls; ask again after `retry_after_ms`.
    RateLimited,
    /// No register prints this kind or has this printer.
    NoPrinter,
    /// Another register of the store announced a printer of this name.
    PrinterNameTaken,
    /// The pairing code is unknown, used or too old.
    PairingCode,
    /// Another installation has taken this register's place.
    Replaced,
    /// The record's receipt was refused before it, so it waits with it.
    ParkedBehind,
    /// Somebody else consumed the pay token.
    TokenConsumed,
    /// Nobody consumed the pay token in time.
    TokenExpired,
    /// There is less in stock than was asked for; nothing was changed.
    StockShort,
    /// It was stored or not: ask with the same id.
    OutcomeUnknown,
    /// Nothing can be stored now; ask again later.
    Unavailable,
    /// The program is ending.
    Stopping,
    /// A fault of the program.
    Internal,
    /// A code this version does not know.
    #[serde(other)]
    Unknown,
}

impl Code {
    /// Every code.
    pub const ALL: [Self; 25] = [
        Self::InvalidBody,
        Self::InvalidValue,
        Self::InvalidReceipt,
        Self::Conflict,
        Self::InProgress,
        Self::Unauthorized,
        Self::NotFound,
        Self::NotAllowed,
        Self::UnknownProtocol,
        Self::TooLarge,
        Self::Unsupported,
        Self::RateLimited,
        Self::NoPrinter,
        Self::PrinterNameTaken,
        Self::PairingCode,
        Self::Replaced,
        Self::ParkedBehind,
        Self::TokenConsumed,
        Self::TokenExpired,
        Self::StockShort,
        Self::OutcomeUnknown,
        Self::Unavailable,
        Self::Stopping,
        Self::Internal,
        Self::Unknown,
    ];

    /// The word in JSON, rows and logs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidBody => "invalid_body",
            Self::InvalidValue => "invalid_value",
            Self::InvalidReceipt => "invalid_receipt",
            Self::Conflict => "conflict",
            Self::InProgress => "in_progress",
            Self::Unauthorized => "unauthorized",
            Self::NotFound => "not_found",
            Self::NotAllowed => "not_allowed",
            Self::UnknownProtocol => "unknown_protocol",
            Self::TooLarge => "too_large",
            Self::Unsupported => "unsupported",
            Self::RateLimited => "rate_limited",
            Self::NoPrinter => "no_printer",
            Self::PrinterNameTaken => "printer_name_taken",
            Self::PairingCode => "pairing_code",
            Self::Replaced => "replaced",
            Self::ParkedBehind => "parked_behind",
            Self::TokenConsumed => "token_consumed",
            Self::TokenExpired => "token_expired",
            Self::StockShort => "stock_short",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::Unavailable => "unavailable",
            Self::Stopping => "stopping",
            Self::Internal => "internal",
            Self::Unknown => "unknown",
        }
    }

    /// The code of a word; [`Code::Unknown`] for any other.
    #[must_use]
    pub fn of(word: &str) -> Self {
        Self::ALL.into_iter().find(|code| code.as_str() == word).unwrap_or(Self::Unknown)
    }

    /// The HTTP status that goes with it.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Self::InvalidBody | Self::UnknownProtocol => 400,
            Self::Unauthorized => 401,
            Self::PairingCode => 403,
            Self::NotFound => 404,
            Self::Conflict
            | Self::InProgress
            | Self::NotAllowed
            | Self::PrinterNameTaken
            | Self::Replaced
            | Self::ParkedBehind
            | Self::StockShort
            | Self::TokenConsumed => 409,
            Self::TokenExpired => 410,
            Self::TooLarge => 413,
            Self::Unsupported => 415,
            Self::InvalidValue | Self::InvalidReceipt | Self::NoPrinter => 422,
            Self::RateLimited => 429,
            Self::Internal | Self::Unknown => 500,
            Self::OutcomeUnknown | Self::Unavailable | Self::Stopping => 503,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An RFC 9457 problem document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// What happened, naming the field, for whoever reads the log.
    pub detail: String,
    /// The HTTP status.
    pub status: u16,
    /// When to ask again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl Problem {
    /// A problem with its code's status.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), status: code.status(), retry_after_ms: None }
    }
}
