//! The grammar of ESC/POS as far as it is needed to find where each command ends and what it does.
//!
//! Lengths are those of Epson's command reference; commands of single makers are noted. A command with
//! a length that is not certain is [`Stop::Unknown`]: guessing would take its parameters for commands.

mod esc;
mod fs;
mod gs;

use super::What;
use crate::command::{DC4, DLE, ENQ, EOT, ESC, FS, GS, LF};

/// What a command does, as far as the walk cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Puts marks on a line that is not printed yet.
    LineInk,
    /// Prints by itself and leaves the device at the beginning of a line.
    BlockInk,
    /// Prints the line and feeds.
    Feed,
    /// Cuts.
    Cut,
    /// Changes a setting or stores something.
    Mode,
    /// Enters page mode.
    EnterPage,
    /// Leaves page mode: FF prints the page, ESC S drops it.
    LeavePage,
    /// Must not pass.
    Remove(What),
}

/// One command at the start of the rest of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Command {
    /// Its length in bytes, at least one and never past the end of the job.
    pub len: usize,
    /// What it does.
    pub effect: Effect,
    /// Where its picture starts, if it ends with one.
    pub picture: Option<usize>,
}

/// Why no command could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// Not in the grammar.
    Unknown,
    /// The job ends inside the command.
    Truncated,
}

/// Reads the command at the start of `rest`, which must not be empty.
pub(super) fn next(rest: &[u8]) -> Result<Command, Stop> {
    let rest = Rest(rest);
    match rest.byte(0)? {
        0x20.. => rest.text(),
        LF => rest.fixed(1, Effect::Feed),
        0x0c => rest.fixed(1, Effect::LeavePage),
        // NUL, HT, CR, CAN.
        0x00 | 0x09 | 0x0d | 0x18 => rest.fixed(1, Effect::Mode),
        DLE => realtime(rest),
        ESC => esc::next(rest),
        FS => fs::next(rest),
        GS => gs::next(rest),
        _ => Err(Stop::Unknown),
    }
}

fn realtime(rest: Rest<'_>) -> Result<Command, Stop> {
    const REALTIME: Effect = Effect::Remove(What::Realtime);
    match (rest.byte(1)?, rest.byte(2)?) {
        (EOT, 1..=4) | (ENQ, _) => rest.fixed(3, REALTIME),
        // Ink, peeler and interface status have a second parameter.
        (EOT, 7 | 8 | 18) | (DC4, 7) => rest.fixed(4, REALTIME),
        (DC4, 1) => rest.fixed(5, Effect::Remove(What::DrawerPulse)),
        (DC4, 2) => rest.fixed(5, REALTIME),
        (DC4, 8) => rest.fixed(10, REALTIME),
        _ => Err(Stop::Unknown),
    }
}

/// What is left of the job. Reading past its end is [`Stop::Truncated`].
#[derive(Clone, Copy)]
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn byte(self, at: usize) -> Result<u8, Stop> {
        self.0.get(at).copied().ok_or(Stop::Truncated)
    }

    /// A little-endian number of two bytes.
    fn word(self, at: usize) -> Result<usize, Stop> {
        Ok(usize::from(u16::from_le_bytes([self.byte(at)?, self.byte(at + 1)?])))
    }

    fn fixed(self, len: usize, effect: Effect) -> Result<Command, Stop> {
        let whole = len <= self.0.len();
        whole.then_some(Command { len, effect, picture: None }).ok_or(Stop::Truncated)
    }

    /// A command that ends with `size` bytes of picture behind `head` bytes.
    fn picture(self, head: usize, size: usize, effect: Effect) -> Result<Command, Stop> {
        let len = head.checked_add(size).ok_or(Stop::Truncated)?;
        Ok(Command { picture: Some(head), ..self.fixed(len, effect)? })
    }

    /// A command whose data from `from` on ends with NUL, `most` bytes of it: how a device reads more is not known.
    fn nul_ended(self, from: usize, most: usize, effect: Effect) -> Result<Command, Stop> {
        let data = self.0.get(from..).ok_or(Stop::Truncated)?;
        match data.iter().take(most + 1).position(|byte| *byte == 0) {
            Some(end) => self.fixed(from + end + 1, effect),
            None if data.len() > most => Err(Stop::Unknown),
            None => Err(Stop::Truncated),
        }
    }

    /// Text up to the next control byte. Double-byte codes have no control byte in either half.
    fn text(self) -> Result<Command, Stop> {
        let len = self.0.iter().position(|byte| *byte < 0x20).unwrap_or(self.0.len());
        self.fixed(len, Effect::LineInk)
    }
}
