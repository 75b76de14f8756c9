//! Two-way repair: counts and digests per hour of the register's stored record time, then ids.
//!
//! Only hours before the one of the oldest record still waiting are compared: what is under way is
//! backlog, not a difference.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tillroll_domain::fingerprint::Fingerprint;
use utoipa::ToSchema;

/// Most hours of one question: 72 and the margin of a long week-end.
pub const HOURS: usize = 24 * 7;
/// Most ids of one answer.
pub const IDS: usize = 10_000;
/// More repairs than this at once raise an alarm.
pub const ALARM_OVER: usize = 50;

/// Start of an hour, as hours since 1970 in UTC.
#[must_use]
pub fn hour_of(recorded_at: Timestamp) -> i64 {
    recorded_at.as_millisecond().div_euclid(3_600_000)
}

/// Count and digest of one hour's records, whatever their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HourDigest {
    /// The hour, see [`hour_of`].
    pub hour: i64,
    /// How many records.
    pub count: u64,
    /// Exclusive or of the records' digests.
    #[schema(value_type = String, pattern = "^[0-9a-f]{1,32}$")]
    pub digest: RecordDigest,
}

/// 128 bits that stand for a set of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RecordDigest(pub u128);

impl RecordDigest {
    /// The digest of one record: the beginning of SHA-256 over id, a zero byte and fingerprint.
    #[must_use]
    pub fn of(request_id: &str, fingerprint: &Fingerprint) -> Self {
        let mut hash = Sha256::new();
        hash.update(request_id.as_bytes());
        hash.update([0]);
        hash.update(fingerprint.as_bytes());
        let hash: [u8; 32] = hash.finalize().into();
        let mut first = [0; 16];
        first.copy_from_slice(&hash[..16]);
        Self(u128::from_be_bytes(first))
    }

    /// Takes one more record into the set, or one out of it.
    pub fn toggle(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl From<RecordDigest> for String {
    fn from(digest: RecordDigest) -> Self {
        format!("{:032x}", digest.0)
    }
}

impl TryFrom<String> for RecordDigest {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        u128::from_str_radix(&text, 16).map(Self)
    }
}

/// `POST /v1/sync/digests`: the register's hours; the answer has the dispatcher's for the same range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Digests {
    /// The first hour compared.
    pub from: i64,
    /// The hour after the last one compared.
    pub to: i64,
    /// Hours that have records.
    pub hours: Vec<HourDigest>,
}

/// `GET /v1/sync/hours/{hour}`: what the dispatcher has of this register in an hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HourIds {
    /// The hour.
    pub hour: i64,
    /// Its records.
    pub records: Vec<KnownRecord>,
}

/// A record the dispatcher has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KnownRecord {
    /// Its id.
    pub request_id: String,
    /// Its fingerprint.
    #[schema(value_type = String)]
    pub fingerprint: Fingerprint,
    /// Epoch of the installation that made it.
    pub epoch: u32,
}
