//! The HTTP and WebSocket API: print jobs for business systems, the push channel and the books for
//! registers.
//!
//! Invariants:
//! - Who asks is known by a secret alone; what is not the asker's looks as if it did not exist.
//! - Every error leaves as a problem document of RFC 9457 with a stable code.
//! - A request that changes something runs to its end, whether or not its client still waits.
//! - Bodies, frames, headers, connections and times are bounded.

mod api;
mod channel;
mod coding;
mod counters;
mod day_views;
mod deadline;
mod extract;
mod guard;
mod handlers;
mod limit;
mod metrics;
mod observe;
mod openapi;
mod pay_token;
mod print_job;
mod problem;
mod problem_document;
mod results;
mod router;
mod server;
mod settings;
mod shape;
mod split;
mod split_metrics;
mod view;

pub(crate) use self::api::{Api, ApiParts};
pub use self::counters::{
    CountedView, CounterDayView, CounterHour, CounterRegister, CounterStock, FiguresView,
    MovedView, StockView,
};
pub(crate) use self::day_views::DayViews;
pub use self::limit::{LimitAnswer, PromotionView};
pub use self::openapi::{openapi, openapi_json};
pub use self::pay_token::{PayTokenState, PayTokenView};
pub use self::problem_document::{PROBLEM_JSON, ProblemDocument};
pub(crate) use self::results::Results;
pub(crate) use self::server::serve;
pub use self::settings::HttpSettings;
pub use self::split::{ShareBody, ShareTableBody, ShareTableList, ShareTableView};
pub(crate) use self::split::{split_list, split_view};
pub use self::view::{JobList, RegisterDay, RejectedList, RejectedView, StoreDayView};
