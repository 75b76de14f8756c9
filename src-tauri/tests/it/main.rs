//! The commands as the pages call them, over a runtime without a window; and the types they share.

mod access;
mod bindings;
mod day;
mod desk;
mod hints;
mod jobs;
mod printers;
mod set_up;
