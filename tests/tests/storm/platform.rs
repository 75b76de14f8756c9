//! The business system: sends every job in its time, and again until it is taken.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tillroll_dispatcher::job::Inserted;
use tillroll_testkit::{Dice, receipts};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::cloud::{Cloud, Sender};
use crate::history::History;
use crate::order::Order;
use crate::plan::Plan;
use crate::shop::{self, Place};

/// A job that was not taken is sent again after this.
const SEND_AGAIN: Duration = Duration::from_millis(500);

/// What a platform needs to send.
#[derive(Clone)]
pub struct Platform {
    pub plan: Plan,
    pub cloud: Cloud,
    pub sender: Sender,
    pub places: Arc<Vec<Place>>,
    pub history: History,
    /// The wall clock when the run began.
    pub epoch: Timestamp,
}

impl Platform {
    /// Sends every job of the plan; the list of those that were taken, which is all of them.
    pub async fn send_all(self) -> Vec<Order> {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let mut sending = JoinSet::new();
        let mut dice = Dice::new(self.plan.seed).of(12);
        let apart = self.plan.length() / self.plan.jobs;
        for number in 1..=self.plan.jobs {
            let shop = usize::try_from(dice.below(self.plan.shops as u64)).unwrap();
            let (platform, taken) = (self.clone(), Arc::clone(&taken));
            sending.spawn(async move {
                let order = platform.send(number, shop).await;
                taken.lock().unwrap_or_else(PoisonError::into_inner).push(order);
            });
            sleep(apart / 2 + dice.within(&(Duration::ZERO..apart))).await;
        }
        while let Some(sent) = sending.join_next().await {
            sent.unwrap();
        }
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *taken)
    }

    async fn send(&self, number: u32, shop: usize) -> Order {
        loop {
            if let Some(order) = self.try_send(number, shop).await {
                return order;
            }
            sleep(SEND_AGAIN).await;
        }
    }

    /// `None` while the dispatcher is away: the same job is sent again.
    async fn try_send(&self, number: u32, shop: usize) -> Option<Order> {
        let node = self.cloud.node()?;
        let (code, receipt) = (shop::code(shop), receipts::simple(number));
        let place = self.places[shop];
        let new = self.cloud.job(&node, self.sender, (place.store, &code), &receipt);
        let inserted = node.scheduler.submit(new).await;
        let job = match inserted {
            Ok(Inserted::New(job) | Inserted::Replayed(job)) => job,
            Ok(Inserted::Conflict { stored }) => panic!("job {number} is stored as {stored}"),
            Err(_) => return None,
        };
        self.history.note(format_args!("taken {shop} {}", job.id));
        let since = |at: Timestamp| Duration::try_from(at.duration_since(self.epoch)).unwrap();
        let (taken, deadline) = (since(job.created_at), since(job.deadline_at));
        Some(Order { shop, id: job.id, taken, deadline })
    }
}
