//! How large batches are, and how many go at a time: less after one that failed, so that a thin line gets something
//! through and a record that spoils its batch stands alone at last; more again with each that went well. Pure.

use tillroll_wire::Code;
use tillroll_wire::record::BATCH_RECORDS;

use crate::LinkError;

/// Batches under way at a time on a line that takes them.
const UNDER_WAY: usize = 3;

/// The size of the next batches, and how many of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    records: usize,
    under_way: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self { records: BATCH_RECORDS, under_way: UNDER_WAY }
    }
}

impl Pace {
    /// Most records of the next batch.
    pub(super) fn records(self) -> usize {
        self.records
    }

    /// Most batches under way.
    pub(super) fn under_way(self) -> usize {
        self.under_way
    }

    /// A batch was judged.
    pub(super) fn went_well(&mut self) {
        self.records = (self.records * 2).min(BATCH_RECORDS);
        self.under_way = (self.under_way + 1).min(UNDER_WAY);
    }

    /// The connection is back after tries that failed.
    pub(super) fn reconnected(&mut self) {
        self.records = self.records.max(BATCH_RECORDS / 4);
        self.under_way = UNDER_WAY;
    }

    /// A batch failed.
    pub(super) fn failed(&mut self, error: &LinkError) {
        if spoilt_by(error).is_some() {
            *self = Self { records: 1, under_way: 1 };
        } else if !matches!(error, LinkError::Unreachable(_) | LinkError::Untrusted(_)) {
            *self = Self { records: (self.records / 4).max(1), under_way: 1 };
        }
    }
}

/// Whether a batch got lost on the line, which says nothing of the others under way.
pub(super) fn is_lost(error: &LinkError) -> bool {
    matches!(error, LinkError::TimedOut(_) | LinkError::Dropped(_))
}

/// The code of a refusal that is about what was sent and not about who sent it or when.
pub(super) fn spoilt_by(error: &LinkError) -> Option<Code> {
    match error {
        LinkError::Refused(problem) if is_about_content(problem.code) => Some(problem.code),
        LinkError::NotOurs { status: 413 } => Some(Code::TooLarge),
        LinkError::Refused(_)
        | LinkError::NotOurs { .. }
        | LinkError::Unreachable(_)
        | LinkError::Untrusted(_)
        | LinkError::TimedOut(_)
        | LinkError::Dropped(_)
        | LinkError::Unreadable(_) => None,
    }
}

fn is_about_content(code: Code) -> bool {
    matches!(
        code,
        Code::InvalidBody
            | Code::InvalidValue
            | Code::InvalidReceipt
            | Code::TooLarge
            | Code::Unsupported
            | Code::Conflict
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tillroll_wire::Problem;

    use super::*;

    #[test]
    fn thin_line_gets_smaller_batches_until_they_come_through() {
        let mut pace = Pace::default();
        let mut sizes = Vec::new();
        for _ in 0..6 {
            sizes.push(pace.records());
            pace.failed(&LinkError::TimedOut(Duration::from_secs(3)));
        }
        assert_eq!(sizes, [500, 125, 31, 7, 1, 1]);
        assert_eq!(pace.under_way(), 1);
        for _ in 0..9 {
            pace.went_well();
        }
        assert_eq!(pace, Pace::default());
    }

    #[test]
    fn tries_that_hung_without_a_network_do_not_make_the_next_ones_small() {
        let mut pace = Pace::default();
        for _ in 0..6 {
            pace.failed(&LinkError::TimedOut(Duration::from_secs(10)));
        }
        pace.reconnected();
        assert_eq!((pace.records(), pace.under_way()), (125, 3));
    }

    #[test]
    fn network_that_is_away_says_nothing_of_the_size() {
        let mut pace = Pace::default();
        pace.failed(&LinkError::Unreachable(Box::new(std::io::Error::other("away"))));
        assert_eq!(pace, Pace::default());
    }

    #[test]
    fn batch_that_is_refused_as_a_whole_is_sent_record_by_record() {
        let mut pace = Pace::default();
        pace.failed(&LinkError::Refused(Problem::new(Code::TooLarge, "large")));
        assert_eq!(pace.records(), 1);
        let busy = LinkError::Refused(Problem::new(Code::RateLimited, "busy"));
        assert_eq!(spoilt_by(&busy), None);
        assert_eq!(spoilt_by(&LinkError::NotOurs { status: 413 }), Some(Code::TooLarge));
    }
}
