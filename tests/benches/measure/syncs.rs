//! Counts every sync this process asks the system for, whoever asks: SQLite, the standard library,
//! anyone. The C library's `fdatasync` and `fsync` are replaced by these, which count and go on, and can
//! make each sync last as long as a slower disk would.

#![expect(
    unsafe_code,
    reason = "functions of the C library can be replaced only by exporting their symbols"
)]

use std::ffi::c_int;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

static SYNCS: AtomicU64 = AtomicU64::new(0);
static LEAST_NS: AtomicU64 = AtomicU64::new(0);
static DISK: Mutex<()> = Mutex::new(());

/// From now on every sync lasts at least so long, one after another, whoever asks. Zero is the disk's
/// own pace.
pub fn last_at_least(least: Duration) {
    LEAST_NS.store(u64::try_from(least.as_nanos()).unwrap_or(u64::MAX), Relaxed);
}

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

fn paced<T>(sync: impl FnOnce() -> T) -> T {
    let least = Duration::from_nanos(LEAST_NS.load(Relaxed));
    if least.is_zero() {
        return sync();
    }
    let _turn = DISK.lock().unwrap_or_else(PoisonError::into_inner);
    let begun = Instant::now();
    let synced = sync();
    thread::sleep(least.saturating_sub(begun.elapsed()));
    synced
}

fn counted(fd: c_int, sync: impl FnOnce(BorrowedFd<'_>) -> rustix::io::Result<()>) -> c_int {
    SYNCS.fetch_add(1, Relaxed);
    // SAFETY: as for the function replaced, the caller owns an open descriptor during the call.
    let file = unsafe { BorrowedFd::borrow_raw(fd) };
    match paced(|| sync(file)) {
        Ok(()) => 0,
        Err(error) => {
            // SAFETY: the C library gives each thread a valid place for its error.
            unsafe { *__errno_location() = error.raw_os_error() };
            -1
        }
    }
}
