//! Records for the head office: what is sent, and the id that makes sending again free.
//!
//! A request id is made in the transaction that makes the fact, from the fact alone: never from time,
//! language, process or program version.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// A receipt was recorded.
    Receipt,
    /// A print job settled: printed, skipped, or printed after all.
    Print,
    /// A session was closed.
    Close,
    /// A correction after the close.
    Correction,
    /// A sale or refund is to be shared between parties.
    Split,
}

impl RecordKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::Receipt, Self::Print, Self::Close, Self::Correction, Self::Split];

    /// The word in rows and request ids.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::Print => "print",
            Self::Close => "close",
            Self::Correction => "correction",
            Self::Split => "split",
        }
    }
}

/// Idempotency key of one record: the subject, the epoch of the installation and the row version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String")]
pub struct RequestId {
    /// What the record is about.
    pub kind: RecordKind,
    /// Job id, or register and day.
    pub subject: String,
    /// Epoch of the installation.
    pub epoch: u32,
    /// Version of the subject's row at the fact.
    pub row_version: i64,
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/e{}/r{}", self.subject, self.kind.as_str(), self.epoch, self.row_version)
    }
}

impl From<RequestId> for String {
    fn from(id: RequestId) -> Self {
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_id_is_made_of_the_fact_alone() {
        let id = RequestId {
            kind: RecordKind::Receipt,
            subject: "S1:0001:receipt:v1".into(),
            epoch: 2,
            row_version: 1,
        };
        assert_eq!(id.to_string(), "S1:0001:receipt:v1/receipt/e2/r1");
    }
}
