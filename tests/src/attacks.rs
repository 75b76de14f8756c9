//! What an attack came to, as one line of the table that `make attacks` shows.

use std::fmt;

/// An attack and what it found.
#[derive(Debug, Clone)]
pub struct Attack<'a> {
    /// What is promised.
    pub promise: &'a str,
    /// What was done, and the seed if there is one.
    pub what: String,
    /// How often.
    pub trials: usize,
    /// How often something acknowledged was gone.
    pub losses: usize,
    /// How often something was there twice, or was never asked for.
    pub duplicates: usize,
    /// How often something was wrong and nobody was told.
    pub silent: usize,
}

/// Begins on a line of its own, whatever the test harness wrote before.
impl fmt::Display for Attack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { promise, what, trials, losses, duplicates, silent } = self;
        write!(f, "\n| {promise} | {what} | {trials} | {losses} | {duplicates} | {silent} |")
    }
}
