//! Counts every sync this process asks the system for, whoever asks: SQLite, the standard library,
//! anyone. The C library's `fdatasync` and `fsync` are replaced by these, which count and go on.

#![expect(
    unsafe_code,
    reason = "functions of the C library can be replaced only by exporting their symbols"
)]

use std::ffi::c_int;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anyhow::{Result, ensure};

static SYNCS: AtomicU64 = AtomicU64::new(0);

/// Syncs so far.
#[must_use]
pub fn count() -> u64 {
    SYNCS.load(Relaxed)
}

/// Sees that syncs are counted at all.
///
/// # Errors
/// When the linker kept the C library's own functions.
pub fn check(file: &std::fs::File) -> Result<()> {
    let before = count();
    file.sync_data()?;
    file.sync_all()?;
    ensure!(count() == before + 2, "syncs are not counted on this system");
    Ok(())
}

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(fd: c_int) -> c_int {
    counted(fd, |file| rustix::fs::fdatasync(file))
}

#[unsafe(no_mangle)]
extern "C" fn fsync(fd: c_int) -> c_int {
    counted(fd, |file| rustix::fs::fsync(file))
}

fn counted(fd: c_int, sync: impl FnOnce(BorrowedFd<'_>) -> rustix::io::Result<()>) -> c_int {
    SYNCS.fetch_add(1, Relaxed);
    // SAFETY: as for the function replaced, the caller owns an open descriptor during the call.
    let file = unsafe { BorrowedFd::borrow_raw(fd) };
    match sync(file) {
        Ok(()) => 0,
        Err(error) => {
            // SAFETY: the C library gives each thread a valid place for its error.
            unsafe { *__errno_location() = error.raw_os_error() };
            -1
        }
    }
}

/// Syncs and commits of a number of jobs.
pub struct Count {
    syncs: u64,
    commits: u64,
}

impl Count {
    /// What happened since the counters stood there.
    #[must_use]
    pub fn since(syncs: u64, commits: u64, commits_now: u64) -> Self {
        Self { syncs: count() - syncs, commits: commits_now - commits }
    }

    /// Prints both for each job.
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    pub fn print(&self, what: &str, jobs: u64) {
        let each = |n: u64| n as f64 / jobs as f64;
        let (syncs, commits) = (each(self.syncs), each(self.commits));
        println!("syncs a job, {what}: {syncs:.3} ({commits:.3} commits)");
    }
}
