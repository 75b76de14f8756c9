//! The other side of a receipt printer: what bytes look like on paper, and a printer to send them to.
//!
//! - [`Interpreter`] is the pure core: ESC/POS bytes in, effects out.
//! - [`Roll`] and [`Ticket`] are the paper those effects leave, rendered as text, PNG or SVG.
//! - [`VirtualPrinter`] is a device around both, with status, buffers, print time and faults, in
//!   process, over TCP and over a pseudo terminal. It serves demonstration, training and preview, and
//!   judges in tests what really came out.

mod control;
pub mod device;
mod dots;
pub mod effect;
pub mod fonts;
mod interpreter;
pub mod paper;
pub mod printer;
mod realtime;
mod render;
mod sequence;
mod symbol;

pub use device::Device;
pub use effect::{Cut, Effect, Pulse};
pub use interpreter::Interpreter;
pub use paper::{Roll, RollLimit, Ticket};
pub use printer::{
    Behaviour, Connections, Counters, DeviceError, Fault, Paper, Personality, PtyLink, Received,
    Timeout, VirtualPrinter,
};
pub use render::RenderError;
pub use tillroll_escpos::bitmap::Bitmap;
