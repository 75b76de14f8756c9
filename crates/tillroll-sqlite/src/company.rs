//! Writes that can wait for company: while commits come often, theirs begins once nobody joins any more. Pure.

use std::time::Duration;

/// What a write that can wait waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Company {
    /// Commits that come less often than this keep nobody waiting.
    pub span: Duration,
    /// No other write has come for so long.
    pub quiet: Duration,
    /// So many writes are together.
    pub crowd: usize,
    /// The oldest of them has waited for so long.
    pub longest: Duration,
}

/// The writes that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gathered {
    pub(crate) writes: usize,
    /// One of them does not wait for company.
    pub(crate) urgent: bool,
    /// How long the oldest has waited.
    pub(crate) oldest: Duration,
    /// How long the newest has waited.
    pub(crate) newest: Duration,
}

impl Company {
    /// How long those gathered wait yet, if nobody joins them.
    pub(crate) fn left(&self, gathered: Gathered) -> Duration {
        if gathered.urgent || gathered.writes >= self.crowd {
            return Duration::ZERO;
        }
        let quiet = self.quiet.saturating_sub(gathered.newest);
        quiet.min(self.longest.saturating_sub(gathered.oldest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    const COMPANY: Company = Company { span: ms(25), quiet: ms(5), crowd: 24, longest: ms(25) };

    fn gathered(writes: usize, oldest: u64, newest: u64) -> Gathered {
        Gathered { writes, urgent: false, oldest: ms(oldest), newest: ms(newest) }
    }

    #[test]
    fn commit_begins_once_nobody_joins_any_more() {
        assert_eq!(COMPANY.left(gathered(1, 0, 0)), ms(5));
        assert_eq!(COMPANY.left(gathered(3, 9, 2)), ms(3));
        assert_eq!(COMPANY.left(gathered(3, 9, 5)), ms(0));
    }

    #[test]
    fn nobody_waits_longer_than_the_longest() {
        assert_eq!(COMPANY.left(gathered(20, 24, 0)), ms(1));
        assert_eq!(COMPANY.left(gathered(20, 26, 0)), ms(0));
    }

    #[test]
    fn crowd_and_urgent_write_wait_for_nobody() {
        assert_eq!(COMPANY.left(gathered(24, 1, 0)), ms(0));
        assert_eq!(COMPANY.left(Gathered { urgent: true, ..gathered(2, 1, 0) }), ms(0));
    }
}
