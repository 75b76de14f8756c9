//! Two-way repair: every few minutes both sides compare counts and digests by hour, then the ids of hours
//! that differ. What the head office misses is sent again with its own id; what this side misses went with
//! an older copy of the database and is listed for the manager.
//!
//! Only hours before that of the oldest record still waiting are compared: what waits is backlog.

mod difference;

use std::ops::Range;
use std::sync::Arc;

use tillroll_store::{SettledHours, StoreError};
use tillroll_wire::repair::{ALARM_OVER, Digests, HOURS, HourIds, IDS, hour_of};
use tokio::time::timeout;

use self::difference::{Difference, differing};
use crate::context::Context;
use crate::{Link, LinkError, Printers};

/// Hours that are compared each time: three days, and one more for a clock that was wrong by as much.
const AT_LEAST: i64 = 96;
/// Ranges of hours compared at a time; a register that was away longer takes a few rounds.
const RANGES: usize = 8;
/// Hours whose ids are asked for at a time.
const HOURS_REPAIRED: usize = 48;

/// Why a round did not come to its end.
#[derive(Debug, thiserror::Error)]
enum Interrupted {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Compares and repairs, for as long as it is polled: first when the first backlog was sent.
pub(crate) async fn run<L: Link, P: Printers>(context: Arc<Context<L, P>>) {
    let every = context.timings.repair_every;
    tokio::select! {
        () = context.drained.notified() => {}
        () = context.pause(every) => {}
    }
    loop {
        context.board.until_allowed().await;
        match round(&context).await {
            Ok(0) => {}
            Ok(repairs) => told(&context, repairs).await,
            Err(error) => tracing::info!(%error, "the head office was not compared with"),
        }
        context.pause(every).await;
    }
}

/// Compares every range and repairs what differs; how many records did.
async fn round<L: Link, P: Printers>(context: &Context<L, P>) -> Result<usize, Interrupted> {
    let settled = context.store.settled_hours().await?;
    let hours = hours_to_compare(settled, hour_of(context.clock.now()));
    let mut agreed = hours.start;
    let (mut repairs, mut looked_into) = (0, 0);
    let mut in_agreement = true;
    for range in ranges(&hours).take(RANGES) {
        let differing = compare(context, &range).await?;
        if in_agreement {
            agreed = differing.first().copied().unwrap_or(range.end);
            in_agreement = differing.is_empty();
        }
        for hour in differing {
            if looked_into == HOURS_REPAIRED {
                break;
            }
            looked_into += 1;
            repairs += repair(context, hour).await?;
        }
    }
    if settled.agreed != Some(agreed) {
        context.store.note_agreed(agreed).await?;
    }
    Ok(repairs)
}

/// From the hour that was agreed on last, or some days back, to the first that is not settled.
fn hours_to_compare(settled: SettledHours, this_hour: i64) -> Range<i64> {
    let newest = settled.newest.map_or(this_hour, |newest| newest.max(this_hour));
    let end = settled.waiting_from.unwrap_or(i64::MAX).min(newest + 1);
    let days_back = end - AT_LEAST;
    settled.agreed.map_or(days_back, |agreed| agreed.min(days_back))..end
}

/// The hours in ranges that one question may have.
fn ranges(hours: &Range<i64>) -> impl Iterator<Item = Range<i64>> + use<> {
    let (end, step) = (hours.end, i64::try_from(HOURS).unwrap_or(1));
    let mut from = hours.start;
    std::iter::from_fn(move || {
        let range = from..end.min(from + step);
        from = range.end;
        (!range.is_empty()).then_some(range)
    })
}

/// The hours of a range in which both sides differ.
async fn compare<L: Link, P: Printers>(
    context: &Context<L, P>,
    range: &Range<i64>,
) -> Result<Vec<i64>, Interrupted> {
    let ours = context.store.cloud_digests(range.start, range.end).await?;
    let question = Digests { from: range.start, to: range.end, hours: ours.clone() };
    let theirs = asked(context, context.link.digests(question)).await?;
    if (theirs.from, theirs.to) != (range.start, range.end) {
        return Err(LinkError::Unreadable("other hours than were asked for".to_owned()).into());
    }
    Ok(differing(&ours, &theirs.hours))
}

/// Repairs an hour; how many records differed.
async fn repair<L: Link, P: Printers>(
    context: &Context<L, P>,
    hour: i64,
) -> Result<usize, Interrupted> {
    // Read before the question: what is acknowledged in between is in the answer already.
    let ours = context.store.cloud_hour(hour).await?;
    let HourIds { records: theirs, .. } = asked(context, context.link.hour_ids(hour)).await?;
    let is_whole = theirs.len() < IDS;
    let Difference { missing_there, unknown_here } = Difference::between(&ours, theirs);
    let mut repairs = 0;
    if is_whole && !missing_there.is_empty() {
        tracing::warn!(
            hour,
            records = missing_there.len(),
            "the head office misses records: they are sent again"
        );
        repairs += context.store.send_missing(hour, missing_there).await?;
    }
    let now = context.clock.now();
    Ok(repairs + context.store.list_cloud_only(hour, unknown_here, now).await?)
}

async fn asked<L, P, T>(
    context: &Context<L, P>,
    answer: impl Future<Output = Result<T, LinkError>>,
) -> Result<T, LinkError> {
    let limit = context.timings.ask;
    timeout(limit, answer).await.unwrap_or(Err(LinkError::TimedOut(limit)))
}

/// So many repairs at once are no lost message: a person should know.
async fn told<L, P>(context: &Context<L, P>, repairs: usize) {
    tracing::warn!(repairs, "records differed from the head office's and were repaired or listed");
    if repairs <= ALARM_OVER {
        return;
    }
    let detail = format!(
        "{repairs} records differed from the head office's at once: those it missed were sent again, those \
         it alone has are listed; find out which side was restored from a copy"
    );
    let now = context.clock.now();
    if let Err(error) = context.store.keep_notice("cloud_differences", Some(detail), now).await {
        tracing::warn!(%error, "a notice could not be kept");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 1_000;

    fn settled(agreed: Option<i64>, waiting_from: Option<i64>) -> SettledHours {
        SettledHours { agreed, waiting_from, newest: Some(HOUR - 1) }
    }

    #[test]
    fn hours_go_from_the_last_agreed_or_days_back_to_the_oldest_that_waits() {
        assert_eq!(hours_to_compare(settled(None, None), HOUR), HOUR + 1 - 96..HOUR + 1);
        assert_eq!(hours_to_compare(settled(Some(HOUR), None), HOUR).start, HOUR + 1 - 96);
        assert_eq!(hours_to_compare(settled(Some(500), None), HOUR), 500..HOUR + 1);
        assert_eq!(hours_to_compare(settled(Some(500), Some(700)), HOUR), 500..700);
        let ahead = SettledHours { newest: Some(HOUR + 72), ..settled(None, None) };
        assert_eq!(
            hours_to_compare(ahead, HOUR).end,
            HOUR + 73,
            "recorded by a clock that was ahead"
        );
    }

    #[test]
    fn long_time_is_compared_in_ranges() {
        let ranges: Vec<_> = ranges(&(0..400)).collect();
        assert_eq!(ranges, [0..168, 168..336, 336..400]);
        assert_eq!(super::ranges(&(5..5)).count(), 0);
    }
}
