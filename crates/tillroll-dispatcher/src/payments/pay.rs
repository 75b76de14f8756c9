//! The task that pays what is due.

use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_domain::splits::{Call, ChannelFault, Event, is_live};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::{Answer, Payment, PaymentChannel, PaymentFigures, PaymentId, PaymentSettings, Told};
use crate::nodes::Duty;
use crate::schedule::{Bucket, SteadyClock};
use crate::splits::{Cause, Split, SplitChanged};
use crate::store::Splits;

/// An outcome that could not be stored is stored again after this.
const STORE_AGAIN: Duration = Duration::from_secs(1);
/// Splits made due together.
const HASTEN: u32 = 1_000;

/// Pays until it is stopped. What is under way then is asked about after the next start.
pub(crate) struct Payer<S, C> {
    pub store: S,
    pub channel: C,
    pub clock: SteadyClock,
    pub settings: PaymentSettings,
    pub figures: Arc<PaymentFigures>,
    pub duty: Duty,
    pub random: fn() -> u32,
}

/// Whether the channel answers, by the calls that came to their end.
#[derive(Debug, Default)]
struct Reach {
    faults: u32,
    gone: bool,
    probed: Duration,
}

impl<S: Splits, C: PaymentChannel> Payer<S, C> {
    pub async fn run(self, stopping: CancellationToken) {
        let this = Arc::new(self);
        let mut looks = interval(this.settings.look_every);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut calls, mut reach) = (JoinSet::new(), Reach::default());
        let mut rate = Bucket::new(this.settings.per_s);
        loop {
            tokio::select! {
                () = stopping.cancelled() => return,
                _ = looks.tick() => this.look(&mut calls, &mut rate, &mut reach).await,
                Some(done) = calls.join_next() => match done {
                    Ok(answered) => this.hear(&mut reach, answered).await,
                    // Its row stays as it is, and is asked about when its call must be over.
                    Err(error) => tracing::error!(%error, "the payment of a split panicked"),
                },
            }
        }
    }

    /// Begins as many calls as there is room for; one, to find a channel that is gone.
    async fn look(
        self: &Arc<Self>,
        calls: &mut JoinSet<bool>,
        rate: &mut Bucket,
        reach: &mut Reach,
    ) {
        let now = self.clock.boot();
        if !self.duty.is_ours() {
            return;
        }
        if reach.gone {
            if calls.is_empty() && now >= reach.probed + self.settings.probe_every {
                reach.probed = now;
                self.probe(calls).await;
            }
            return;
        }
        let free = self.settings.at_once.saturating_sub(calls.len());
        let passes = (0..free).take_while(|_| rate.take(now)).count();
        self.begin(u32::try_from(passes).unwrap_or(u32::MAX), calls).await;
    }

    /// A split that is due, or a question about none.
    async fn probe(self: &Arc<Self>, calls: &mut JoinSet<bool>) {
        self.begin(1, calls).await;
        if calls.is_empty() {
            let (channel, limit) = (self.channel.clone(), self.settings.probe_every);
            calls.spawn(async move { channel.ask(Vec::new(), limit).await.is_ok() });
        }
    }

    async fn begin(self: &Arc<Self>, most: u32, calls: &mut JoinSet<bool>) {
        if most == 0 {
            return;
        }
        let claimed = match self.store.claim_splits(self.clock.now(), most).await {
            Ok(claimed) => claimed,
            Err(error) => return tracing::warn!(%error, "due splits could not be claimed"),
        };
        for (split, call) in claimed {
            match call {
                Some(call) => drop(calls.spawn(Arc::clone(self).call(split, call))),
                None => tracing::warn!(id = split.id, "a split is left to a person"),
            }
        }
        self.figures.under_way(calls.len());
    }

    /// Makes a call and stores what came of it; whether the channel answered.
    async fn call(self: Arc<Self>, mut split: Split, mut call: Call) -> bool {
        loop {
            let answer = self.ask_channel(&split, call).await;
            self.figures.told(&answer);
            let next = self.settle(&split, event(&answer)).await;
            match next {
                Some((changed, Some(next))) => (split, call) = (changed, next),
                Some((_, None)) | None => return answer.is_ok(),
            }
        }
    }

    async fn ask_channel(&self, split: &Split, call: Call) -> Answer<Told> {
        let (tries, id) = (split.facts.tries, PaymentId::of(split));
        let limit = split.pace.limit(tries);
        match call {
            // An order to pay is answered with what became of it, or it is not answered.
            Call::Pay => match self.channel.pay(payment(split), limit).await {
                Ok(Told::NotThere) => Err(ChannelFault::Unanswered),
                answer => answer,
            },
            Call::Ask => {
                let told = self.channel.ask(vec![id], limit).await?.pop();
                Ok(match told.ok_or(ChannelFault::Unanswered)? {
                    Told::Paid(amount) | Told::Queued(amount) if amount != split.amount => {
                        Told::Differs
                    }
                    // What was refused once may be taken now.
                    Told::Refused(_) => Told::NotThere,
                    told @ (Told::Paid(_) | Told::Queued(_) | Told::Differs | Told::NotThere) => {
                        told
                    }
                })
            }
        }
    }

    /// Stores what a call came to, however long that takes; `None` when the split has changed meanwhile.
    async fn settle(&self, split: &Split, event: Event) -> Option<(Split, Option<Call>)> {
        let cause = Cause::itself(self.clock.now(), (self.random)());
        let change = split.after(event, &cause).ok()?;
        let call = change.call;
        loop {
            match self.store.change_splits(vec![change.clone()]).await {
                Ok(changed) => match changed.into_iter().next()? {
                    SplitChanged::Done(changed) => return Some((changed, call)),
                    // After an answer that was lost it is the very change asked for; then all is well too.
                    SplitChanged::Stale(_) | SplitChanged::Gone(_) => return None,
                },
                Err(error) => {
                    tracing::warn!(%error, id = split.id, "what came of a split was not stored");
                    sleep(STORE_AGAIN).await;
                }
            }
        }
    }

    async fn hear(&self, reach: &mut Reach, answered: bool) {
        let was_gone = reach.gone;
        reach.faults = if answered { 0 } else { reach.faults.saturating_add(1) };
        reach.gone = if answered { false } else { reach.faults >= self.settings.gone_after };
        self.figures.set_gone(reach.gone);
        match (was_gone, reach.gone) {
            (true, false) => self.hasten().await,
            (false, true) => tracing::warn!("the channel that pays splits does not answer"),
            (true, true) | (false, false) => {}
        }
    }

    /// The channel is back: what waits for its next try is due at once.
    async fn hasten(&self) {
        tracing::info!("the channel that pays splits answers again");
        loop {
            match self.store.hasten_splits(self.clock.now(), HASTEN).await {
                Ok(hastened) if hastened >= u64::from(HASTEN) => {}
                Ok(_) => return,
                Err(error) => return tracing::warn!(%error, "waiting splits were not hastened"),
            }
        }
    }
}

fn payment(split: &Split) -> Payment {
    let of = split.of.clone().map(|of| PaymentId { store: split.key.store, split: of });
    Payment {
        id: PaymentId::of(split),
        of,
        amount: split.amount,
        currency: split.currency.code().to_owned(),
        parts: split.parts.clone(),
        try_no: split.facts.tries,
        live: is_live(split.facts.tries),
    }
}

fn event(answer: &Answer<Told>) -> Event {
    match answer {
        Ok(Told::Paid(_)) => Event::Paid,
        Ok(Told::Queued(_)) => Event::Queued,
        Ok(Told::Refused(refusal)) => Event::Refused(*refusal),
        Ok(Told::Differs) => Event::Differs,
        Ok(Told::NotThere) => Event::NotThere,
        Err(fault) => Event::Faulted(*fault),
    }
}
