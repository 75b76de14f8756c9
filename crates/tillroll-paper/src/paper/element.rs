//! One printed thing: a text line, blank paper, or an image.

use std::sync::Arc;

use tillroll_escpos::bitmap::Bitmap;

use crate::{
    device::{FONT_A_HEIGHT, FONT_A_WIDTH, FONT_B_HEIGHT, FONT_B_WIDTH, WIDE_WIDTH},
    dots,
};

/// One printed thing. Elements follow each other downwards without gaps.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Element {
    /// A line of text.
    Line(Line),
    /// Blank paper.
    Feed(Feed),
    /// A picture or a drawn code.
    Image(Image),
}

impl Element {
    /// Height in dots.
    pub fn height(&self) -> u32 {
        match self {
            Self::Line(line) => line.height,
            Self::Feed(feed) => feed.dots,
            Self::Image(image) => image.dots.height,
        }
    }

    /// Whether it leaves a mark on the paper.
    pub fn has_ink(&self) -> bool {
        match self {
            Self::Line(line) => line.has_ink(),
            Self::Feed(_) => false,
            Self::Image(image) => dots::has_ink(&image.dots),
        }
    }

    /// Lines as the device's line counter counts them: never 0 when paper moved.
    pub(crate) fn lines(&self) -> u32 {
        match self {
            Self::Line(_) => 1,
            Self::Feed(feed) => feed.lines.max(u32::from(feed.dots > 0)),
            Self::Image(image) => image.dots.height.div_ceil(FONT_A_HEIGHT),
        }
    }

    /// Memory it takes, roughly, in bytes.
    pub(crate) fn size(&self) -> usize {
        let held = match self {
            Self::Line(line) => line.size(),
            Self::Feed(_) => 0,
            Self::Image(image) => image.dots.bytes().len(),
        };
        size_of::<Self>() + held
    }
}

/// A line of text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// Text by position; later runs print over earlier ones.
    pub runs: Vec<Run>,
    /// Column images (`ESC *`) between the text.
    pub strips: Vec<Strip>,
    /// Paper fed, in dots.
    pub height: u32,
    /// Turned by 180 degrees (`ESC {`).
    pub upside_down: bool,
}

impl Line {
    fn has_ink(&self) -> bool {
        self.runs.iter().any(Run::has_ink)
            || self.strips.iter().any(|strip| dots::has_ink(&strip.dots))
    }

    fn size(&self) -> usize {
        let text: usize = self.runs.iter().map(|run| size_of::<Run>() + run.text.len()).sum();
        text + self.strips.iter().map(|strip| strip.dots.bytes().len()).sum::<usize>()
    }
}

/// Neighbouring characters of one style.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Left edge in dots from the left end of the printable width.
    pub x: u32,
    /// The characters.
    pub text: String,
    /// Dots from one character to the next.
    pub advance: u32,
    /// How they look.
    pub style: Style,
}

impl Run {
    /// Right edge in dots.
    pub fn end(&self) -> u32 {
        self.x + self.advance * self.text.chars().count() as u32
    }

    fn has_ink(&self) -> bool {
        self.style.reverse
            || self.style.underline != Underline::None
            || self.text.chars().any(|c| !c.is_whitespace())
    }
}

/// A column image inside a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// Left edge in dots from the left end of the printable width.
    pub x: u32,
    /// The dots.
    pub dots: Bitmap,
}

/// How characters look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The font, which gives the cell's size.
    pub font: Font,
    /// Times the width.
    pub across: u32,
    /// Times the height.
    pub down: u32,
    /// Emphasised or double-struck.
    pub bold: bool,
    /// Underline.
    pub underline: Underline,
    /// White on black.
    pub reverse: bool,
}

impl Style {
    /// Width of one character in dots.
    pub fn width(&self) -> u32 {
        self.font.cell().0 * self.across
    }

    /// Height of one character in dots.
    pub fn height(&self) -> u32 {
        self.font.cell().1 * self.down
    }
}

/// The printer's fonts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    /// Single-byte characters.
    A,
    /// Smaller single-byte characters.
    B,
    /// Double-byte characters, two columns of font A.
    Wide,
}

impl Font {
    /// Width and height of a cell in dots, not enlarged.
    pub fn cell(self) -> (u32, u32) {
        match self {
            Self::A => (FONT_A_WIDTH, FONT_A_HEIGHT),
            Self::B => (FONT_B_WIDTH, FONT_B_HEIGHT),
            Self::Wide => (WIDE_WIDTH, FONT_A_HEIGHT),
        }
    }
}

/// Thickness of the underline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Underline {
    /// No underline.
    #[default]
    None,
    /// One dot.
    Thin,
    /// Two dots.
    Thick,
}

/// Blank paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feed {
    /// Length in dots.
    pub dots: u32,
    /// Whole text lines it stands for.
    pub lines: u32,
}

impl Feed {
    pub(crate) fn extend(&mut self, below: Feed) {
        self.dots = self.dots.saturating_add(below.dots);
        self.lines = self.lines.saturating_add(below.lines);
    }
}

/// A picture, or a code drawn by the printer.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Left edge in dots from the left end of the printable width.
    pub x: u32,
    /// The dots.
    pub dots: Arc<Bitmap>,
    /// What the dots encode, if the printer drew them.
    pub symbol: Option<Symbol>,
    /// Goes on the image above it, which the same command printed.
    pub continues: bool,
}

impl Image {
    pub(crate) fn extend(&mut self, below: &Image) {
        Arc::make_mut(&mut self.dots).append(&below.dots);
    }

    /// Parts of at most `rows` rows, from the top, as the print head lays them down.
    pub(crate) fn slices(self, rows: u32) -> impl Iterator<Item = Image> {
        let height = self.dots.height;
        (0..height.div_ceil(rows)).map(move |index| Image {
            dots: Arc::new(self.dots.band(index * rows, rows)),
            continues: self.continues || index > 0,
            symbol: self.symbol.clone(),
            x: self.x,
        })
    }
}

/// A drawn code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its kind.
    pub kind: SymbolKind,
    /// What it encodes.
    pub content: String,
}

/// Kinds of code the printer draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolKind {
    /// QR code, model 2.
    Qr,
    /// Code 128, GS1-128 included.
    Code128,
    /// EAN-13 (JAN-13).
    Ean13,
    /// EAN-8 (JAN-8).
    Ean8,
    /// UPC-A.
    UpcA,
}

impl SymbolKind {
    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Qr => "QR",
            Self::Code128 => "CODE128",
            Self::Ean13 => "EAN13",
            Self::Ean8 => "EAN8",
            Self::UpcA => "UPC-A",
        }
    }
}
