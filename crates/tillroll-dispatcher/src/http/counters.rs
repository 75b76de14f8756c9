//! Requests to the counters as business systems send them, and the answers.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::ids::Part;
use tillroll_wire::Code;
use utoipa::ToSchema;

use super::problem::{Fingerprints, Refusal};
use crate::counters::{
    Change, CounterDay, Entry, Figures, Invalid, Moved, NotCounted, Outcome, Request, StockChange,
    Trade, TradeKind,
};

/// A sale or a refund.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "Trade")]
pub(super) struct TradeBody {
    /// Its id, unique in the store: the same id counts once.
    #[schema(min_length = 1, max_length = 300)]
    request_id: String,
    /// The business day it belongs to, by the store's own zone and cut-off.
    #[schema(value_type = String, format = Date)]
    day: Date,
    /// The register's name.
    #[schema(value_type = String)]
    register: Part,
    // Described by itself: a description here would stand beside it as a second type.
    #[schema(inline)]
    kind: TradeKind,
    /// What is sold or given back; lines of one sku add up.
    #[schema(min_items = 1)]
    items: Vec<ItemBody>,
    /// The amount, never negative: the kind turns the sign.
    #[schema(minimum = 0, maximum = 99_999_999_999_999_i64)]
    amount_minor: i64,
}

/// How much of what.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "TradeItem")]
struct ItemBody {
    /// The sku.
    #[schema(value_type = String)]
    sku: Part,
    /// How much, in whatever its stock is counted in.
    #[schema(minimum = 1, maximum = 999_999_999)]
    quantity: i64,
}

/// A change of stock: one of `set` and `adjust`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "StockChange")]
pub(super) struct StockBody {
    /// Its id, unique in the store: the same id counts once.
    #[schema(min_length = 1, max_length = 300)]
    request_id: String,
    /// The business day it belongs to.
    #[schema(value_type = String, format = Date)]
    day: Date,
    /// What there is, as counted.
    #[schema(minimum = 0, maximum = 999_999_999)]
    set: Option<i64>,
    /// How much more there is; less when negative.
    #[schema(minimum = -999_999_999, maximum = 999_999_999)]
    adjust: Option<i64>,
}

impl TradeBody {
    /// The request it is.
    pub fn read(self, at: Timestamp) -> Result<Request, Refusal> {
        let Self { request_id, day, register, kind, items, amount_minor } = self;
        let items = merge(items)?;
        let change = Change::Trade(Trade { kind, register, items, amount_minor });
        Ok(Request::new(request_id, day, change, at)?)
    }
}

fn merge(items: Vec<ItemBody>) -> Result<BTreeMap<Part, i64>, Refusal> {
    let mut merged = BTreeMap::new();
    for (place, ItemBody { sku, quantity }) in items.into_iter().enumerate() {
        if quantity < 1 {
            return Err(Refusal::value(&format!("items[{place}].quantity"), "must be above zero"));
        }
        match merged.entry(sku) {
            Slot::Vacant(slot) => {
                slot.insert(quantity);
            }
            Slot::Occupied(mut slot) => *slot.get_mut() = slot.get().saturating_add(quantity),
        }
    }
    Ok(merged)
}

impl StockBody {
    /// The request it is.
    pub fn read(self, sku: Part, at: Timestamp) -> Result<Request, Refusal> {
        let change = match (self.set, self.adjust) {
            (Some(to), None) => StockChange::Set(to),
            (None, Some(by)) => StockChange::Adjust(by),
            (None, None) | (Some(_), Some(_)) => {
                return Err(Refusal::value("set", "send either set or adjust"));
            }
        };
        Ok(Request::new(self.request_id, self.day, Change::Stock { sku, change }, at)?)
    }
}

impl From<Invalid> for Refusal {
    fn from(invalid: Invalid) -> Self {
        Self::value(invalid.field, invalid.must)
    }
}

/// What a request changed, as it was answered first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CountedView {
    /// The store's flow number: without gaps.
    pub flow_no: i64,
    /// The request's id.
    pub request_id: String,
    /// What it was: `sale`, `refund`, `set` or `adjust`.
    pub kind: String,
    /// Its business day.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// Its amount.
    pub amount_minor: i64,
    /// What moved.
    pub moved: Vec<MovedView>,
    /// Sales and refunds of the register on that day, this one included; 0 for a change of stock.
    pub register_count: i64,
    /// Its sales less its refunds on that day, this one included.
    pub register_net_minor: i64,
    /// When it was counted.
    #[schema(value_type = String, format = DateTime)]
    pub counted_at: Timestamp,
    /// It counted before.
    pub replayed: bool,
}

/// One sku that moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovedView {
    /// The sku.
    pub sku: String,
    /// By how much its stock changed.
    pub by: i64,
    /// What was left.
    pub left: i64,
}

impl CountedView {
    fn of(entry: Entry, replayed: bool) -> Self {
        let moved = |Moved { sku, by, left }| MovedView { sku: sku.into(), by, left };
        Self {
            flow_no: entry.flow_no,
            request_id: entry.request_id,
            kind: entry.kind.as_str().to_owned(),
            day: entry.day,
            amount_minor: entry.amount_minor,
            moved: entry.moved.into_iter().map(moved).collect(),
            register_count: entry.register_count,
            register_net_minor: entry.register_net_minor,
            counted_at: entry.counted_at,
            replayed,
        }
    }
}

/// The answer to a request.
pub(super) fn answer(request: &Request, outcome: Outcome) -> Result<CountedView, Refusal> {
    match outcome {
        Outcome::Counted(entry) => Ok(CountedView::of(entry, false)),
        Outcome::Replayed(entry) => Ok(CountedView::of(entry, true)),
        Outcome::Conflict { stored } => {
            let both = Fingerprints { stored, offered: request.fingerprint };
            Err(Refusal::conflict(&request.id, both))
        }
        Outcome::Refused(why) => Err(why.into()),
    }
}

impl From<NotCounted> for Refusal {
    fn from(why: NotCounted) -> Self {
        let detail = why.to_string();
        match why {
            NotCounted::Short(shortages) => {
                Self { shortages, ..Self::new(Code::StockShort, detail + "; nothing was changed") }
            }
            NotCounted::Overflow(_) | NotCounted::NoRegister(_) | NotCounted::Day => {
                let (field, must) = detail.split_once(": ").unwrap_or(("", &detail));
                Self::value(field, must)
            }
        }
    }
}

/// What is in stock of a sku.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StockView {
    /// The sku.
    pub sku: String,
    /// What there is.
    pub quantity: i64,
}

/// Sales and refunds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FiguresView {
    /// Sales.
    pub sales: i64,
    /// Refunds.
    pub refunds: i64,
    /// Sum of the sales.
    pub gross_minor: i64,
    /// Sum of the refunds, never negative.
    pub refunded_minor: i64,
}

impl From<Figures> for FiguresView {
    fn from(figures: Figures) -> Self {
        let Figures { sales, refunds, gross_minor, refunded_minor } = figures;
        Self { sales, refunds, gross_minor, refunded_minor }
    }
}

/// A store's day as counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CounterDayView {
    /// The day.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// The store's last flow number, whatever its day.
    pub last_flow_no: i64,
    /// By register.
    pub registers: Vec<CounterRegister>,
    /// By the hour of counting and register.
    pub hours: Vec<CounterHour>,
    /// By sku, the first 10,000.
    pub stock: Vec<CounterStock>,
}

/// A register's part of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CounterRegister {
    /// The register.
    pub register: String,
    /// Its figures.
    #[serde(flatten)]
    pub figures: FiguresView,
}

/// A register's part of an hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CounterHour {
    /// When the hour began.
    #[schema(value_type = String, format = DateTime)]
    pub hour: Timestamp,
    /// The register.
    pub register: String,
    /// Its figures.
    #[serde(flatten)]
    pub figures: FiguresView,
}

/// What moved of a sku on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CounterStock {
    /// The sku.
    pub sku: String,
    /// Sold.
    pub sold: i64,
    /// Given back.
    pub refunded: i64,
    /// Adjusted, and what setting it changed.
    pub adjusted: i64,
}

impl From<CounterDay> for CounterDayView {
    fn from(counted: CounterDay) -> Self {
        let registers = counted
            .registers
            .into_iter()
            .map(|of| CounterRegister { register: of.register.into(), figures: of.figures.into() });
        let hours = counted.hours.into_iter().map(|of| CounterHour {
            hour: begin_of(of.hour),
            register: of.register.into(),
            figures: of.figures.into(),
        });
        let stock = counted.stock.into_iter().map(|of| CounterStock {
            sku: of.sku.into(),
            sold: of.movement.sold,
            refunded: of.movement.refunded,
            adjusted: of.movement.adjusted,
        });
        Self {
            day: counted.day,
            last_flow_no: counted.last_flow_no,
            registers: registers.collect(),
            hours: hours.collect(),
            stock: stock.collect(),
        }
    }
}

/// An hour was an instant once; one that is none now begins at 1970.
fn begin_of(hour: i64) -> Timestamp {
    Timestamp::from_millisecond(hour.saturating_mul(3_600_000)).unwrap_or_default()
}
