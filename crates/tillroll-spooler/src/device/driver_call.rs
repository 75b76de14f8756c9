//! Blocking driver calls on threads of their own, so that a driver that hangs costs one thread and
//! never a task of the runtime.
//!
//! Invariants: a call is waited for no longer than its limit, then abandoned: its thread ends when
//! the driver lets go of it, perhaps never. Live threads are counted by device, and a device that
//! holds too many is opened no more, so abandoned threads stay few.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::OpenError;

/// Live driver threads of this process, by device.
static THREADS: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());

/// Counts one thread as long as it lives.
struct Presence {
    device: String,
}

impl Presence {
    fn enter(device: &str) -> Self {
        *threads().entry(device.to_owned()).or_default() += 1;
        Self { device: device.to_owned() }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut threads = threads();
        match threads.get_mut(&self.device) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(threads.remove(&self.device)),
        }
    }
}

fn threads() -> MutexGuard<'static, BTreeMap<String, usize>> {
    // The map is whole between any two statements, so a panic elsewhere cannot have torn it.
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Live driver threads of `device`.
pub(super) fn live_threads(device: &str) -> usize {
    threads().get(device).copied().unwrap_or(0)
}

/// Refuses a device that already holds `bound` threads.
pub(super) fn admit(device: &str, bound: usize) -> Result<(), OpenError> {
    match live_threads(device) {
        calls if calls >= bound => Err(OpenError::Stuck { calls }),
        _ => Ok(()),
    }
}

/// Starts a driver thread of `device`.
pub(super) fn spawn(device: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let presence = Presence::enter(device);
    let body = move || {
        // The count falls after everything `work` owned is closed.
        let _presence = presence;
        work();
    };
    thread::Builder::new().name(format!("device {device}")).spawn(body).map(drop)
}

/// Runs `work` on a driver thread and waits at most `limit` for it.
///
/// # Errors
/// `TimedOut` when the limit ran out; the error of the operating system when no thread can be
/// started; `BrokenPipe` when the driver's code panicked.
pub(super) async fn call<T: Send + 'static>(
    device: &str,
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let (answer, answered) = oneshot::channel();
    spawn(device, move || {
        // Nobody waits any more when the call was abandoned; its result is closed here.
        let _ = answer.send(work());
    })?;
    match tokio::time::timeout(limit, answered).await {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn hanging_call_is_abandoned_counted_and_forgotten_once_it_returns() {
        let device = "test: hanging call";
        let (release, released) = mpsc::channel::<()>();
        let hang = move || released.recv();
        let result = call(device, Duration::from_millis(20), hang).await;
        assert_eq!(result.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        assert!(matches!(admit(device, 1), Err(OpenError::Stuck { calls: 1 })));
        assert!(admit(device, 2).is_ok());

        drop(release);
        wait_until(|| live_threads(device) == 0).await;
        assert!(admit(device, 1).is_ok());
    }

    #[tokio::test]
    async fn finished_calls_leave_no_trace() {
        let device = "test: finished calls";
        for round in 0..20 {
            let answer = call(device, Duration::from_secs(5), move || round).await;
            assert_eq!(answer.ok(), Some(round));
        }
        wait_until(|| live_threads(device) == 0).await;
    }

    async fn wait_until(condition: impl Fn() -> bool) {
        let poll = async {
            while !condition() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(5), poll).await.expect("condition within 5 s");
    }
}
