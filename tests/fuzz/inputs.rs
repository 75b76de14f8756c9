//! A target under inputs, as an attack.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tillroll_testkit::Attack;

/// Inputs of a target, known ones and some by chance. One that breaks it counts with the silent: nothing says why.
pub struct Inputs {
    what: &'static str,
    begun: AtomicUsize,
    held: AtomicUsize,
}

impl Inputs {
    /// To what reads them.
    pub const fn to(what: &'static str) -> Self {
        Self { what, begun: AtomicUsize::new(0), held: AtomicUsize::new(0) }
    }

    /// One input.
    pub fn hold(&self, target: impl FnOnce()) {
        self.begun.fetch_add(1, Relaxed);
        target();
        self.held.fetch_add(1, Relaxed);
    }
}

impl Drop for Inputs {
    fn drop(&mut self) {
        let (trials, held) = (self.begun.load(Relaxed), self.held.load(Relaxed));
        let what = format!("known and random bytes as {}", self.what);
        let promise = "nothing is silent";
        Attack { promise, trials, silent: trials - held, ..Attack::on_all(what) }.show();
    }
}
