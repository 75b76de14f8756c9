//! Splits and the share tables they follow.

use std::future::Future;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::splits::{Call, ShareTable, SplitState};

use super::Stored;
use crate::job::StoreNo;
use crate::splits::{
    NewSplit, Prepared, Split, SplitChange, SplitChanged, SplitKey, SplitRecord, SplitTotals,
};

/// What the setting of a share table came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableSet {
    /// It is new.
    New,
    /// It was set before.
    Replayed,
    /// Its version is another table.
    Conflict,
    /// Versions follow each other: this one would be the next.
    OutOfOrder {
        /// The next one.
        next: u32,
    },
}

/// A day's splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SplitDay {
    /// Orders shared.
    pub shares: SplitTotals,
    /// Refunds.
    pub refunds: SplitTotals,
}

/// The splits of all stores. Instants are the dispatcher's, passed in.
pub trait Splits: Clone + Send + Sync + 'static {
    /// Sets the next version of a store's share table; one that is set never changes.
    fn set_share_table(
        &self,
        store: StoreNo,
        table: ShareTable,
        now: Timestamp,
    ) -> impl Future<Output = Stored<TableSet>> + Send;

    /// Every version of a store's share table, the first one first.
    fn share_tables(&self, store: StoreNo) -> impl Future<Output = Stored<Vec<ShareTable>>> + Send;

    /// Says whether the registers of a store share its orders.
    fn set_sharing(&self, store: StoreNo, on: bool) -> impl Future<Output = Stored<()>> + Send;

    /// Makes a split, or says what was made under its id.
    fn prepare_split(&self, new: NewSplit) -> impl Future<Output = Stored<Prepared>> + Send;

    /// A split as it stands.
    fn split(
        &self,
        store: StoreNo,
        id: String,
    ) -> impl Future<Output = Stored<Option<Split>>> + Send;

    /// Splits of a store by state, newest first, before a number; at most `limit`.
    fn splits(
        &self,
        store: StoreNo,
        state: Option<SplitState>,
        before: Option<i64>,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<Split>>> + Send;

    /// Changes rows, each only if it still has the version it was made from, and records each change.
    fn change_splits(
        &self,
        changes: Vec<SplitChange>,
    ) -> impl Future<Output = Stored<Vec<SplitChanged>>> + Send;

    /// Claims splits of all stores that are due, longest first, at most `limit`: each is one asker's, with
    /// the call it is to make. One whose time for tries is over goes to a person instead, with no call.
    fn claim_splits(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<(Split, Option<Call>)>>> + Send;

    /// Makes splits due that wait for their next try, all stores, at most `limit`; how many.
    fn hasten_splits(&self, now: Timestamp, limit: u32)
    -> impl Future<Output = Stored<u64>> + Send;

    /// What happened to a split, oldest first.
    fn split_history(&self, key: SplitKey)
    -> impl Future<Output = Stored<Vec<SplitRecord>>> + Send;

    /// A day of a store.
    fn split_day(&self, store: StoreNo, day: Date)
    -> impl Future<Output = Stored<SplitDay>> + Send;

    /// Splits of all stores that the channel paid in a stretch of time, oldest first, past a place in it; at
    /// most `limit`. What a person settled is not among them.
    fn paid_splits(
        &self,
        past: (Timestamp, SplitKey),
        until: Timestamp,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<Split>>> + Send;

    /// How many splits are in each state that is not final, all stores; for metrics.
    fn open_splits(&self) -> impl Future<Output = Stored<Vec<(SplitState, u64)>>> + Send;
}

impl TableSet {
    /// What the setting of a table comes to beside those that are set; `None` where it is to be stored.
    pub(crate) fn met(tables: &[ShareTable], table: &ShareTable) -> Option<Self> {
        let next = tables.iter().map(|table| table.version).max().unwrap_or(0) + 1;
        let known = tables.iter().find(|known| known.version == table.version);
        match known {
            Some(known) if known == table => Some(Self::Replayed),
            Some(_) => Some(Self::Conflict),
            None if table.version == next => None,
            None => Some(Self::OutOfOrder { next }),
        }
    }
}
