//! The machine a program runs on: its clocks, the lock that keeps a data folder to one program, and the signals
//! that ask it to end.

mod clock;
mod folder_lock;
mod stop_signals;

pub use self::clock::SystemClock;
pub use self::folder_lock::{FolderLock, LockError};
pub use self::stop_signals::StopSignals;
