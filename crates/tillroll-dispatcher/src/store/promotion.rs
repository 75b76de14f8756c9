//! Promotions: for a while a store's registers may do their actions more often.

use std::future::Future;

use jiff::Timestamp;

use super::Stored;
use crate::job::StoreNo;

/// A promotion of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promotion {
    /// The limits in percent of the usual ones, 100 to 1000.
    pub percent: u32,
    /// From then on it is over.
    pub until: Timestamp,
}

/// The promotion of each store: at most one.
pub trait Promotions: Clone + Send + Sync + 'static {
    /// The promotion that was begun last, over or not.
    fn promotion(&self, store: StoreNo) -> impl Future<Output = Stored<Option<Promotion>>> + Send;

    /// Begins a promotion in place of the one that is there; none ends it.
    fn set_promotion(
        &self,
        store: StoreNo,
        promotion: Option<Promotion>,
    ) -> impl Future<Output = Stored<()>> + Send;
}
