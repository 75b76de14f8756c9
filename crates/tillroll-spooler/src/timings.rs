//! How long the spooler waits for what. Passed in, so that tests run in milliseconds.

use std::time::Duration;

use tillroll_domain::retry::{self, Schedule};

use crate::device::Limits;

/// Every wait of a worker has a limit; these are they.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timings {
    /// Limits of the device itself.
    pub device: Limits,
    /// One answer of the device to a question before or after a job.
    pub answer: Duration,
    /// Proof of a job after its last byte, with no cause shown, beside the time its paper takes.
    pub proof: Duration,
    /// Dots of paper a second that the slowest printer moves while it prints.
    pub slowest_print: u32,
    /// Silence in the middle of a job after which the device is asked how it is.
    pub ask_condition: Duration,
    /// A blocked device that answers no such question is believed for so long after its last word; then the
    /// link is opened anew.
    pub blocked_silence: Duration,
    /// A job in the middle of which the device shows a cause, such as paper end, waits this long for it
    /// to end.
    pub mid_job_wait: Duration,
    /// A device that takes no more bytes and shows no cause.
    pub stall: Duration,
    /// After a link broke in mid-job, how long evidence from the device is sought before a person is asked.
    pub evidence: Duration,
    /// An idle link is closed after this, so that others can use the printer.
    pub idle_close: Duration,
    /// Jobs that waited longer for their printer are held when it returns.
    pub stale_after: Duration,
    /// How long a stopped printer waits before it is tried again.
    pub retry: Schedule,
    /// The shortest time in which any printer feeds and cuts: whoever answers sooner, behind both, has
    /// not waited for them.
    pub fastest_cut: Duration,
}

impl Default for Timings {
    fn default() -> Self {
        let s = Duration::from_secs;
        Self {
            device: Limits::default(),
            answer: s(2),
            proof: s(30),
            // 50 mm/s at 8 dots/mm.
            slowest_print: 400,
            ask_condition: s(2),
            blocked_silence: s(60),
            mid_job_wait: s(600),
            stall: s(30),
            evidence: s(10),
            idle_close: s(5),
            stale_after: s(30 * 60),
            retry: retry::PRINTER,
            fastest_cut: Duration::from_millis(15),
        }
    }
}
