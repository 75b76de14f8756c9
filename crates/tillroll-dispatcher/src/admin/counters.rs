//! Counters: a store's day compared with its ledger, and counted anew from it.

use jiff::civil::Date;
use tillroll_wire::Problem;

use super::{Admin, problem};
use crate::counters::{Counters as _, DayCheck};

impl Admin {
    /// Compares the counters of a store's day with the ledger.
    ///
    /// # Errors
    /// When there is no such store, or it cannot be read.
    pub async fn check_counters(&self, store: &str, day: Date) -> Result<DayCheck, Problem> {
        let store = self.store(store).await?.no;
        self.store.check_counters(store, day).await.map_err(problem)
    }

    /// Counts the figures of a store's day anew from the ledger; what differs then.
    ///
    /// # Errors
    /// When there is no such store, or nothing can be stored.
    pub async fn rebuild_counters(&self, store: &str, day: Date) -> Result<DayCheck, Problem> {
        let no = self.store(store).await?.no;
        self.store.rebuild_counters(no, day).await.map_err(problem)?;
        self.check_counters(store, day).await
    }
}
