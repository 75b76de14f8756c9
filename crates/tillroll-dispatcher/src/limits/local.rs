//! Windows in this program's memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tillroll_domain::limits::{Answer, SlidingWindow, Standing};

use super::passes::Pass;

/// So many windows are kept without a look at whether they are empty.
const UNSWEPT: usize = 1_024;

/// Windows by their keys. Only those that hold a call are kept, give or take as many again.
#[derive(Debug)]
pub(super) struct LocalWindows<W> {
    kept: Mutex<Kept<W>>,
}

#[derive(Debug)]
struct Kept<W> {
    windows: HashMap<W, SlidingWindow>,
    /// Empty ones go when there are so many.
    sweep_at: usize,
}

impl<W> Default for LocalWindows<W> {
    fn default() -> Self {
        let kept = Kept { windows: HashMap::new(), sweep_at: UNSWEPT };
        Self { kept: Mutex::new(kept) }
    }
}

impl<W: Copy + Eq + Hash> LocalWindows<W> {
    /// Asks for so many calls through several windows, at an instant of the boot clock.
    pub(super) fn ask(&self, passes: &[Pass<W>], calls: u32, now: Duration) -> Answer {
        let mut kept = self.locked();
        let standings: Vec<_> = passes.iter().map(|pass| kept.look(pass, calls, now)).collect();
        let answer = Answer::of(&standings, calls);
        if answer.allowed {
            kept.count_all(passes, calls, now);
        }
        answer
    }

    /// Counts calls that somebody else allowed.
    pub(super) fn count(&self, passes: &[Pass<W>], calls: u32, now: Duration) {
        self.locked().count_all(passes, calls, now);
    }

    fn locked(&self) -> MutexGuard<'_, Kept<W>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Copy + Eq + Hash> Kept<W> {
    fn look(&mut self, pass: &Pass<W>, calls: u32, now: Duration) -> Standing {
        match self.windows.get_mut(&pass.window) {
            Some(window) => window.look(now, calls, pass.limit),
            None => SlidingWindow::new(pass.length).look(now, calls, pass.limit),
        }
    }

    fn count_all(&mut self, passes: &[Pass<W>], calls: u32, now: Duration) {
        for pass in passes {
            self.count(pass, calls, now);
        }
    }

    fn count(&mut self, pass: &Pass<W>, calls: u32, now: Duration) {
        if self.windows.len() >= self.sweep_at {
            self.windows.retain(|_, window| !window.is_empty(now));
            self.sweep_at = (self.windows.len() * 2).max(UNSWEPT);
        }
        let window = self.windows.entry(pass.window);
        window.or_insert_with(|| SlidingWindow::new(pass.length)).count(now, calls);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn pass(window: u32, limit: u32) -> Pass<u32> {
        Pass { window, length: ms(1_000), limit }
    }

    #[test]
    fn call_that_one_window_refuses_counts_in_none() {
        let windows = LocalWindows::default();
        let (wide, narrow) = (pass(1, 3), pass(2, 1));
        assert!(windows.ask(&[wide, narrow], 1, ms(0)).allowed);
        let refused = windows.ask(&[wide, narrow], 1, ms(100));
        assert_eq!((refused.allowed, refused.retry_after), (false, ms(900)));
        assert_eq!(windows.ask(&[wide], 1, ms(200)).remaining, 1, "one of three was used before");
    }

    #[test]
    fn windows_that_are_empty_are_forgotten() {
        let windows = LocalWindows::default();
        for n in 0..100_000 {
            assert!(windows.ask(&[pass(n, 1)], 1, ms(u64::from(n))).allowed);
        }
        let kept = windows.locked().windows.len();
        assert!((1_000..=2_000).contains(&kept), "{kept}");
    }
}
