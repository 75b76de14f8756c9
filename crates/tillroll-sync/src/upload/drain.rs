//! One drain: everything that waits, in bounded batches, oldest first. A few batches are under way at a
//! time; a record whose receipt has one under way waits for its verdict.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tillroll_store::{DueRecord, Judged, RecordId, SentRecord};
use tillroll_wire::PROTOCOL;
use tillroll_wire::record::{BATCH_BYTES, Batch, RecordVerdict, Verdict};
use tokio::time::timeout;

use super::pace::{Pace, is_lost, spoilt_by};
use super::repeat::Repeats;
use super::{Drained, Interrupted};
use crate::context::Context;
use crate::link::{Link, left_alone};
use crate::{Lane, LinkError};

/// Bytes of a batch's records; the rest is for what stands around them.
const RECORD_BYTES: usize = BATCH_BYTES - 64 * 1024;

/// What is under way and how far the outbox was read.
struct Reading {
    cursor: RecordId,
    flows: BTreeSet<i64>,
    is_at_end: bool,
    passed_over: bool,
}

/// Sends everything that waits; what came of it.
pub(super) async fn drain<L: Link, P>(
    context: &Context<L, P>,
    repeats: &Repeats,
    pace: &mut Pace,
) -> Drained
where
    P: Send + Sync,
{
    let mut drained = Drained::default();
    let ended = send_all(context, repeats, pace, &mut drained).await;
    drained.interrupted = ended.err().or(drained.interrupted);
    drained
}

async fn send_all<L: Link, P>(
    context: &Context<L, P>,
    repeats: &Repeats,
    pace: &mut Pace,
    drained: &mut Drained,
) -> Result<(), Interrupted>
where
    P: Send + Sync,
{
    let mut reading = Reading::from_start();
    let mut under_way = FuturesUnordered::new();
    loop {
        while under_way.len() < pace.under_way() && !reading.is_at_end {
            let records = reading.next(context, pace.records()).await?;
            if !records.is_empty() {
                under_way.push(send(context, repeats, records));
            }
        }
        drained.passed_over = reading.passed_over;
        let answered = tokio::select! {
            answered = under_way.next() => answered,
            // What was begun without a network hangs on long after it is back.
            () = context.reconnected.notified(), if drained.interrupted.is_some() => {
                context.reconnected.notify_one();
                break;
            }
        };
        let Some((sent, answer)) = answered else { break };
        match answer {
            Ok(verdicts) => {
                pace.went_well();
                reading.release(&sent);
                let now = context.clock.now();
                let of_batch = context.store.apply_verdicts(sent, verdicts, now).await?;
                add(&mut drained.judged, of_batch);
                reading.is_at_end |= of_batch.retry_after.is_some();
            }
            Err(error) => {
                pace.failed(&error);
                if !is_lost(&error) {
                    return Err(error.into());
                }
                // The others under way may well arrive; nothing more is sent until they have.
                reading.is_at_end = true;
                drained.interrupted = Some(error.into());
            }
        }
    }
    Ok(())
}

fn add(judged: &mut Judged, of_batch: Judged) {
    judged.acknowledged += of_batch.acknowledged;
    judged.parked += of_batch.parked;
    judged.left += of_batch.left;
    let wait = of_batch.retry_after.map(|wait| left_alone(millis(wait)));
    judged.retry_after = judged.retry_after.max(wait);
}

fn millis(wait: Duration) -> u64 {
    u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)
}

impl Reading {
    fn from_start() -> Self {
        Self { cursor: RecordId(0), flows: BTreeSet::new(), is_at_end: false, passed_over: false }
    }

    /// The next records that may go now.
    async fn next<L, P>(
        &mut self,
        context: &Context<L, P>,
        most: usize,
    ) -> Result<Vec<DueRecord>, Interrupted> {
        let now = context.clock.now();
        let due = context.store.due_records(self.cursor, most, RECORD_BYTES, now).await?;
        let Some(last) = due.last() else {
            self.is_at_end = true;
            return Ok(due);
        };
        self.cursor = last.id;
        let under_way = |due: &DueRecord| {
            due.record.flow_no.is_some_and(|flow_no| self.flows.contains(&flow_no))
        };
        let (later, records): (Vec<_>, Vec<_>) = due.into_iter().partition(under_way);
        self.passed_over |= !later.is_empty();
        self.flows.extend(records.iter().filter_map(|due| due.record.flow_no));
        Ok(records)
    }

    fn release(&mut self, sent: &[SentRecord]) {
        for flow_no in sent.iter().filter_map(SentRecord::flow_no) {
            self.flows.remove(&flow_no);
        }
    }
}

/// Sends a batch; gives back what was sent and what was said of it.
async fn send<L: Link, P>(
    context: &Context<L, P>,
    repeats: &Repeats,
    due: Vec<DueRecord>,
) -> (Vec<SentRecord>, Result<Vec<RecordVerdict>, LinkError>)
where
    P: Send + Sync,
{
    let sent: Vec<SentRecord> = due.iter().map(SentRecord::from).collect();
    let asked = context.reading();
    let batch = Batch {
        protocol: PROTOCOL,
        installation: context.store.installation().to_owned(),
        clock: asked,
        records: due.into_iter().map(|due| due.record).collect(),
    };
    let limit = context.timings.upload;
    let ask = |lane: Lane| context.link.send_records(&batch, lane);
    let answer = repeats.ask(context.clock.as_ref(), batch.records.len(), ask);
    let verdicts = match timeout(limit, answer).await.unwrap_or(Err(LinkError::TimedOut(limit))) {
        Ok(verdicts) => {
            context.heard(asked, verdicts.now).await;
            context.heard_sharing(verdicts.shares_orders).await;
            Ok(verdicts.verdicts)
        }
        Err(error) => verdict_of_refusal(&batch, error).map(|verdict| vec![verdict]),
    };
    (sent, verdicts)
}

/// A record that spoils even a batch of its own is refused: it must not stand in the way of the others.
fn verdict_of_refusal(batch: &Batch, error: LinkError) -> Result<RecordVerdict, LinkError> {
    match (batch.records.as_slice(), spoilt_by(&error)) {
        ([alone], Some(code)) => Ok(RecordVerdict {
            request_id: alone.request_id.clone(),
            verdict: Verdict::Rejected { code, detail: error.to_string() },
        }),
        _ => Err(error),
    }
}
