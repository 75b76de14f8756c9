//! When a job goes to its register, and what it is when that was too late.
//!
//! One task owns the schedule. Rows are the truth: what it holds in memory is the near future of
//! connected printers, rebuilt from the rows at any time.
//!
//! Invariants:
//! - A push leaves only after the row that says `pushed` is durable; a result is acknowledged only
//!   after it is stored.
//! - Due does not mean push: a register that is away parks its jobs, a stopped printer lets them wait.
//! - A job leaves the schedule on a final state or on parking only; `accepted` is not paper.
//! - Nothing is early, whatever the wall clock does, and nothing is late by more than the bounded
//!   wait, whatever the machine slept.
//! - Among several nodes a job is decided about by the one that has its register; the others tell that one.
//! - What may be on paper is never pushed to print again: another installation gets it held.

mod board;
mod bucket;
mod pace;
mod printer;
mod scheduler;
mod settings;
mod slot;
mod snapshot;
mod steady;
pub mod transition;
pub mod wheel;

pub(crate) use self::bucket::Bucket;
pub(crate) use self::scheduler::{Arrival, Greeting};
pub use self::scheduler::{CancelError, Scheduler};
pub use self::settings::{InvalidSetting, ScheduleSettings};
pub use self::snapshot::Snapshot;
pub use self::steady::SteadyClock;
