//! A print job as the dispatcher keeps it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_wire::job::{AfterDeadline, CloudState};

/// Number of a store in this dispatcher; every key of the tables begins with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StoreNo(pub i64);

/// Number of a register within its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RegisterNo {
    /// Its store.
    pub store: StoreNo,
    /// Its number there.
    pub no: i64,
}

/// Key of a job's row. Numbers grow, so the order of keys is the order of acceptance within a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobKey {
    /// Its store.
    pub store: StoreNo,
    /// Its number there.
    pub seq: i64,
}

/// A job's row without its body: what scheduling needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its row.
    pub key: JobKey,
    /// Its id.
    pub id: JobId,
    /// What it prints.
    pub kind: JobKind,
    /// The printer it was sent to, or that its kind's route named when it was taken; none while no
    /// register has announced one.
    pub printer: Option<Part>,
    /// Fingerprint of its canonical body.
    pub fingerprint: Fingerprint,
    /// Where it stands.
    pub state: CloudState,
    /// Why, where the state has a why.
    pub reason: Option<String>,
    /// The register it was last pushed to.
    pub register: Option<RegisterNo>,
    /// The installation and epoch it was last pushed to (`{installation}/{epoch}`): that one may have
    /// it, any other gets it only held.
    pub installation: Option<String>,
    /// Pushes so far.
    pub pushes: u32,
    /// When it was taken.
    pub created_at: Timestamp,
    /// When it is too late.
    pub deadline_at: Timestamp,
    /// When it is pushed next. None while it is parked, accepted or final.
    pub next_push_at: Option<Timestamp>,
    /// What happens when the deadline passed while the register was away.
    pub after_deadline: AfterDeadline,
    /// It was parked and came back: recovery is paced.
    pub recovering: bool,
    /// It goes to the register held, for its clerk, when that comes back.
    pub hold_at_return: bool,
    /// A result that came after the deadline settled it.
    pub late: bool,
    /// Version of the register's row in the last result.
    pub result_version: i64,
    /// Version of this row.
    pub row_version: i64,
    /// When its state last changed.
    pub changed_at: Timestamp,
}

/// A job to store.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Its store.
    pub store: StoreNo,
    /// Its id.
    pub id: JobId,
    /// Canonical body of the receipt.
    pub body: String,
    /// Fingerprint of the body.
    pub fingerprint: Fingerprint,
    /// The printer it is for, if one is known.
    pub printer: Option<Part>,
    /// When it is too late.
    pub deadline_at: Timestamp,
    /// What happens when the deadline passed while the register was away.
    pub after_deadline: AfterDeadline,
    /// The business system that sent it: its webhooks tell.
    pub api_key: i64,
    /// Now.
    pub now: Timestamp,
}

/// What storing a job came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inserted {
    /// It is new; state `scheduled`, due at once.
    New(Job),
    /// The same id with the same body was stored before.
    Replayed(Job),
    /// The same id with another body was stored before.
    Conflict {
        /// The fingerprint that is stored.
        stored: Fingerprint,
    },
}
