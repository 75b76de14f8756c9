//! The schedule's task and the handle to it.

mod arrival;
mod batch;
mod commit;
mod connect;
mod feed;
mod handle;
mod load;
mod many;
mod place;
mod run;
mod said;
mod timers;

pub(crate) use self::arrival::{Arrival, Greeting};
pub use self::handle::{CancelError, Scheduler};
