//! The task that delivers what is due.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::{HookFigures, HookSettings, Sender, retry, send};
use crate::nodes::Duty;
use crate::schedule::SteadyClock;
use crate::store::{DispatcherStore, HookDelivery};

/// Due deliveries read together.
const READ: u32 = 256;
/// An outcome that could not be stored is stored again after this.
const STORE_AGAIN: Duration = Duration::from_secs(1);

/// Delivers until it is stopped. What is under way then is tried again after the next start.
pub(crate) struct Deliveries<S> {
    pub store: S,
    pub clock: SteadyClock,
    pub sender: Sender,
    pub settings: HookSettings,
    pub figures: Arc<HookFigures>,
    pub duty: Duty,
}

/// The key of each delivery under way.
type UnderWay = BTreeMap<i64, i64>;

impl<S: DispatcherStore> Deliveries<S> {
    pub async fn run(self, stopping: CancellationToken) {
        let this = Arc::new(self);
        let mut looks = interval(this.settings.look_every);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut tries, mut under_way) = (JoinSet::new(), UnderWay::new());
        let mut due = VecDeque::new();
        loop {
            tokio::select! {
                () = stopping.cancelled() => return,
                _ = looks.tick() => due = this.look(&under_way).await,
                Some(done) = tries.join_next() => match done {
                    Ok(id) => drop(under_way.remove(&id)),
                    // Its delivery stays under way: it would panic again.
                    Err(error) => tracing::error!(%error, "a delivery panicked"),
                },
            }
            this.begin(&mut due, &mut under_way, &mut tries);
        }
    }

    async fn look(&self, under_way: &UnderWay) -> VecDeque<HookDelivery> {
        if !self.duty.is_ours() {
            return VecDeque::new();
        }
        match self.store.due_deliveries(self.clock.now(), READ).await {
            Ok(mut due) => {
                due.retain(|delivery| !under_way.contains_key(&delivery.id));
                due.into()
            }
            Err(error) => {
                tracing::warn!(%error, "due webhooks could not be read");
                VecDeque::new()
            }
        }
    }

    /// Begins as many as there is room for; those whose receiver has enough wait for one of its to end.
    fn begin(
        self: &Arc<Self>,
        due: &mut VecDeque<HookDelivery>,
        under_way: &mut UnderWay,
        tries: &mut JoinSet<i64>,
    ) {
        while let Some(delivery) = take_next(due, under_way, &self.settings) {
            under_way.insert(delivery.id, delivery.hook.api_key);
            tries.spawn(Arc::clone(self).try_once(delivery));
        }
    }

    async fn try_once(self: Arc<Self>, delivery: HookDelivery) -> i64 {
        let sent = self.sender.send(&delivery, self.clock.now()).await;
        let (delivered, again_at) = match &sent {
            Ok(()) => (true, None),
            Err(failed) => (false, self.again_at(&delivery, failed)),
        };
        self.count(&delivery, &sent, again_at);
        self.settle(&delivery, delivered, again_at).await;
        delivery.id
    }

    fn again_at(&self, delivery: &HookDelivery, failed: &send::Failed) -> Option<Timestamp> {
        let wait = retry::wait_after(delivery.tries + 1).filter(|_| !failed.is_final())?;
        self.clock.now().checked_add(wait).ok()
    }

    fn count(
        &self,
        delivery: &HookDelivery,
        sent: &Result<(), send::Failed>,
        again_at: Option<Timestamp>,
    ) {
        let (id, api_key) = (delivery.id, delivery.hook.api_key);
        let counter = match (sent, again_at) {
            (Ok(()), _) => &self.figures.delivered,
            (Err(failed), Some(again_at)) => {
                tracing::info!(id, api_key, %failed, %again_at, "a webhook is tried again");
                &self.figures.failed
            }
            (Err(failed), None) => {
                tracing::warn!(id, api_key, %failed, "a webhook was given up");
                &self.figures.given_up
            }
        };
        counter.fetch_add(1, Relaxed);
    }

    /// Stores the outcome, however long that takes: a delivery that stays due would be sent again.
    async fn settle(&self, delivery: &HookDelivery, delivered: bool, again_at: Option<Timestamp>) {
        let id = delivery.id;
        while let Err(error) =
            self.store.settle_delivery(id, delivered, again_at, self.clock.now()).await
        {
            tracing::warn!(%error, id, "the outcome of a webhook was not stored");
            sleep(STORE_AGAIN).await;
        }
    }
}

/// Takes the oldest that there is room for; the others keep their places.
fn take_next(
    due: &mut VecDeque<HookDelivery>,
    under_way: &UnderWay,
    settings: &HookSettings,
) -> Option<HookDelivery> {
    if under_way.len() >= settings.at_once {
        return None;
    }
    let to = |key: i64| under_way.values().filter(|other| **other == key).count();
    let place = due.iter().position(|next| to(next.hook.api_key) < settings.to_one)?;
    due.remove(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Hook;

    fn due(keys: &[i64]) -> VecDeque<HookDelivery> {
        let delivery = |(id, api_key): (i64, &i64)| HookDelivery {
            id,
            hook: Hook { api_key: *api_key, url: String::new(), secret: String::new() },
            body: String::new(),
            tries: 0,
            created_at: Timestamp::UNIX_EPOCH,
        };
        (0..).zip(keys).map(delivery).collect()
    }

    fn taken(due: &mut VecDeque<HookDelivery>, under_way: &UnderWay) -> Option<i64> {
        let settings = HookSettings { at_once: 6, to_one: 4, ..HookSettings::default() };
        take_next(due, under_way, &settings).map(|delivery| delivery.id)
    }

    #[test]
    fn delivery_whose_receiver_has_enough_keeps_its_place_and_holds_up_nobody() {
        let mut due = due(&[1, 1, 2, 1]);
        let mut under_way: UnderWay = [(90, 1), (91, 1), (92, 1), (93, 1)].into();
        assert_eq!(taken(&mut due, &under_way), Some(2), "another receiver's");
        assert_eq!(taken(&mut due, &under_way), None);
        under_way.remove(&90);
        assert_eq!(taken(&mut due, &under_way), Some(0), "at once, in order");
        under_way.extend([(94, 3), (95, 4), (96, 5)]);
        assert_eq!((taken(&mut due, &under_way), due.len()), (None, 2), "as many as there may be");
    }
}
