//! The register: use cases, local HTTP API, boot and stop.
//!
//! [`Register`] is the facade: the HTTP API, the command line and the window call it and nothing
//! below it. What goes over its edge are the views of [`view`] and the problems of [`problem`].

mod answers;
mod assets;
mod attention;
mod boot;
mod clients;
mod cloud;
mod day_export;
mod day_pdf;
mod days;
mod endpoint;
mod folder;
mod hints;
mod host;
mod hours;
pub mod http;
mod jobs;
mod known_clients;
mod limits;
pub mod logs;
mod network_search;
mod pace;
mod paper;
mod preferences;
mod printers;
pub mod problem;
mod register;
mod rejected;
mod reports;
mod roles;
mod routes;
mod set_up;
mod splits;
mod submit;
mod test_page;
mod todo;
pub mod training;
pub mod view;
mod workers;
mod z_report;

pub use self::boot::{BootError, RegisterOptions};
pub use self::clients::{Access, TOKEN_FILE};
pub use self::cloud::RegisterPrinters;
pub use self::endpoint::Endpoint;
pub use self::folder::FolderError;
pub use self::hints::HintBatches;
pub use self::host::{Host, HostError, HostSettings, USUAL_ADDRESS};
pub use self::paper::Paper;
pub use self::register::Register;
pub use tillroll_machine::SystemClock;
