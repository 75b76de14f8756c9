//! The one place that writes to standard output and standard error.
//!
//! Colour only on a terminal, and never with `NO_COLOR` set to anything (no-color.org).

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;

use crate::failure::Failure;

/// How a word is shown where there is colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// As it is.
    #[default]
    Plain,
    /// What stands out.
    Strong,
    /// What may be overlooked.
    Faint,
    /// As it should be.
    Good,
    /// Somebody should look.
    Warn,
    /// Somebody must act.
    Bad,
}

impl Tone {
    /// The SGR parameter of ECMA-48.
    fn code(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Strong => Some("1"),
            Self::Faint => Some("2"),
            Self::Good => Some("32"),
            Self::Warn => Some("33"),
            Self::Bad => Some("31"),
        }
    }
}

/// Where a command writes.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    colour: bool,
    colour_of_errors: bool,
}

impl Output {
    /// The output of this process.
    pub fn of_process() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
        Self {
            colour: wanted && io::stdout().is_terminal(),
            colour_of_errors: wanted && io::stderr().is_terminal(),
        }
    }

    /// Writes a line and flushes it.
    pub fn line(&self, line: impl Display) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{line}").and_then(|()| stdout.flush()).map_err(Failure::Output)
    }

    /// Writes bytes as they are and flushes them.
    pub fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(Failure::Output)
    }

    /// Writes a value as one line of JSON.
    pub fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        self.line(serde_json::to_string(value)?)
    }

    /// A text in its tone, where there is colour.
    pub fn paint(&self, tone: Tone, text: impl Display) -> String {
        painted(self.colour, tone, text)
    }

    /// Tells what is going on, beside the result: on standard error, so that pipes stay clean.
    pub fn note(&self, text: impl Display) -> Result<(), Failure> {
        writeln!(io::stderr().lock(), "{text}").map_err(Failure::Output)
    }

    /// Tells on a terminal that something takes a while.
    pub fn progress(&self, text: impl Display) -> Result<(), Failure> {
        if io::stderr().is_terminal() { self.note(text) } else { Ok(()) }
    }

    /// Tells why the command failed.
    pub fn failure(&self, failure: &Failure) -> io::Result<()> {
        let word = painted(self.colour_of_errors, Tone::Bad, "tillctl:");
        writeln!(io::stderr().lock(), "{word} {failure}")
    }
}

fn painted(colour: bool, tone: Tone, text: impl Display) -> String {
    match tone.code().filter(|_| colour) {
        Some(code) => format!("\x1b[{code}m{text}\x1b[0m"),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_left_out_where_it_is_not_wanted() {
        assert_eq!(painted(true, Tone::Bad, "no"), "\x1b[31mno\x1b[0m");
        assert_eq!(painted(false, Tone::Bad, "no"), "no");
        assert_eq!(painted(true, Tone::Plain, "no"), "no");
    }
}
