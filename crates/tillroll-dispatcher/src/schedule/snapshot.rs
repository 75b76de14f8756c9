//! Figures of the schedule, for metrics and the curious.

use std::collections::BTreeMap;

/// What the schedule holds and has done since it started, at most a second old. Parked jobs are rows:
/// the store counts them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    /// Registers connected.
    pub connected: usize,
    /// Their printers.
    pub printers: usize,
    /// Of these, stopped.
    pub printers_stopped: usize,
    /// Jobs in memory: waiting for their printer, pushed, or at their register.
    pub jobs: usize,
    /// Of these, waiting for their printer.
    pub waiting: usize,
    /// Pushes without an answer.
    pub unanswered: usize,
    /// Entries in the push wheel.
    pub push_timers: usize,
    /// Entries in the deadline wheel.
    pub deadline_timers: usize,
    /// Pushes sent, repeats included.
    pub pushes: u64,
    /// Recovered jobs pushed.
    pub recovered: u64,
    /// Results stored.
    pub results: u64,
    /// Of these, late.
    pub late: u64,
    /// Registers that another node took over while they were connected here.
    pub moved_over: u64,
    /// Times that this node was cut off from the others.
    pub cut_offs: u64,
    /// Messages that did not fit into a register's channel; each is repeated.
    pub dropped: u64,
    /// Writes and reads the store refused.
    pub store_errors: u64,
    /// Jobs timed out, by reason.
    pub timed_out: BTreeMap<String, u64>,
}
