//! Splits: listed, settled by people, compared with the channel.

use tillroll_domain::clock::Clock as _;
use tillroll_domain::splits::{Event, SplitState, Verb};
use tillroll_wire::split::{SplitList, SplitView};
use tillroll_wire::{Code, Problem};

use super::{Admin, ROWS, problem};
use crate::http::{split_list, split_view};
use crate::payments::Round;
use crate::splits::{ActError, Cause, act};
use crate::store::Splits as _;

impl Admin {
    /// Says whether a store's registers have each sale and refund shared. They hear of it when they connect, and
    /// with the next records they send.
    ///
    /// # Errors
    /// When there is no such store, or nothing can be stored.
    pub async fn share_orders(&self, store: &str, on: bool) -> Result<(), Problem> {
        let store = self.store(store).await?.no;
        self.store.set_sharing(store, on).await.map_err(problem)
    }

    /// The newest splits of a store.
    ///
    /// # Errors
    /// When there is no such store, or it cannot be read.
    pub async fn splits(
        &self,
        store: &str,
        state: Option<SplitState>,
        limit: u32,
    ) -> Result<SplitList, Problem> {
        let (store, limit) = (self.store(store).await?.no, limit.clamp(1, ROWS));
        let splits = self.store.splits(store, state, None, limit).await.map_err(problem)?;
        Ok(split_list(splits, limit))
    }

    /// Settles a split for a person.
    ///
    /// # Errors
    /// When there is no such split, or its state does not allow it.
    pub async fn act_on_split(
        &self,
        store: &str,
        split: &str,
        verb: Verb,
        by: String,
        note: Option<String>,
    ) -> Result<SplitView, Problem> {
        let store = self.store(store).await?.no;
        let cause = Cause { by: Some(by), note, ..Cause::itself(self.clock.now(), 0) };
        let split = act(&self.store, store, split, Event::Asked(verb), &cause).await;
        Ok(split_view(split.map_err(refused)?, false))
    }

    /// Compares all splits with the configured channel, and repairs what one side misses.
    ///
    /// # Errors
    /// When no channel is configured, or one side cannot be read.
    pub async fn check_splits(&self) -> Result<Round, Problem> {
        let none =
            || Problem::new(Code::NotAllowed, "no channel is configured: set splits.channel");
        let reconciler = self.reconciler.as_ref().ok_or_else(none)?;
        let round = reconciler.compare().await;
        round.map_err(|error| Problem::new(Code::Unavailable, error.to_string()))
    }
}

fn refused(error: ActError) -> Problem {
    match error {
        ActError::NotFound => Problem::new(Code::NotFound, error.to_string()),
        ActError::Store(error) => problem(error),
        ActError::Refused(_) | ActError::OriginalNotPaid(_) => {
            Problem::new(Code::NotAllowed, error.to_string())
        }
        ActError::Busy => Problem::new(Code::InProgress, error.to_string()),
    }
}
