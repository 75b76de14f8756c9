//! HTTP as both programs serve it: connections, bodies and JSON within bounds. Knows neither program.
//!
//! Invariants:
//! - Connections, header lines, bodies and times are bounded by the program's own settings.
//! - What cannot be read is a typed error; what it becomes on the wire is the program's business.
//! - An open request is answered before the server ends, within a limit.

mod bearer;
mod body;
mod coding;
mod extract;
mod json;
mod observe;
mod receipt;
mod server;

pub use self::bearer::bearer;
pub use self::body::{BodyError, expect_json, read_body};
pub use self::coding::{Coding, CodingError};
pub use self::extract::{AddressError, Json, Path, Query, Reading, read_large};
pub use self::json::{JsonError, read_fields, read_json};
pub use self::observe::{Panicked, REQUEST_ID, RequestIds, causes};
pub use self::receipt::{LineBody, NamedAmountBody, TaxBody, TenderBody};
pub use self::server::{Peer, Server, ServerSettings};
