//! What a printer says back: bytes from the device become [`Reply`]s, and replies become a [`Condition`].
//!
//! All answers share one stream and are told apart by their first byte (Epson reference, Appendix G).
//! The second, third and fourth byte of an automatic status block look exactly like answers to
//! `GS r`, so the [`ReplyParser`] takes such a block whole or not at all: what it cannot place becomes
//! [`Reply::Foreign`], never a confirmation.

mod asb;
mod condition;
mod parser;

pub use self::asb::Asb;
pub use self::condition::{Condition, RealtimeQuery};
pub use self::parser::{BLOCK_MAX, ReplyParser};

/// One answer of the device.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reply {
    /// Answer to `DLE EOT n`, the raw byte; which `n` was asked is the asker's knowledge.
    Realtime(u8),
    /// A whole automatic status block (`GS a`).
    Asb(Asb),
    /// Answer to `GS r`, `ESC v`, `ESC u` or `GS I 1..3`: the device worked its buffer off up to there.
    ///
    /// A Star device's own status block also starts with such a byte: with Star only
    /// [`Reply::StarDocument`] confirms.
    InOrder(u8),
    /// Process id response (`GS ( H` function 48): the printing before the token is completed.
    Token([u8; 4]),
    /// Clear response (`DLE DC4` function 8): receive and print buffers are empty.
    Cleared,
    /// Offline response (`GS ( H` function 49): the causes, none when not asked for.
    Offline(Vec<u8>),
    /// Text of `GS I 65..69`, or a counter of `GS g 2` (see [`Reply::counter`]).
    Text(String),
    /// The device is about to lose power (`DLE DC4` function 2).
    PowerNotice,
    /// Star `ESC GS ETX`: the document is printed and the motor stands.
    StarDocument {
        /// The document id that was sent.
        document: [u8; 2],
        /// The device's count of documents.
        counter: u8,
    },
    /// A whole block this program has no use for.
    Block {
        /// Its first byte.
        header: u8,
        /// What stood between the first byte and the closing NUL.
        body: Vec<u8>,
    },
    /// A byte that is no ESC/POS answer, or the first byte of one that was torn.
    Foreign(u8),
}

impl Reply {
    /// The value of a maintenance counter: one to ten digits (Epson `GS g 2` reference).
    #[must_use]
    pub fn counter(&self) -> Option<u64> {
        let Self::Text(text) = self else { return None };
        let plain = (1..=10).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        if plain { text.parse().ok() } else { None }
    }
}

#[cfg(test)]
mod tests;
