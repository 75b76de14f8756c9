//! A job that waits too long comes on the to-do list by its age: no commit tells of that. This sleeps until
//! the next job does, and gives the hint.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_store::{Hint, Waiting};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::Register;
use crate::register::WeakRegister;

/// Jobs whose time comes this close together are told of at once.
const GATHER: Duration = Duration::from_millis(100);
/// On a busy till it looks again so often at the most: no job is overdue sooner, as an owner may choose a
/// second at the least.
const LOOK_GAP: Duration = Duration::from_secs(1);
/// Timers stand still while the machine is suspended; it looks all the same once in so long.
const LOOK_ANYWAY: Duration = Duration::from_secs(60);

/// Runs until the register ends.
pub(crate) async fn tell(register: WeakRegister) {
    let Some(mut changes) = register.upgrade().map(|register| register.store().feed().changes())
    else {
        return;
    };
    // Whoever listens reads what is overdue now by itself.
    let mut told_before = Timestamp::MAX;
    loop {
        changes.mark_unchanged();
        let Some(register) = register.upgrade() else { return };
        let wait = register.tell_overdue(&mut told_before).await;
        drop(register);
        tokio::select! {
            () = sleep(wait) => {}
            ended = changed_later(&mut changes) => if ended { return },
        }
    }
}

/// Waits for a change, a while from now at the soonest; whether the register has ended.
async fn changed_later(changes: &mut watch::Receiver<()>) -> bool {
    sleep(LOOK_GAP).await;
    changes.changed().await.is_err()
}

impl Register {
    /// Tells of a job that is overdue now; those that wait since before `told_before` were told of. How long
    /// until the next look.
    async fn tell_overdue(&self, told_before: &mut Timestamp) -> Duration {
        let overdue_before = self.overdue_before();
        // A longer limit, or a clock set back, makes some wait again that were overdue.
        *told_before = overdue_before.min(*told_before);
        match self.store().next_waiting(*told_before).await {
            Ok(Some(job)) if job.since < overdue_before => {
                *told_before = overdue_before;
                self.store().feed().hint(Hint::Job { id: job.job_id });
                GATHER
            }
            Ok(Some(job)) => until_overdue(&job, overdue_before).min(LOOK_ANYWAY),
            Ok(None) => LOOK_ANYWAY,
            Err(error) => {
                tracing::debug!(%error, "what waits could not be read");
                LOOK_ANYWAY
            }
        }
    }
}

fn until_overdue(job: &Waiting, overdue_before: Timestamp) -> Duration {
    let ahead = job.since.duration_since(overdue_before);
    Duration::try_from(ahead).unwrap_or_default() + GATHER
}
