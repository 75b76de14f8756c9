//! The schedule on a real store, in simulated time: the registers are played by the tests.

mod answers;
mod cancel;
mod chaos;
mod clocks;
mod connections;
mod deadlines;
mod recovery;
mod replaced;
mod restart;
mod waits;
mod world;
