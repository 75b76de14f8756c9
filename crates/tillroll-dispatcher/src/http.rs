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
mod deadline;
mod extract;
mod guard;
mod handlers;
mod metrics;
mod observe;
mod openapi;
mod print_job;
mod problem;
mod problem_document;
mod router;
mod server;
mod settings;
mod shape;
mod view;

pub(crate) use self::api::{Api, ApiParts};
pub use self::openapi::{openapi, openapi_json};
pub use self::problem_document::{PROBLEM_JSON, ProblemDocument};
pub(crate) use self::server::serve;
pub use self::settings::HttpSettings;
pub use self::view::{JobList, RegisterDay, RejectedList, RejectedView, StoreDayView};
