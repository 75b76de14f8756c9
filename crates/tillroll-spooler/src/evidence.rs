//! What a device can tell about an attempt that was cut off: pure judgement of its tokens and counters.

use std::collections::VecDeque;

use tillroll_domain::print_job::{Confirmation, Event, JobReason};
use tillroll_store::Attempt;

use crate::session::Counters;
use crate::token::Tokens;

/// What was learnt on a new link after the attempt.
pub(crate) struct Evidence<'a> {
    /// Tokens the device answered with.
    pub tokens: &'a VecDeque<[u8; 4]>,
    /// It answered that its buffers are cleared: nothing more of the attempt can come.
    pub cleared: bool,
    /// What it has counted since.
    pub counters: Option<Counters>,
    /// So little time went by that what it printed since can only be of the attempt. Later it may have
    /// printed for another host, or a self-test.
    pub recent: bool,
}

/// What the evidence makes of an attempt that ended with `cause` after its first byte.
///
/// Proof: its token; or, soon afterwards, a cut counter that went up by exactly the attempt's cuts while
/// lines were printed.
/// Certainly nothing: a cleared buffer *and* an unmoved line counter. Either alone proves nothing.
pub(crate) fn judge(
    attempt: &Attempt,
    own: Tokens,
    evidence: &Evidence<'_>,
    cause: JobReason,
) -> Event {
    if evidence.tokens.contains(&own.printed) {
        return Event::Confirmed(Confirmation::Token);
    }
    let planned = &attempt.planned;
    let (Some(lines), Some(cuts), Some(now)) =
        (planned.lines_before, planned.cuts_before, evidence.counters)
    else {
        return Event::MaybeOnPaper(cause);
    };
    if evidence.cleared && now.lines == lines && now.cuts == cuts {
        return Event::LeftNothing(cause);
    }
    let moved = planned.cuts > 0 && now.cuts == cuts + planned.cuts && now.lines > lines;
    if evidence.recent && moved {
        return Event::Confirmed(Confirmation::Counter);
    }
    Event::MaybeOnPaper(cause)
}

#[cfg(test)]
mod tests {
    use tillroll_domain::printer::StopReason;
    use tillroll_store::{AttemptId, JobRowId, PlannedAttempt};

    use super::*;

    const CAUSE: JobReason = JobReason::Printer(StopReason::LinkLost);

    fn attempt(counted: Option<(i64, i64)>) -> Attempt {
        Attempt {
            id: AttemptId(7),
            job: JobRowId(1),
            number: 1,
            printer: "front".into(),
            started_at: jiff::Timestamp::UNIX_EPOCH,
            ended_at: None,
            outcome: None,
            cause: None,
            planned: PlannedAttempt {
                lines_before: counted.map(|(lines, _)| lines),
                cuts_before: counted.map(|(_, cuts)| cuts),
                cuts: 1,
                byte_count: 9,
                sha256: [0; 32],
            },
        }
    }

    fn judged(
        counted: Option<(i64, i64)>,
        cleared: bool,
        now: Option<(i64, i64)>,
        tokens: &[[u8; 4]],
    ) -> Event {
        judged_after(true, counted, cleared, now, tokens)
    }

    fn judged_after(
        recent: bool,
        counted: Option<(i64, i64)>,
        cleared: bool,
        now: Option<(i64, i64)>,
        tokens: &[[u8; 4]],
    ) -> Event {
        let tokens: VecDeque<_> = tokens.iter().copied().collect();
        let counters = now.map(|(lines, cuts)| Counters { lines, cuts });
        let evidence = Evidence { tokens: &tokens, cleared, counters, recent };
        judge(&attempt(counted), tokens_of(7), &evidence, CAUSE)
    }

    fn tokens_of(attempt: i64) -> Tokens {
        Tokens::of("installation", AttemptId(attempt))
    }

    #[test]
    fn counters_that_moved_long_afterwards_prove_nothing_and_the_token_still_does() {
        let (before, moved) = (Some((100, 5)), Some((120, 6)));
        assert_eq!(judged_after(false, before, true, moved, &[]), Event::MaybeOnPaper(CAUSE));
        assert_eq!(judged_after(false, before, true, before, &[]), Event::LeftNothing(CAUSE));
        let own = tokens_of(7).printed;
        let proved = Event::Confirmed(Confirmation::Token);
        assert_eq!(judged_after(false, before, true, moved, &[own]), proved);
    }

    #[test]
    fn own_token_proves_and_a_foreign_one_does_not() {
        let own = tokens_of(7).printed;
        assert_eq!(judged(None, false, None, &[own]), Event::Confirmed(Confirmation::Token));
        let other = tokens_of(8).printed;
        assert_eq!(judged(None, false, None, &[other]), Event::MaybeOnPaper(CAUSE));
        let only_cut = tokens_of(7).cut;
        assert_eq!(judged(None, false, None, &[only_cut]), Event::MaybeOnPaper(CAUSE));
    }

    #[test]
    fn nothing_is_certain_only_with_cleared_buffer_and_unmoved_lines() {
        let before = Some((100, 5));
        assert_eq!(judged(before, true, before, &[]), Event::LeftNothing(CAUSE));
        assert_eq!(judged(before, false, before, &[]), Event::MaybeOnPaper(CAUSE));
        assert_eq!(judged(before, true, Some((103, 5)), &[]), Event::MaybeOnPaper(CAUSE));
        assert_eq!(judged(before, true, None, &[]), Event::MaybeOnPaper(CAUSE));
        assert_eq!(judged(None, true, before, &[]), Event::MaybeOnPaper(CAUSE));
    }

    #[test]
    fn cut_counter_proves_only_when_it_went_up_by_the_jobs_own_cuts() {
        let before = Some((100, 5));
        let proved = Event::Confirmed(Confirmation::Counter);
        assert_eq!(judged(before, true, Some((120, 6)), &[]), proved);
        assert_eq!(judged(before, true, Some((120, 7)), &[]), Event::MaybeOnPaper(CAUSE));
        assert_eq!(judged(before, true, Some((100, 6)), &[]), Event::MaybeOnPaper(CAUSE));
    }
}
