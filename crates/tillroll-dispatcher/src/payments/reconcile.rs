//! The task that compares both sides: what the channel paid, and what is paid here.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::clock::Clock as _;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{ChannelFault, Event, SplitState};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::contract::PAGE;
use super::{PaymentChannel, PaymentFigures, PaymentId, PaymentSettings, Statement, Told};
use crate::job::StoreNo;
use crate::nodes::Duty;
use crate::schedule::SteadyClock;
use crate::splits::{Cause, Split, SplitKey};
use crate::store::{Splits, StoreError};

/// Time for one page.
const CALL: Duration = Duration::from_secs(10);

/// What one comparison found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Round {
    /// Payments of the channel that were looked at.
    pub there: u64,
    /// Paid splits that were looked at.
    pub here: u64,
    /// What one side missed, and was repaired under the same id.
    pub repairs: u64,
    /// Amounts that differ: a person is asked.
    pub differences: u64,
    /// Payments that nobody here asked for.
    pub foreign: u64,
}

/// Why a comparison did not come to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Broken {
    /// The channel did not answer.
    #[error("the channel did not answer: {0:?}")]
    Channel(ChannelFault),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ChannelFault> for Broken {
    fn from(fault: ChannelFault) -> Self {
        Self::Channel(fault)
    }
}

/// Compares until it is stopped.
pub(crate) struct Reconciler<S, C> {
    pub store: S,
    pub channel: C,
    pub clock: SteadyClock,
    pub settings: PaymentSettings,
    pub figures: Arc<PaymentFigures>,
    pub duty: Duty,
}

impl<S: Splits, C: PaymentChannel> Reconciler<S, C> {
    pub async fn run(&self, stopping: CancellationToken) {
        let mut rounds = interval(self.settings.compare_every);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stopping.cancelled() => return,
                _ = rounds.tick() => {}
            }
            if self.duty.is_ours() {
                tokio::select! {
                    () = stopping.cancelled() => return,
                    () = self.compare_and_tell() => {}
                }
            }
        }
    }

    async fn compare_and_tell(&self) {
        match self.compare().await {
            Ok(round) => {
                let alarm = round.repairs > self.settings.alarm_over;
                if alarm || round.differences + round.foreign > 0 {
                    tracing::error!(?round, "the channel's payments and the splits differ");
                }
                self.figures.compared(&round, alarm);
            }
            Err(error) => tracing::warn!(%error, "splits were not compared with the channel"),
        }
    }

    /// Both sides over the whole stretch.
    pub async fn compare(&self) -> Result<Round, Broken> {
        let now = self.clock.now();
        let from = now.checked_sub(self.settings.compare_over).unwrap_or(Timestamp::MIN);
        let until = now.checked_sub(self.settings.compare_after).unwrap_or(Timestamp::MIN);
        let mut round = Round::default();
        self.look_there(from, until, &mut round).await?;
        self.look_here(from, until, &mut round).await?;
        Ok(round)
    }

    async fn look_there(
        &self,
        from: Timestamp,
        until: Timestamp,
        round: &mut Round,
    ) -> Result<(), Broken> {
        let mut past = 0;
        loop {
            let page = self.channel.statement(from, until, past, CALL).await?;
            let Some(last) = page.last().map(|line| line.no).filter(|no| *no > past) else {
                return Ok(());
            };
            past = last;
            for line in page {
                round.there += 1;
                self.meet_payment(&line, round).await?;
            }
        }
    }

    /// What the channel paid is paid here too.
    async fn meet_payment(&self, line: &Statement, round: &mut Round) -> Result<(), Broken> {
        let split = match line.id.parse::<PaymentId>() {
            Ok(id) => self.store.split(id.store, id.split).await?,
            Err(_) => None,
        };
        let Some(split) = split else {
            round.foreign += 1;
            tracing::error!(id = line.id, "the channel paid what nobody here asked for");
            return Ok(());
        };
        if split.facts.by_hand {
            return Ok(());
        }
        if split.amount != line.amount {
            self.differs(&split, line.amount, round).await?;
        } else if split.facts.state != SplitState::Succeeded {
            round.repairs +=
                u64::from(self.happen(&split, Event::Paid, "by the channel's statement").await?);
        }
        Ok(())
    }

    /// What is paid here is paid at the channel too.
    async fn look_here(
        &self,
        from: Timestamp,
        until: Timestamp,
        round: &mut Round,
    ) -> Result<(), Broken> {
        let mut past = (from, SplitKey { store: StoreNo(0), seq: 0 });
        loop {
            let page = self.store.paid_splits(past, until, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            past = (last.changed_at, last.key);
            let told = self.channel.ask(page.iter().map(PaymentId::of).collect(), CALL).await?;
            for (split, told) in page.iter().zip(told) {
                round.here += 1;
                self.meet_split(split, told, round).await?;
            }
        }
    }

    async fn meet_split(&self, split: &Split, told: Told, round: &mut Round) -> Result<(), Broken> {
        match told {
            Told::Paid(amount) | Told::Queued(amount) if amount != split.amount => {
                self.differs(split, amount, round).await
            }
            Told::Paid(_) | Told::Queued(_) | Told::Differs => Ok(()),
            Told::NotThere | Told::Refused(_) => {
                let missing = self.happen(split, Event::Missing, "not at the channel").await?;
                round.repairs += u64::from(missing);
                Ok(())
            }
        }
    }

    async fn differs(&self, split: &Split, there: Minor, round: &mut Round) -> Result<(), Broken> {
        round.differences += 1;
        let note = format!("the channel has {}", there.0);
        self.happen(split, Event::Differs, &note).await.map(drop)
    }

    /// Changes a split as it was read; one that has changed meanwhile is looked at in the next round.
    async fn happen(&self, split: &Split, event: Event, note: &str) -> Result<bool, Broken> {
        let cause = Cause { note: Some(note.to_owned()), ..Cause::itself(self.clock.now(), 0) };
        let Ok(change) = split.after(event, &cause) else { return Ok(false) };
        let changed = self.store.change_splits(vec![change]).await?;
        Ok(matches!(changed.first(), Some(crate::splits::SplitChanged::Done(_))))
    }
}
