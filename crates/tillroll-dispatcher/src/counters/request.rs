//! What counters can be asked for, within bounds: a sale, a refund, a change of stock.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::Part;
pub use tillroll_domain::money::AMOUNT_MAX;
use utoipa::ToSchema;

/// The longest request id, in bytes.
pub const REQUEST_ID_MAX: usize = 300;
/// Most different skus of one request.
pub const ITEMS_MAX: usize = 200;
/// The largest quantity of one sku in one request, in whatever its stock is counted in.
pub const QUANTITY_MAX: i64 = 999_999_999;
/// The largest figure a counter may reach: 2^53 - 1, which every reader of JSON keeps exactly.
pub const FIGURE_MAX: i64 = (1 << 53) - 1;
/// A business day begins at most so many days after it is told of, zone and cut-off included ...
pub const DAYS_AHEAD: i32 = 2;
/// ... and at most so many before: a store that was offline catches up.
pub const DAYS_BEHIND: i32 = 35;

/// One request to the counters of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its id, chosen by its sender.
    pub id: String,
    /// The business day whose books it belongs to. Only its sender knows the store's zone and cut-off, so it is
    /// named and never guessed.
    pub day: Date,
    /// What it asks for.
    pub change: Change,
    /// When it is counted, by the dispatcher's clock, in whole milliseconds.
    pub at: Timestamp,
    /// Fingerprint of day and change.
    pub fingerprint: Fingerprint,
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A sale or a refund.
    Trade(Trade),
    /// A change of stock alone.
    Stock {
        /// Of what.
        sku: Part,
        /// How.
        change: StockChange,
    },
}

/// A sale or a refund of a register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// Which of the two.
    pub kind: TradeKind,
    /// The register's name.
    pub register: Part,
    /// Quantities by sku, each above zero. A sale takes them out of stock, a refund puts them back.
    pub items: BTreeMap<Part, i64>,
    /// Its amount, never negative: the kind turns the sign.
    pub amount_minor: i64,
}

/// A sale takes the items out of stock, a refund puts them back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TradeKind {
    /// Goods go, money comes.
    Sale,
    /// Goods come back, money goes.
    Refund,
}

/// How stock is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockChange {
    /// It is so much, as counted by a person.
    Set(i64),
    /// It is so much more; less when negative.
    Adjust(i64),
}

/// A value that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {must}")]
pub struct Invalid {
    /// The field.
    pub field: &'static str,
    /// What it must be.
    pub must: String,
}

impl Request {
    /// A request within the bounds.
    ///
    /// # Errors
    /// [`Invalid`], naming the first field that is out of them.
    pub fn new(id: String, day: Date, change: Change, at: Timestamp) -> Result<Self, Invalid> {
        let is_plain = !id.chars().any(char::is_control);
        if !is_plain || !(1..=REQUEST_ID_MAX).contains(&id.len()) {
            let must =
                format!("must have 1 to {REQUEST_ID_MAX} bytes, none of a control character");
            return Err(Invalid { field: "request_id", must });
        }
        match &change {
            Change::Trade(trade) => check_trade(trade)?,
            Change::Stock { change, .. } => check_stock(*change)?,
        }
        let fingerprint = Fingerprint::of(canonical(day, &change).as_bytes());
        // As it is stored, so that a replay says the same.
        let at = Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at);
        Ok(Self { id, day, change, at, fingerprint })
    }
}

fn check_trade(trade: &Trade) -> Result<(), Invalid> {
    if !(1..=ITEMS_MAX).contains(&trade.items.len()) {
        let must = format!("must be 1 to {ITEMS_MAX} different skus");
        return Err(Invalid { field: "items", must });
    }
    if !trade.items.values().all(|quantity| (1..=QUANTITY_MAX).contains(quantity)) {
        let must = format!("each sku's must be from 1 to {QUANTITY_MAX}");
        return Err(Invalid { field: "items.quantity", must });
    }
    if !(0..=AMOUNT_MAX).contains(&trade.amount_minor) {
        let must = format!("must be from 0 to {AMOUNT_MAX}: the kind turns the sign");
        return Err(Invalid { field: "amount_minor", must });
    }
    Ok(())
}

fn check_stock(change: StockChange) -> Result<(), Invalid> {
    let (field, least, value) = match change {
        StockChange::Set(quantity) => ("set", 0, quantity),
        StockChange::Adjust(by) => ("adjust", -QUANTITY_MAX, by),
    };
    if (least..=QUANTITY_MAX).contains(&value) {
        return Ok(());
    }
    Err(Invalid { field, must: format!("must be from {least} to {QUANTITY_MAX}") })
}

/// Day and change as one text. Names hold none of its separators, so no two requests share one.
fn canonical(day: Date, change: &Change) -> String {
    match change {
        Change::Stock { sku, change: StockChange::Set(to) } => format!("{day} set {sku}={to}"),
        Change::Stock { sku, change: StockChange::Adjust(by) } => {
            format!("{day} adjust {sku}={by}")
        }
        Change::Trade(Trade { kind, register, items, amount_minor }) => {
            let items: Vec<_> = items.iter().map(|(sku, of)| format!("{sku}={of}")).collect();
            let (kind, items) = (kind.as_str(), items.join(" "));
            format!("{day} {kind} {register} {amount_minor} {items}")
        }
    }
}

impl TradeKind {
    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sale => "sale",
            Self::Refund => "refund",
        }
    }

    /// What a quantity of goods does to stock.
    pub(super) fn moves(self, quantity: i64) -> i64 {
        match self {
            Self::Sale => -quantity,
            Self::Refund => quantity,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn trade(items: &[(&str, i64)], amount_minor: i64) -> Change {
        let items = items.iter().map(|(sku, of)| (sku.parse().unwrap(), *of)).collect();
        let register = "R1".parse().unwrap();
        Change::Trade(Trade { kind: TradeKind::Sale, register, items, amount_minor })
    }

    fn request(id: &str, change: Change) -> Result<Request, Invalid> {
        let at = "2026-11-30T12:00:00Z".parse().unwrap();
        Request::new(id.to_owned(), "2026-11-30".parse().unwrap(), change, at)
    }

    #[test]
    fn whatever_is_out_of_bounds_is_named() {
        let stock = |change| Change::Stock { sku: "soup".parse().unwrap(), change };
        let many: Vec<_> = (0..=ITEMS_MAX).map(|n| format!("s{n}")).collect();
        let many: Vec<_> = many.iter().map(|sku| (sku.as_str(), 1)).collect();
        for (id, change, field) in [
            ("", trade(&[("a", 1)], 1), "request_id"),
            ("a\0b", trade(&[("a", 1)], 1), "request_id"),
            ("x", trade(&[], 1), "items"),
            ("x", trade(&many, 1), "items"),
            ("x", trade(&[("a", 0)], 1), "items.quantity"),
            ("x", trade(&[("a", QUANTITY_MAX + 1)], 1), "items.quantity"),
            ("x", trade(&[("a", 1)], -1), "amount_minor"),
            ("x", trade(&[("a", 1)], AMOUNT_MAX + 1), "amount_minor"),
            ("x", stock(StockChange::Set(-1)), "set"),
            ("x", stock(StockChange::Adjust(i64::MIN)), "adjust"),
        ] {
            assert_eq!(request(id, change).unwrap_err().field, field);
        }
    }

    proptest! {
        #[test]
        fn fingerprints_are_equal_only_for_the_same_change(
            a in prop::collection::btree_map("[a-c]{1,2}", 1_i64..3, 1..3),
            b in prop::collection::btree_map("[a-c]{1,2}", 1_i64..3, 1..3),
            (x, y) in (0_i64..3, 0_i64..3),
        ) {
            let of = |items: &BTreeMap<String, i64>, amount| {
                let items: Vec<_> = items.iter().map(|(sku, n)| (sku.as_str(), *n)).collect();
                request("x", trade(&items, amount)).unwrap().fingerprint
            };
            prop_assert_eq!(of(&a, x) == of(&b, y), (&a, x) == (&b, y));
        }
    }
}
