//! What can be wrong with a job or a sale: one kind for each promise.

use tillroll_testkit::Attack;

/// Which promise was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// Acknowledged, and gone.
    Lost,
    /// There twice, or never asked for.
    Doubled,
    /// Not what is said of it, or nothing is.
    Silent,
}

impl Wrong {
    /// Ends what runs, unless it is right. Whoever started it counts this.
    pub fn unless(self, is_right: bool, told: impl FnOnce() -> String) {
        if !is_right {
            eprintln!("{self:?}: {}", told());
            std::panic::panic_any(self);
        }
    }

    /// What ended something that ran.
    pub fn of(panic: &(dyn std::any::Any + Send)) -> Self {
        panic.downcast_ref().copied().unwrap_or(Self::Silent)
    }

    pub fn count(self, attack: &mut Attack) {
        *match self {
            Self::Lost => &mut attack.losses,
            Self::Doubled => &mut attack.duplicates,
            Self::Silent => &mut attack.silent,
        } += 1;
    }
}
