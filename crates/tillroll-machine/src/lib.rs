//! The machine a program runs on: its clocks, and the lock that keeps a data folder to one program.

mod clock;
mod folder_lock;

pub use self::clock::SystemClock;
pub use self::folder_lock::{FolderLock, LockError};
