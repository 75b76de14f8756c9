//! The committing thread: whatever waits goes into one commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use crate::error::CloseError;
use crate::marker;
use crate::shared::Shared;

/// Commits until the queue is closed and empty, then closes the database and reports how that went.
pub(crate) fn run(
    shared: &Arc<Shared>,
    checkpointer: JoinHandle<()>,
    report: impl FnOnce(Result<(), CloseError>),
) {
    while shared.queue.wait() {
        // Dropping a caller's value may panic; the callers of that commit then hear that its outcome
        // is unknown, and all others must not wait for ever.
        if catch_unwind(AssertUnwindSafe(|| commit_waiting(shared))).is_err() {
            tracing::error!("answering a commit panicked");
        }
    }
    shared.gauge.stop();
    if checkpointer.join().is_err() {
        tracing::error!("the checkpointing thread panicked");
    }
    report(close(shared));
}

fn commit_waiting(shared: &Shared) {
    shared.wait_for_company();
    let wait = shared.until_next_commit();
    if !wait.is_zero() {
        std::thread::sleep(wait);
    } else if shared.is_crowded() {
        // Callers that run already are let through to the queue: one sync more is spared than time is lost.
        std::thread::yield_now();
    }
    let mut writer = shared.writer();
    // Taken only now: what arrived while another commit ran shares this one.
    let mut batch = shared.queue.take(shared.options.max_batch);
    if batch.is_empty() {
        return;
    }
    shared.note_crowd(batch.len());
    let mut works: Vec<_> = batch.iter_mut().map(|request| request.as_work()).collect();
    let verdict = writer.commit(shared, &mut works);
    drop(writer);
    for request in batch {
        request.answer(&verdict);
    }
}

/// Closes every connection, the writer last, and marks the database as closed if nothing is amiss.
pub(crate) fn close(shared: &Shared) -> Result<(), CloseError> {
    let mut writer = shared.writer();
    shared.checkpointer.disconnect();
    let readers_gone = shared.readers.close(shared.options.close_limit);
    writer.close(shared)?;
    if !readers_gone {
        return Err(CloseError::Timeout);
    }
    Ok(marker::clear(&shared.path)?)
}
