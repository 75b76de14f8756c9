//! Pure rules of the register: ids, money, receipts, the print-job machine, printers, the business day.
//!
//! Nothing here does I/O, reads a clock or draws a random number: what varies is passed in.
//! Money is integer minor units; floating point arithmetic is denied.
#![deny(clippy::float_arithmetic)]

pub mod business_day;
pub mod clock;
pub mod drawer;
pub mod fingerprint;
pub mod ids;
pub mod limits;
pub mod lock_out;
pub mod money;
pub mod outbox;
pub mod print_job;
pub mod printer;
pub mod quantity;
pub mod receipt;
pub mod reconciliation;
pub mod retry;
pub mod splits;
