//! Business identity of a print job: `{store}:{order}:{kind}:v{version}`, and `...:c{n}` for a copy.
//!
//! The id is a business key, never random, and lives through every retry, restart, reprint and hop.
//! A *part* is 1 to 80 of `A-Z a-z 0-9 . _ ~ -`, so an id needs no escaping in a URL, a log or on paper.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The longest part of an id, in bytes.
pub const PART_MAX: usize = 80;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdError {
    /// A part is empty, too long, or has a character outside `[A-Za-z0-9._~-]`.
    #[error("{}must be 1 to {PART_MAX} characters of A-Z a-z 0-9 . _ ~ -", named(what))]
    Part {
        /// Which part, as the field is called; empty where whoever shows it names the field.
        what: &'static str,
    },
    /// The kind is none of `receipt refund prebill kitchen report`.
    #[error("kind must be one of receipt, refund, prebill, kitchen, report")]
    Kind,
    /// The version is not `v1`, `v2`, ...
    #[error("version must be v followed by a number from 1 to 999999")]
    Version,
    /// The copy suffix is not `c1`, `c2`, ...
    #[error("copy must be c followed by a number from 1 to 999999")]
    Copy,
    /// Not of the form `store:order:kind:vN[:cN]`.
    #[error("a job id is store:order:kind:vN or store:order:kind:vN:cN")]
    Shape,
}

/// One checked part of an id: a store, a register, an order number, a printer name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Part(String);

fn named(what: &str) -> String {
    if what.is_empty() { String::new() } else { format!("{what} ") }
}

impl Part {
    /// Checks a text; `what` names the field in the error.
    ///
    /// # Errors
    /// [`IdError::Part`] when the text is empty, too long or has another character.
    pub fn new(text: &str, what: &'static str) -> Result<Self, IdError> {
        let fits = (1..=PART_MAX).contains(&text.len());
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._~-".contains(&b));
        if fits && plain { Ok(Self(text.to_owned())) } else { Err(IdError::Part { what }) }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Part {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::new(text, "")
    }
}

impl TryFrom<String> for Part {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<Part> for String {
    fn from(part: Part) -> Self {
        part.0
    }
}

/// What a print job is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Proof of a sale.
    Receipt,
    /// Proof of money given back; amounts are positive, the kind turns the sign.
    Refund,
    /// A bill that is not paid yet.
    Prebill,
    /// An order for the kitchen.
    Kitchen,
    /// A report of the register itself, such as the Z report.
    Report,
}

impl JobKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::Receipt, Self::Refund, Self::Prebill, Self::Kitchen, Self::Report];

    /// The word in ids, rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::Refund => "refund",
            Self::Prebill => "prebill",
            Self::Kitchen => "kitchen",
            Self::Report => "report",
        }
    }

    /// Order among due jobs, lower first: refund and receipt, kitchen, prebill and report.
    #[must_use]
    pub fn priority(self) -> i64 {
        match self {
            Self::Receipt | Self::Refund => 0,
            Self::Kitchen => 1,
            Self::Prebill | Self::Report => 2,
        }
    }

    /// Whether jobs of this kind are part of the day's takings.
    #[must_use]
    pub fn moves_money(self) -> bool {
        matches!(self, Self::Receipt | Self::Refund)
    }
}

impl fmt::Display for JobKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for JobKind {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(IdError::Kind)
    }
}

/// The id of a print job. Its text form is the one on the screen, in the log, in the cloud and on paper.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JobId {
    /// The store.
    pub store: Part,
    /// The order, already in its scope (see [`OrderScope`]).
    pub order: Part,
    /// What the job is for.
    pub kind: JobKind,
    /// The version given by the POS or the cloud, from 1.
    pub version: u32,
    /// The number of the copy, from 1; `None` for the original.
    pub copy: Option<u32>,
}

/// Versions and copies end here: six digits on paper.
pub const NUMBER_MAX: u32 = 999_999;

impl JobId {
    /// The id of the `n`-th copy of this job (a copy of a copy is a copy of the original).
    #[must_use]
    pub fn copy(&self, n: u32) -> Self {
        Self { copy: Some(n), ..self.clone() }
    }

    /// The id of what this is a copy of; itself for an original.
    #[must_use]
    pub fn original(&self) -> Self {
        Self { copy: None, ..self.clone() }
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:v{}", self.store, self.order, self.kind, self.version)?;
        match self.copy {
            Some(n) => write!(f, ":c{n}"),
            None => Ok(()),
        }
    }
}

impl FromStr for JobId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut parts = text.split(':');
        let mut next = || parts.next().ok_or(IdError::Shape);
        let store = Part::new(next()?, "store")?;
        let order = Part::new(next()?, "order")?;
        let kind = next()?.parse()?;
        let version = numbered(next()?, 'v').ok_or(IdError::Version)?;
        let copy = match parts.next() {
            None => None,
            Some(text) => Some(numbered(text, 'c').ok_or(IdError::Copy)?),
        };
        if parts.next().is_some() {
            return Err(IdError::Shape);
        }
        Ok(Self { store, order, kind, version, copy })
    }
}

/// Reads `v12` as 12; leading zeros are refused, so that one id has one text.
fn numbered(text: &str, letter: char) -> Option<u32> {
    let digits = text.strip_prefix(letter)?;
    let canonical = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    let number: u32 = digits.parse().ok()?;
    (canonical && number <= NUMBER_MAX).then_some(number)
}

impl TryFrom<String> for JobId {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<JobId> for String {
    fn from(id: JobId) -> Self {
        id.to_string()
    }
}

/// How far an order number of a POS client is unique. Many POS restart at 0001.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OrderScope {
    /// Unique in the store: `order_no`.
    #[default]
    Store,
    /// Unique at the register: `R1~order_no`.
    Register,
    /// Unique in a business day of the register: `R1~20261009~order_no`.
    RegisterDay,
}

impl OrderScope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Store, Self::Register, Self::RegisterDay];

    /// The word in settings and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Register => "register",
            Self::RegisterDay => "register_day",
        }
    }

    /// The order part of a job id. `day` is the business day of the POS's own `issued_at`.
    ///
    /// # Errors
    /// [`IdError::Part`] when the result is too long.
    pub fn order(
        self,
        register: &Part,
        day: jiff::civil::Date,
        order_no: &Part,
    ) -> Result<Part, IdError> {
        let text = match self {
            Self::Store => return Ok(order_no.clone()),
            Self::Register => format!("{register}~{order_no}"),
            Self::RegisterDay => format!("{register}~{}~{order_no}", day.strftime("%Y%m%d")),
        };
        Part::new(&text, "order_no")
    }
}

impl FromStr for OrderScope {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or(IdError::Shape)
    }
}

#[cfg(test)]
mod tests;
