//! Splits a byte stream into commands, one complete byte sequence at a time.
//!
//! Knows how long each command is, not what it means. Memory is bounded: a command whose header
//! declares more than [`MAX_SEQUENCE`] bytes is swallowed without being stored, as long as it says.

mod length;

use length::required;

/// Longest command that is kept whole: a 576-dot image of 14,500 rows.
pub(crate) const MAX_SEQUENCE: u64 = 1 << 20;

/// Bytes of an unusable command that are kept to name it.
const HEAD: usize = 8;

/// One step of the stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sequence<'a> {
    /// A complete command, or a single character or control code.
    Complete(&'a [u8]),
    /// A command too long to be kept; its first bytes.
    Oversized(&'a [u8]),
}

/// Collects bytes until a command is complete.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    pending: Vec<u8>,
    required: u64,
    skipping: u64,
}

impl Splitter {
    /// Takes one byte; hands each completed command to `take`.
    pub(crate) fn push(&mut self, byte: u8, take: &mut impl FnMut(Sequence<'_>)) {
        if self.skipping > 0 {
            self.skip(take);
            return;
        }
        self.pending.push(byte);
        if (self.pending.len() as u64) < self.required {
            return;
        }
        self.required = required(&self.pending);
        if self.required > MAX_SEQUENCE {
            self.skipping = self.required - self.pending.len() as u64;
            self.pending.truncate(HEAD);
        } else if self.required <= self.pending.len() as u64 {
            self.complete(take);
        }
    }

    /// Forgets a command in progress.
    pub(crate) fn cancel(&mut self) {
        *self = Self::default();
    }

    /// Whether the next byte begins a command.
    pub(crate) fn is_at_border(&self) -> bool {
        self.pending.is_empty() && self.skipping == 0
    }

    fn skip(&mut self, take: &mut impl FnMut(Sequence<'_>)) {
        self.skipping -= 1;
        if self.skipping == 0 {
            self.required = 0;
            take(Sequence::Oversized(&self.pending));
            self.pending.clear();
        }
    }

    /// A broken prefix is shorter than what came; the rest begins anew.
    fn complete(&mut self, take: &mut impl FnMut(Sequence<'_>)) {
        let rest = self.pending.split_off(self.required as usize);
        self.required = 0;
        take(Sequence::Complete(&self.pending));
        self.pending.clear();
        for byte in rest {
            self.push(byte, take);
        }
    }
}

#[cfg(test)]
mod tests;
