//! A document to the bytes one printer prints.
//!
//! Text goes out in the printer's own characters where it has them, each run in a code page or in
//! double-byte mode, the fewest switches; a row it has no characters for is set in dots. No byte of data
//! is ever a control byte, no character is silently replaced, and an amount that cannot be printed right
//! is refused. The same document, profile, pictures and fonts give the same bytes.
//!
//! The body expects a printer just initialised and holds no ESC @, GS a, real-time command, cut or
//! drawer pulse: those belong to whoever speaks with the device.

mod code;
mod coding;
mod pen;
mod picture_row;
mod text_row;

use std::borrow::Cow;
use std::collections::BTreeMap;

use self::pen::Pen;
use crate::command;
use crate::document::Row;
use crate::picture::PictureError;
use crate::profile::{Cutter, Profile};
use crate::typeset::Typesetter;

/// The most bytes a document may become.
pub const BODY_MAX: usize = 32 * 1024 * 1024;
/// Lines fed on a printer without cutter, so that the last line is above the tear-off edge.
const TEAR_OFF_LINES: u8 = 3;

/// What a printer is sent for a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The print data; ends with a line feed at the beginning of a line.
    pub body: Vec<u8>,
    /// The cut; empty without cutter, where the body ends with a feed.
    pub cut: Vec<u8>,
    /// How many cuts that are.
    pub cuts: u32,
    /// What was printed in another way than asked.
    pub notes: Vec<Note>,
}

/// A row that was printed in another way than asked. Rows count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Set in dots, for want of characters.
    RasterFallback {
        /// The row.
        row: usize,
    },
    /// A sign was printed as another of the same meaning.
    MappedSign {
        /// The row.
        row: usize,
        /// The sign asked for.
        from: char,
        /// What stands for it.
        to: &'static str,
    },
    /// Characters that no font has stand as boxes; never in an amount.
    MissingGlyphs {
        /// The row.
        row: usize,
        /// How many.
        count: u64,
    },
    /// Characters that can be neither printed nor drawn stand as `*`; never in an amount.
    Starred {
        /// The row.
        row: usize,
        /// How many.
        count: u64,
    },
    /// A code was drawn as a picture.
    CodeAsPicture {
        /// The row.
        row: usize,
    },
    /// A logo was left out: the printer prints no pictures.
    LogoLeftOut {
        /// The row.
        row: usize,
    },
}

/// Why a document cannot be printed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// No picture is stored under that name.
    #[error("row {row}: there is no logo named {name:?}")]
    UnknownLogo {
        /// The row.
        row: usize,
        /// The name asked for.
        name: String,
    },
    /// The stored picture cannot be printed.
    #[error("row {row}: the logo {name:?} cannot be printed")]
    BadImage {
        /// The row.
        row: usize,
        /// The name of the picture.
        name: String,
        /// What is wrong with it.
        source: PictureError,
    },
    /// An amount has characters that can be neither printed nor drawn.
    #[error("row {row}: the amount cannot be printed: neither printer nor fonts have {missing:?}")]
    MoneyRowNotRenderable {
        /// The row.
        row: usize,
        /// The first such character.
        missing: char,
    },
    /// A QR or bar code is too long for the paper, or has characters such a code does not have.
    #[error(
        "row {row}: the {code} cannot be printed: too long for this paper, or not its characters"
    )]
    CodeNotRenderable {
        /// The row.
        row: usize,
        /// `QR code` or `bar code`.
        code: &'static str,
    },
    /// The document is too long.
    #[error("row {row}: the document is longer than {BODY_MAX} bytes of print data")]
    TooLong {
        /// The row at which it became so.
        row: usize,
    },
}

impl EncodeError {
    /// A stable word for the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownLogo { .. } => "unknown_logo",
            Self::BadImage { .. } => "bad_image",
            Self::MoneyRowNotRenderable { .. } => "money_row_not_renderable",
            Self::CodeNotRenderable { .. } => "code_not_renderable",
            Self::TooLong { .. } => "document_too_long",
        }
    }
}

/// The pictures a document may name.
pub trait Assets {
    /// The file (PNG or JPEG) stored under that name.
    fn image(&self, name: &str) -> Option<Cow<'_, [u8]>>;
}

/// No pictures.
impl Assets for () {
    fn image(&self, _name: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

impl Assets for BTreeMap<String, Vec<u8>> {
    fn image(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.get(name).map(|file| Cow::Borrowed(file.as_slice()))
    }
}

/// Encodes a document for a printer.
///
/// # Errors
/// [`EncodeError`] naming the first row that cannot be printed.
pub fn encode(
    document: &[Row],
    profile: &Profile,
    assets: &dyn Assets,
    typesetter: &mut Typesetter,
) -> Result<Encoded, EncodeError> {
    let mut encoder =
        Encoder { pen: Pen::new(profile), profile, assets, typesetter, notes: Vec::new() };
    for (at, row) in document.iter().enumerate() {
        encoder.row(at, row)?;
        if encoder.pen.written() > BODY_MAX {
            return Err(EncodeError::TooLong { row: at });
        }
    }
    Ok(encoder.finished())
}

struct Encoder<'a> {
    pen: Pen<'a>,
    profile: &'a Profile,
    assets: &'a dyn Assets,
    typesetter: &'a mut Typesetter,
    notes: Vec<Note>,
}

impl Encoder<'_> {
    fn row(&mut self, at: usize, row: &Row) -> Result<(), EncodeError> {
        match row {
            Row::Text { text, align, style, money } => {
                self.text(at, text, *align, (*style).into(), *money)
            }
            Row::Columns { left, right, style, money } => {
                self.columns(at, left, right, (*style).into(), *money)
            }
            Row::Banner { text } => self.banner(at, text),
            Row::Qr { content } => self.qr(at, content),
            Row::Barcode { content } => self.barcode(at, content),
            Row::Logo { name } => self.logo(at, name),
            Row::Rule => {
                self.pen.rule();
                Ok(())
            }
            Row::Feed { lines } => {
                self.pen.feed(*lines);
                Ok(())
            }
        }
    }

    fn finished(mut self) -> Encoded {
        self.pen.plain();
        let cut = match self.profile.cutter {
            Cutter::None => Vec::new(),
            Cutter::Full => command::cut_full_feed().to_vec(),
            Cutter::Partial | Cutter::Both => command::cut_partial_feed().to_vec(),
        };
        if cut.is_empty() {
            self.pen.feed(TEAR_OFF_LINES);
        }
        self.pen.end_line();
        let cuts = u32::from(!cut.is_empty());
        Encoded { body: self.pen.finished(), cut, cuts, notes: self.notes }
    }
}

#[cfg(test)]
mod tests;
