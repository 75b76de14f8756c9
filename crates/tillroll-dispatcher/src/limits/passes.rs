//! The windows that a call passes. Pure.

use std::time::Duration;

use tillroll_domain::limits::Action;

use super::Rates;
use crate::job::{RegisterNo, StoreNo};

const SECOND: Duration = Duration::from_secs(1);

/// A window of a store, from coarse to fine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Window {
    Store(StoreNo),
    Register(RegisterNo),
    Action(RegisterNo, Action),
}

/// A window with its length and the most calls in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pass<W> {
    pub(super) window: W,
    pub(super) length: Duration,
    pub(super) limit: u32,
}

impl Pass<Window> {
    /// The coarse one of a store.
    pub(super) fn store(store: StoreNo, rates: Rates) -> Self {
        Self { window: Window::Store(store), length: SECOND, limit: rates.store_per_s }
    }

    /// The coarse one of a register.
    pub(super) fn register(register: RegisterNo, rates: Rates) -> Self {
        Self { window: Window::Register(register), length: SECOND, limit: rates.register_per_s }
    }

    /// That of an action at a register, widened by a promotion to so many percent.
    pub(super) fn action(register: RegisterNo, action: Action, percent: u32) -> Self {
        let (quota, length) = action.quota();
        let limit = quota.saturating_mul(percent) / 100;
        Self { window: Window::Action(register, action), length, limit }
    }

    /// The share of a node that cannot ask the others. A limit of one call is not halved.
    pub(super) fn half(&self) -> Self {
        Self { limit: (self.limit / 2).max(1), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotion_widens_an_action_and_a_lonely_node_halves_it() {
        let register = RegisterNo { store: StoreNo(1), no: 2 };
        let limits = |percent| {
            Action::ALL.map(|action| {
                let pass = Pass::action(register, action, percent);
                (pass.limit, pass.half().limit)
            })
        };
        assert_eq!(limits(100), [(20, 10), (5, 2), (3, 1), (50, 25)]);
        assert_eq!(limits(150), [(30, 15), (7, 3), (4, 2), (75, 37)]);
    }
}
