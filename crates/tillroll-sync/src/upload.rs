//! The uploader: brings what waits in the outbox to the head office, one drain at a time.
//!
//! Woken by the commit that makes a record and by a connection that is back. After a failure only the
//! schedule, the connection and a person wake it: new sales do not hammer a server in trouble.

mod budget;
mod drain;
mod pace;
mod repeat;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tillroll_store::{Judged, StoreError};
use tokio::sync::watch;

use self::drain::drain;
use self::pace::Pace;
use self::repeat::Repeats;
use crate::context::Context;
use crate::link::Link;
use crate::schedule::Tries;
use crate::{LinkError, Printers};

/// Without a commit it is looked all the same once in so long.
const LOOK_ANYWAY: Duration = Duration::from_secs(60);

/// Why a drain did not come to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Interrupted {
    /// The head office was not reached or did not do it.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The register's own database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a drain came to.
#[derive(Debug, Default)]
struct Drained {
    judged: Judged,
    /// Records were passed over since the ones before them were under way.
    passed_over: bool,
    /// Why not everything was sent.
    interrupted: Option<Interrupted>,
}

impl Drained {
    fn has_verdicts(&self) -> bool {
        self.judged.acknowledged + self.judged.parked > 0
    }
}

/// What happens next.
enum Next {
    /// There is more to send.
    Again,
    /// Everything was sent.
    Rest,
    /// Not before so long, whatever happens.
    LeaveAlone(Duration),
    /// Not before so long, unless the connection is back.
    TryIn(Duration),
}

/// Uploads, for as long as it is polled.
pub(crate) async fn run<L: Link, P: Printers>(context: Arc<Context<L, P>>) {
    let mut changes = context.store.feed().changes();
    let mut tries = Tries::default();
    let (repeats, mut pace) = (Repeats::new(context.timings.repeat_again), Pace::default());
    loop {
        context.board.until_allowed().await;
        changes.borrow_and_update();
        // One that came back before this try is no reason to give it up.
        if context.reconnected.notified().now_or_never().is_some() {
            begin_anew(&mut pace, &repeats);
        }
        let drained = tokio::select! {
            drained = drain(&context, &repeats, &mut pace) => drained,
            // A try that was begun without a network hangs on long after it is back.
            () = context.reconnected.notified(), if tries.is_failing() => {
                begin_anew(&mut pace, &repeats);
                continue;
            }
        };
        match next(&context, &mut tries, drained) {
            Next::Again => {}
            Next::Rest => {
                context.drained.notify_one();
                if !rest(&context, &mut changes).await {
                    return;
                }
            }
            Next::LeaveAlone(wait) => context.pause(wait).await,
            Next::TryIn(wait) => tokio::select! {
                () = context.pause(wait) => {}
                () = context.reconnected.notified() => begin_anew(&mut pace, &repeats),
                () = context.poked.notified() => {}
            },
        }
    }
}

/// The connection is back: what hung while there was none says little of the line there is now.
fn begin_anew(pace: &mut Pace, repeats: &Repeats) {
    pace.reconnected();
    repeats.reconnected();
}

/// Waits for work; false when the store is gone.
async fn rest<L, P>(context: &Context<L, P>, changes: &mut watch::Receiver<()>) -> bool {
    tokio::select! {
        changed = changes.changed() => changed.is_ok(),
        () = context.reconnected.notified() => true,
        () = context.poked.notified() => true,
        () = context.pause(LOOK_ANYWAY) => true,
    }
}

fn next<L, P>(context: &Context<L, P>, tries: &mut Tries, drained: Drained) -> Next {
    if drained.has_verdicts() {
        tries.reset();
    }
    if let Some(error) = &drained.interrupted {
        return after_failure(context, tries, error, drained.judged.retry_after);
    }
    context.board.show(|status| status.upload_error = None);
    if let Some(wait) = drained.judged.retry_after {
        return Next::LeaveAlone(wait);
    }
    match (drained.judged.left > 0 || drained.passed_over, drained.has_verdicts()) {
        (true, true) => Next::Again,
        // An answer without a verdict moves nothing on.
        (true, false) => Next::TryIn(failed(context, tries)),
        (false, _) => Next::Rest,
    }
}

fn after_failure<L, P>(
    context: &Context<L, P>,
    tries: &mut Tries,
    error: &Interrupted,
    asked: Option<Duration>,
) -> Next {
    tracing::info!(%error, "records were not sent");
    context.board.show(|status| status.upload_error = Some(error.to_string()));
    let delay = failed(context, tries);
    let mut asked = asked;
    if let Interrupted::Link(error) = error {
        if let Some(problem) = error.lasting() {
            context.board.refuse(context.clock.now(), problem);
        }
        asked = asked.max(error.retry_after());
    }
    match asked {
        Some(wait) => Next::LeaveAlone(wait.max(delay)),
        None => Next::TryIn(delay),
    }
}

/// A try failed; how long until the next.
fn failed<L, P>(context: &Context<L, P>, tries: &mut Tries) -> Duration {
    tries.failed(context.board.is_online(), (context.random)())
}
