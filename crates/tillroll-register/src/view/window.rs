//! What the window alone shows or asks: its own state, the set-up, hours, preferences, paper, hints.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::print_job::JobState;
use tillroll_store::Hint as StoreHint;

use crate::problem::{Code, FaultView, Problem};

/// How far the program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The data folder holds no register yet.
    Setup,
    /// There is a register, but it cannot be run here; `problem` says why.
    Locked,
    /// The register runs.
    Running,
}

/// The register this window stands for. Before set-up the texts about it are empty.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AppState {
    /// How far the program is.
    pub phase: Phase,
    /// The store's name.
    pub store: String,
    /// The register's name.
    pub register: String,
    /// The store's time zone.
    pub zone: String,
    /// Its currency, three letters.
    pub currency: String,
    /// The language of the paper.
    pub locale: String,
    /// The business day that runs.
    pub today: String,
    /// The program's version.
    pub version: String,
    /// This is a training store in a temporary folder.
    pub training: bool,
    /// The data folder.
    pub folder: String,
    /// Where the logs lie.
    pub log_folder: String,
    /// Where the local API listens, for POS programs.
    pub listening: Option<String>,
    /// A manager PIN was set.
    pub has_pin: bool,
    /// Until when the manager's rights hold here.
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub manager_until: Option<Timestamp>,
    /// Why the register cannot be run here.
    pub problem: Option<ProblemView>,
}

/// The answers of the first start.
#[derive(Clone, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SetUpBody {
    /// The store's name, first part of every job id, of `A-Z a-z 0-9 . _ ~ -`.
    pub store: String,
    /// This register's name, of the same letters.
    pub register: String,
    /// Time zone of the store, a name of the zone database.
    pub zone: String,
    /// When the business day begins, `04:00`.
    pub cutoff: String,
    /// The store's currency, three letters.
    pub currency: String,
    /// Language of the paper: `zh-CN`, `en`, `fr`, `de`.
    pub locale: String,
    /// The manager's PIN, 4 to 12 digits.
    pub manager_pin: String,
}

impl std::fmt::Debug for SetUpBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { store, register, .. } = self;
        f.debug_struct("SetUpBody")
            .field("store", store)
            .field("register", register)
            .finish_non_exhaustive()
    }
}

/// A manager's rights were unlocked.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Unlocked {
    /// Until when they hold.
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub until: Timestamp,
}

/// A job's paper as it would print now, drawn from the very bytes its printer would get.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PaperPicture {
    /// As a picture.
    pub svg: String,
    /// As monospace text.
    pub text: String,
}

/// One hour of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HourView {
    /// The hour on the store's clock, 0 to 23.
    pub hour: u8,
    /// Receipts and refunds recorded in it.
    pub receipts: i64,
    /// Of them not settled on paper by now.
    pub still_open: i64,
}

/// What the owner may change while the register runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// A waiting job is on the to-do list after so many seconds.
    pub attention_after_s: u32,
    /// Jobs that waited for their printer longer than so many seconds are held when it returns.
    pub stale_after_s: u32,
    /// A sound tells of something new on the to-do list.
    pub sounds: bool,
}

/// Something may have changed; never what it changed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "changed", rename_all = "snake_case")]
pub enum Hint {
    /// A job.
    Job {
        /// Its id.
        id: String,
    },
    /// A printer's state or settings.
    Printer {
        /// Its name.
        name: String,
    },
    /// The figures or sessions of a day.
    Day,
    /// A list of what was refused: receipts here, records at the head office.
    Rejected,
    /// How the register stands with the head office.
    Cloud,
    /// Anything: hints were missed, or too many to name.
    Everything,
}

impl From<StoreHint> for Hint {
    fn from(hint: StoreHint) -> Self {
        match hint {
            StoreHint::Job { id } => Self::Job { id },
            StoreHint::Printer { name } => Self::Printer { name },
            StoreHint::Day => Self::Day,
            StoreHint::Rejected => Self::Rejected,
            StoreHint::Cloud => Self::Cloud,
        }
    }
}

/// What a command answers in place of a result.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProblemView {
    /// The stable code.
    pub code: Code,
    /// What happened, in English, for support.
    pub detail: String,
    /// Everything wrong with the arguments.
    pub faults: Vec<FaultView>,
    /// The state that forbids it.
    pub state: Option<JobState>,
    /// When it may be tried again, where time cures it.
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub retry_at: Option<Timestamp>,
    /// Finds it in the log.
    pub reference: String,
}

impl ProblemView {
    /// The problem as the window shows it. `reference` is its number in the log.
    #[must_use]
    pub fn of(problem: &Problem, reference: String) -> Self {
        Self {
            code: problem.code,
            detail: problem.detail.clone(),
            faults: problem.faults.clone(),
            state: problem.state,
            retry_at: problem.retry_at,
            reference,
        }
    }
}
