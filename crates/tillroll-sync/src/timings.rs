//! Limits of what waits, passed in so that tests run in milliseconds.

use std::time::Duration;

/// Time limits and pauses of the workers.
#[derive(Debug, Clone)]
pub struct Timings {
    /// A try to upload, its repeats included.
    pub upload: Duration,
    /// A batch without an answer is repeated so often, once it was repeated, as far as the budget goes.
    pub repeat_again: Duration,
    /// Opening the channel.
    pub connect: Duration,
    /// The answer to a hello.
    pub welcome: Duration,
    /// Handing a message to the connection.
    pub send: Duration,
    /// A question of the repair.
    pub ask: Duration,
    /// A result without acknowledgement is told again after so long, then after twice as long, ...
    pub tell_again: Duration,
    /// A connection that held so long is sound.
    pub stable: Duration,
    /// Between two repairs.
    pub repair_every: Duration,
    /// What the workers get to end in.
    pub stop: Duration,
}

impl Default for Timings {
    fn default() -> Self {
        let s = Duration::from_secs;
        Self {
            upload: s(10),
            repeat_again: s(1),
            connect: s(5),
            welcome: s(5),
            send: s(10),
            ask: s(10),
            tell_again: s(5),
            stable: s(60),
            repair_every: s(300),
            stop: s(3),
        }
    }
}
