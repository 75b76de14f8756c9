//! How many requests are repeated: one in ten, so that a server that is slow gets hardly more to do. Repeats that are
//! answered first earn more of them: then it is the line that is slow. Pure.

/// Requests that earn one repeat: 10 %.
const REQUESTS_A_REPEAT: u32 = 10;
/// Repeats saved up at most.
const SAVED_MOST: u32 = 10;
/// Repeats there are at least when the connection is back: one for each batch under way.
const AFTER_RECONNECT: u32 = 3;

/// The repeats that are left.
#[derive(Debug)]
pub(super) struct Budget {
    /// In tenths of a repeat.
    saved: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self { saved: SAVED_MOST * REQUESTS_A_REPEAT }
    }
}

impl Budget {
    /// A request is made.
    pub(super) fn asked(&mut self) {
        self.save(1);
    }

    /// Takes one repeat, if there is one.
    pub(super) fn spend(&mut self) -> bool {
        let left = self.saved.checked_sub(REQUESTS_A_REPEAT);
        self.saved = left.unwrap_or(self.saved);
        left.is_some()
    }

    /// A repeat was answered before what it repeats: the request's repeats cost nothing, and it may be the next's too.
    pub(super) fn won(&mut self, spent: u32) {
        self.save((spent + 1) * REQUESTS_A_REPEAT);
    }

    /// The connection is back.
    pub(super) fn reconnected(&mut self) {
        self.saved = self.saved.max(AFTER_RECONNECT * REQUESTS_A_REPEAT);
    }

    fn save(&mut self, tenths: u32) {
        self.saved = (self.saved + tenths).min(SAVED_MOST * REQUESTS_A_REPEAT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Repeats of so many requests, each of which wants one.
    fn repeats(budget: &mut Budget, requests: u32, do_win: bool) -> usize {
        let mut repeat = || {
            budget.asked();
            let may = budget.spend();
            if do_win {
                budget.won(u32::from(may));
            }
            may
        };
        (0..requests).filter(|_| repeat()).count()
    }

    #[test]
    fn one_request_in_ten_is_repeated_at_a_server_that_is_slow() {
        let mut budget = Budget::default();
        let saved = repeats(&mut budget, 20, false);
        assert!((11..=12).contains(&saved), "{saved}");
        assert_eq!(repeats(&mut budget, 1_000, false), 100);
    }

    #[test]
    fn repeats_spent_without_a_network_are_not_missed_when_it_is_back() {
        let mut budget = Budget::default();
        repeats(&mut budget, 20, false);
        budget.reconnected();
        assert_eq!(repeats(&mut budget, 3, false), 3);
    }

    #[test]
    fn every_request_is_repeated_on_a_line_where_that_helps() {
        let mut budget = Budget::default();
        repeats(&mut budget, 20, false);
        assert!(repeats(&mut budget, 1_000, true) >= 999);
    }
}
