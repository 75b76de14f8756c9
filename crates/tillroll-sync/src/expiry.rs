//! Pushed jobs that nobody started in time are held at that time, whatever their printer does.

use std::sync::Arc;
use std::time::Duration;

use tillroll_store::StoreError;

use crate::context::Context;
use crate::wait::LOOK;

/// Without a deadline ahead it is looked all the same once in so long.
const LOOK_ANYWAY: Duration = Duration::from_secs(60);

/// Holds what expires, for as long as it is polled.
pub(crate) async fn run<L, P>(context: Arc<Context<L, P>>)
where
    L: Send + Sync + 'static,
    P: Send + Sync + 'static,
{
    let mut changes = context.store.feed().changes();
    loop {
        changes.borrow_and_update();
        let wait = match hold(&context).await {
            Ok(next) => next.unwrap_or(LOOK_ANYWAY),
            Err(error) => {
                tracing::warn!(%error, "jobs that expire could not be held");
                LOOK
            }
        };
        tokio::select! {
            () = context.pause(wait) => {}
            // A store that is gone has no more deadlines.
            changed = changes.changed() => if changed.is_err() { return },
        }
    }
}

/// Holds what has expired; how long until the next.
async fn hold<L, P>(context: &Context<L, P>) -> Result<Option<Duration>, StoreError> {
    loop {
        let (now, boot) = (context.clock.now(), context.clock.boot());
        match context.store.next_expiry(now, boot).await? {
            Some(Duration::ZERO) => {
                let held = context.store.hold_expired(now, boot).await?;
                tracing::warn!(
                    held,
                    "jobs of the head office were not started in time and are held"
                );
            }
            next => return Ok(next),
        }
    }
}
