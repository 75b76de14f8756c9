//! The local HTTP API: the facade as routes on the loopback interface.
//!
//! Invariants:
//! - Every route under `/v1` asks for a token, but for its own description, and every request must be
//!   addressed to this computer by name (DNS rebinding).
//! - Every error leaves as a problem document of RFC 9457 with a stable code.
//! - A request that changes something runs to its end, whether or not its client still waits.
//! - Bodies, headers, connections, listeners and times are bounded.

mod api;
mod deadline;
mod extract;
mod guard;
mod handlers;
mod metrics;
mod observe;
mod openapi;
mod problem_document;
mod router;
mod server;
mod settings;

pub use self::openapi::{openapi, openapi_json};
pub use self::problem_document::{PROBLEM_JSON, ProblemDocument};
pub use self::router::router;
pub use self::server::serve;
pub use self::settings::HttpSettings;
