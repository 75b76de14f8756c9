//! The ask route for a POS: may this action be done now?

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tillroll_domain::limits::{Action, PROMOTION_LASTS, PROMOTION_PERCENT, SlidingWindow};

use crate::Register;
use crate::problem::Problem;
use crate::view::{LimitAnswer, PromotionBody};

/// The windows of this register, and a promotion that widens them. Gone with the program: a fresh start
/// allows a full window.
#[derive(Default)]
pub(crate) struct Limits {
    windows: Mutex<BTreeMap<Action, SlidingWindow>>,
    promotion: Mutex<Option<Promotion>>,
}

#[derive(Clone, Copy)]
struct Promotion {
    percent: u32,
    until: Duration,
}

impl Register {
    /// Asks for one call of an action. A refused call does not count.
    #[must_use]
    pub fn ask_limit(&self, action: Action) -> LimitAnswer {
        let now = self.clock().boot();
        let (quota, window) = action.quota();
        let limit = self.limits().widened(quota, now);
        let mut windows = self.limits().windows.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = windows.entry(action).or_insert_with(|| SlidingWindow::new(window));
        LimitAnswer::of(asked.ask(now, limit))
    }

    /// Widens every window for a while; it ends by itself.
    ///
    /// # Errors
    /// A percentage outside 100 to 1000, or longer than a day.
    pub fn promote(&self, body: &PromotionBody) -> Result<(), Problem> {
        let percent = body.percent.unwrap_or(PROMOTION_PERCENT);
        let lasts = body.lasts_s.map_or(PROMOTION_LASTS, Duration::from_secs);
        if !(100..=1_000).contains(&percent) {
            return Err(Problem::value("percent", "must be from 100 to 1000"));
        }
        if lasts > Duration::from_secs(24 * 60 * 60) {
            return Err(Problem::value("lasts_s", "must be at most 86400"));
        }
        let until = self.clock().boot() + lasts;
        let mut promotion = self.limits().promotion.lock().unwrap_or_else(PoisonError::into_inner);
        *promotion = Some(Promotion { percent, until });
        Ok(())
    }
}

impl Limits {
    fn widened(&self, quota: u32, now: Duration) -> u32 {
        let promotion = *self.promotion.lock().unwrap_or_else(PoisonError::into_inner);
        match promotion {
            Some(promotion) if now < promotion.until => quota * promotion.percent / 100,
            Some(_) | None => quota,
        }
    }
}
