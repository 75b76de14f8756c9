//! Splits on their way to the channel that moves the money, and the comparison of both sides.
//!
//! Invariants:
//! - A call leaves after its row is durable; what came of it is stored before the next one.
//! - So many calls are under way at most, and begin in a second, whatever is due.
//! - While the channel cannot be reached one call at a time looks for it; what waits then goes at once.
//! - Both sides are compared over days, and what one of them misses is repaired under the same id.

mod channel;
mod contract;
mod figures;
mod http;
mod pay;
mod reconcile;
mod seal;
mod settings;
mod start;

pub use self::channel::{Answer, Payment, PaymentChannel, PaymentId, Statement, Told};
pub use self::contract::{
    PayRequest, PaymentStatus, Query, QueryAnswer, Reason, StatementAnswer, StatementLine,
    StatementRequest, Status,
};
pub(crate) use self::figures::{PaymentCounts, PaymentFigures};
pub use self::http::{HttpChannel, NoChannel};
pub(crate) use self::pay::Payer;
pub(crate) use self::reconcile::Reconciler;
pub use self::reconcile::{Broken, Round};
pub use self::seal::{SEALED_AT, SIGNATURE, Seal};
pub use self::settings::{InvalidSecret, PaymentSecret, PaymentSettings};
pub(crate) use self::start::{ChannelReconciler, PaymentParts, channel_of};
