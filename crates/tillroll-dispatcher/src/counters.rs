//! Counters of a store: what is in stock, what each register took, and the store's flow number.
//!
//! Invariants:
//! - One request changes stock, figures and flow number together, in one transaction, or changes nothing.
//! - A request id counts once. The same id with the same body gets the stored answer and writes nothing; with
//!   another body it is a conflict.
//! - The ledger has one entry for each request that counted, under a flow number of its store without gaps. It is
//!   the truth and never changes; everything else can be counted anew from it.
//! - Stock never goes below zero, and no figure past [`FIGURE_MAX`].
//!
//! What a batch of requests comes to is decided by `tally`, which is pure: engines read what it needs and
//! write what it says.

pub(crate) mod audit;
mod check;
mod day;
mod entry;
mod lanes;
mod outcome;
mod request;
pub(crate) mod sums;
pub(crate) mod tally;

use std::future::Future;

use jiff::civil::Date;
use tillroll_domain::ids::Part;

pub use self::audit::{AuditCounts, AuditFigures};
pub use self::check::{Compared, DIFFERENCES_MAX, DayCheck, Difference};
pub(crate) use self::check::{GAPS_MAX, Observed};
pub(crate) use self::day::SKUS_MAX;
pub use self::day::{CounterDay, Figures, HourFigures, Movement, RegisterFigures, StockDay};
pub use self::entry::{Entry, EntryKind, Moved};
pub(crate) use self::entry::{moved_of_text, moved_to_text};
pub use self::lanes::{LaneSettings, Lanes};
pub use self::outcome::{NotCounted, Outcome, Shortage};
pub use self::request::{
    AMOUNT_MAX, Change, DAYS_AHEAD, DAYS_BEHIND, FIGURE_MAX, ITEMS_MAX, Invalid, QUANTITY_MAX,
    REQUEST_ID_MAX, Request, StockChange, Trade, TradeKind,
};
use crate::job::StoreNo;
use crate::store::Stored;

/// The durable counters of every store. Cheap to clone.
pub trait Counters: Clone + Send + Sync + 'static {
    /// Counts requests of one store in their order, in one transaction; an outcome for each, in order. When it is
    /// not answered, none of them counted, or all that could.
    fn count(
        &self,
        store: StoreNo,
        requests: Vec<Request>,
    ) -> impl Future<Output = Stored<Vec<Outcome>>> + Send;

    /// What is in stock; `None` for a sku that was never counted.
    fn stock(&self, store: StoreNo, sku: Part) -> impl Future<Output = Stored<Option<i64>>> + Send;

    /// A store's day by register, hour and sku, as counted.
    fn counter_day(
        &self,
        store: StoreNo,
        day: Date,
    ) -> impl Future<Output = Stored<CounterDay>> + Send;

    /// Compares the counters of a day with the ledger.
    fn check_counters(
        &self,
        store: StoreNo,
        day: Date,
    ) -> impl Future<Output = Stored<DayCheck>> + Send;

    /// Counts the figures of a day anew from the ledger, and the stock of what moved on it.
    fn rebuild_counters(
        &self,
        store: StoreNo,
        day: Date,
    ) -> impl Future<Output = Stored<()>> + Send;

    /// Stores with counters, by number after `after`; at most `limit`.
    fn counted_stores(
        &self,
        after: StoreNo,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<StoreNo>>> + Send;
}
