//! The push channel: one WebSocket per register, text frames of JSON. The register speaks first.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_domain::print_job::{Confirmation, HoldReason, JobReason, JobState};
use tillroll_domain::printer::StopReason;
use utoipa::ToSchema;

use crate::Code;

/// From the register up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Up {
    /// The first message of a connection.
    Hello(Hello),
    /// The state of one printer changed, or it is new.
    Printer(PrinterReport),
    /// A printer is gone.
    PrinterRemoved {
        /// Its name.
        name: Part,
    },
    /// Which printer takes which kind, when that changed.
    Routes {
        /// Kind to printer name.
        routes: BTreeMap<JobKind, Part>,
    },
    /// A pushed job is durable here (again, for a repeated push).
    Accepted {
        /// The job.
        id: JobId,
        /// The fingerprint it is stored under.
        fingerprint: Fingerprint,
    },
    /// A pushed job is not taken and never will be as it is.
    Refused {
        /// The job.
        id: JobId,
        /// Why.
        code: Code,
        /// Why, for people.
        detail: String,
    },
    /// What became of a job. Repeated until it is acknowledged; the highest version counts.
    Result(JobResult),
    /// Answer to `status` for a job that is not known here.
    Unknown {
        /// The job.
        id: JobId,
    },
}

/// Who connects, with what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol version the register speaks.
    pub protocol: u32,
    /// Id of the installation: 128 random bits in hex, made at set-up.
    pub installation: String,
    /// Epoch of the installation.
    pub epoch: u32,
    /// Program and version, for people.
    pub program: String,
    /// Both clocks of the register.
    pub clock: ClockReading,
    /// Every printer of the register.
    pub printers: Vec<PrinterReport>,
    /// Which printer takes which kind.
    #[serde(default)]
    pub routes: BTreeMap<JobKind, Part>,
}

/// Both clocks, read together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockReading {
    /// The wall clock.
    #[schema(value_type = String, format = DateTime)]
    pub now: Timestamp,
    /// Time since the machine started, suspend included, in milliseconds.
    pub boot_ms: u64,
}

/// A printer and what keeps it from printing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrinterReport {
    /// Its name, unique in the store.
    pub name: Part,
    /// Whether it can take a job; a busy printer can, since the register queues.
    pub ready: bool,
    /// Why it is stopped, where the device says so; none for a paused one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<StopReason>,
}

/// Where a job stands at the register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobResult {
    /// The job.
    pub id: JobId,
    /// Its state. `pending`, `held` and `printing` answer a `status` only.
    pub state: JobState,
    /// Why, where the state has a why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<JobReason>,
    /// What proves it, for `printed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// Version of the job's row: the higher one is the newer.
    pub row_version: i64,
    /// When it came to that, by the register's clock.
    pub at: Timestamp,
}

/// From the dispatcher down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Down {
    /// Answer to `hello`.
    Welcome {
        /// The protocol version spoken from here on.
        protocol: u32,
        /// The store's uid.
        store_uid: String,
        /// The dispatcher's clock when it read the hello.
        now: Timestamp,
        /// The store shares its orders: each sale and refund recorded from now on brings a `split` record.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shares_orders: bool,
    },
    /// Print this. Repeated with the same id until it is accepted.
    Push(Push),
    /// Where does this job stand?
    Status {
        /// The job.
        id: JobId,
    },
    /// Take the job back if it has not begun.
    Cancel {
        /// The job.
        id: JobId,
    },
    /// A result is stored; it need not be repeated.
    ResultStored {
        /// The job.
        id: JobId,
        /// The version that is stored.
        row_version: i64,
    },
    /// A printer's name belongs to another register of the store.
    PrinterNameTaken {
        /// The name.
        name: Part,
    },
    /// The channel ends, and why.
    Bye {
        /// Why.
        code: Code,
        /// Why, for people.
        detail: String,
        /// When to come back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_ms: Option<u64>,
    },
}

/// A job for this register.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Push {
    /// The job.
    pub id: JobId,
    /// Fingerprint of the canonical body.
    pub fingerprint: Fingerprint,
    /// The receipt, as `POST /v1/receipts` takes it.
    pub body: serde_json::Value,
    /// The printer it is for.
    pub printer: Part,
    /// Time left to its deadline: past it an unstarted job is held, expired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining_ms: Option<u64>,
    /// It may print only after a person's answer, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HoldReason>,
}
