//! The register: use cases, local HTTP API, boot and stop.
//!
//! [`Register`] is the facade: the HTTP API, the command line and the window call it and nothing
//! below it. What goes over its edge are the views of [`view`] and the problems of [`problem`].

mod answers;
mod assets;
mod boot;
mod clients;
mod clock;
mod days;
mod folder;
pub mod http;
mod jobs;
mod json;
mod known_clients;
mod limits;
mod pace;
mod paper;
mod printers;
pub mod problem;
mod register;
mod rejected;
mod reports;
mod routes;
mod submit;
mod test_page;
mod todo;
pub mod view;
mod z_report;

pub use self::boot::{BootError, RegisterOptions};
pub use self::clients::{Access, TOKEN_FILE};
pub use self::clock::SystemClock;
pub use self::folder::{FolderError, FolderLock};
pub use self::paper::Paper;
pub use self::register::Register;
