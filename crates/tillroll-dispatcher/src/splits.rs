//! Splits: paid orders shared between parties, and paid out by a channel.
//!
//! Invariants:
//! - A split's id is kept for good: the same id never makes a second one.
//! - A call leaves after the row that says so is durable, and every change is made from the version that was
//!   read, with a row of its own that says what happened.
//! - To prepare moves no money.

mod act;
mod change;
mod parts;
mod row;
mod shared;

pub use self::act::{ActError, act, confirm};
pub use self::change::{Cause, SplitChange, SplitChanged, SplitRecord};
pub use self::parts::{NoParts, Refunded};
pub(crate) use self::parts::{refund_of, shares_of};
pub(crate) use self::row::AskedSplit;
pub use self::row::{NewSplit, Prepared, Split, SplitKey};
pub use tillroll_wire::split::{SplitSum, SplitTotals};
