//! Text to dots, with fonts that come in as bytes: for rows a printer's own fonts cannot print, and
//! for pictures of the paper.
//!
//! A face is chosen per grapheme, the first that has all its characters, in the order the fonts were
//! given; so the same text and fonts give the same dots on every machine. What no font has is drawn
//! as a box and counted, never left out in silence.

mod face;
mod ink;
mod paragraph;
mod shape;

use std::collections::HashMap;

use cosmic_text::{FontSystem, SwashCache, fontdb};
use unicode_width::UnicodeWidthStr;

use self::face::Face;
pub use self::paragraph::{FontFile, Glyph, GlyphLine};
use self::shape::Shaped;
pub use crate::bitmap::Bitmap;

/// Cells kept at most; then the cache starts anew.
const CELLS_KEPT: usize = 4_096;
/// Glyph pictures kept at most; then the cache starts anew.
const GLYPHS_KEPT: usize = 4_096;
/// The longest text of one line, in bytes; the rest is cut off at a character.
const LINE_BYTES: usize = 4_096;

/// Where a line of text stands in its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// At the left edge.
    #[default]
    Left,
    /// In the middle.
    Center,
    /// At the right edge.
    Right,
}

impl Align {
    /// How far from the left edge something of that width starts.
    #[must_use]
    pub fn offset(self, width: u32, space: u32) -> u32 {
        let free = space.saturating_sub(width);
        match self {
            Self::Left => 0,
            Self::Center => free / 2,
            Self::Right => free,
        }
    }
}

/// Sets text in dots.
pub struct Typesetter {
    system: FontSystem,
    glyphs: SwashCache,
    faces: Vec<Face>,
    cells: HashMap<CellKey, (Bitmap, u64)>,
    missing: u64,
}

#[derive(PartialEq, Eq, Hash)]
struct CellKey {
    text: String,
    width: u32,
    height: u32,
    bold: bool,
}

impl Typesetter {
    /// A typesetter with these font files (TrueType, OpenType, collections), the preferred first.
    /// Bytes that are no font are passed over; without any font every character is a box.
    #[must_use]
    pub fn from_fonts(fonts: Vec<Vec<u8>>) -> Self {
        let mut database = fontdb::Database::new();
        let preferred = face::load(&mut database, fonts);
        let mut system = FontSystem::new_with_locale_and_db("zh-CN".into(), database);
        let faces = preferred.into_iter().filter_map(|id| Face::new(&mut system, id)).collect();
        Self { system, glyphs: SwashCache::new(), faces, cells: HashMap::new(), missing: 0 }
    }

    /// Another typesetter with the same fonts, whose bytes both share.
    #[must_use]
    pub fn sibling(&self) -> Self {
        let database = self.system.db().clone();
        let mut system = FontSystem::new_with_locale_and_db("zh-CN".into(), database);
        let preferred = self.faces.iter().map(Face::id);
        let faces = preferred.filter_map(|id| Face::new(&mut system, id)).collect();
        Self { system, glyphs: SwashCache::new(), faces, cells: HashMap::new(), missing: 0 }
    }

    /// How many characters had no glyph in any font since the start, repeats counted.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// The graphemes of a line that it cannot draw.
    #[must_use]
    pub fn missing_in(&mut self, text: &str) -> Vec<String> {
        self.shape(text, PROBE_SIZE).missing
    }

    /// One grapheme in a cell of `width` by `height` dots, shrunk where it would not fit.
    pub fn cell(&mut self, text: &str, width: u32, height: u32, bold: bool) -> Bitmap {
        let key = CellKey { text: text.into(), width, height, bold };
        if let Some((bitmap, missing)) = self.cells.get(&key) {
            self.missing += missing;
            return bitmap.clone();
        }
        let before = self.missing;
        let bitmap = self.draw_cell(text, width, height, bold);
        if self.cells.len() >= CELLS_KEPT {
            self.cells.clear();
        }
        self.cells.insert(key, (bitmap.clone(), self.missing - before));
        bitmap
    }

    /// One line of text, `width` dots wide and `height` tall; what is wider than that is cut off.
    pub fn line(
        &mut self,
        text: &str,
        width: u32,
        height: u32,
        align: Align,
        bold: bool,
    ) -> Bitmap {
        let shaped = self.shape(text, line_size(height));
        self.missing += shaped.missing.len() as u64;
        let left = align.offset(shaped.dots(), width);
        self.draw(&shaped, width, height, left, bold)
    }

    /// How many dots wide [`Typesetter::line`] sets the text at that height.
    pub fn measure(&mut self, text: &str, height: u32) -> u32 {
        self.shape(text, line_size(height)).dots()
    }

    /// A text as glyphs, in lines of at most `width`; in one line without it. What no font has keeps its room
    /// and its text. Without any font there are no lines.
    pub fn paragraph(&mut self, text: &str, size: f32, width: Option<f32>) -> Vec<GlyphLine> {
        let text = &text[..text.floor_char_boundary(LINE_BYTES)];
        paragraph::lines(&mut self.system, &self.faces, text, size.max(1.0), width)
    }

    /// The file of a face that [`Typesetter::paragraph`] named.
    #[must_use]
    pub fn font_file(&self, face: usize) -> Option<FontFile> {
        let info = self.system.db().face(self.faces.get(face)?.id())?;
        let fontdb::Source::Binary(bytes) = &info.source else { return None };
        Some(FontFile { bytes: bytes.clone(), index: info.index })
    }

    fn draw_cell(&mut self, text: &str, width: u32, height: u32, bold: bool) -> Bitmap {
        let share = if text.width() > 1 { WIDE_SHARE } else { NARROW_SHARE };
        let size = height as f32 * share;
        let mut shaped = self.shape(text, size);
        if shaped.width > width as f32 {
            shaped = self.shape(text, size * width as f32 / shaped.width);
        }
        self.missing += shaped.missing.len() as u64;
        let left = Align::Center.offset(shaped.dots(), width);
        self.draw(&shaped, width, height, left, bold)
    }

    fn shape(&mut self, text: &str, size: f32) -> Shaped {
        let text = &text[..text.floor_char_boundary(LINE_BYTES)];
        shape::shape(&mut self.system, &self.faces, text, size)
    }

    fn draw(&mut self, shaped: &Shaped, width: u32, height: u32, left: u32, bold: bool) -> Bitmap {
        if self.glyphs.image_cache.len() >= GLYPHS_KEPT {
            self.glyphs.image_cache.clear();
        }
        let mut bitmap = Bitmap::new(width, height);
        let origin = (left as i32, baseline(height));
        ink::draw(&mut bitmap, shaped, origin, &mut self.system, &mut self.glyphs);
        if bold { ink::emboldened(&bitmap) } else { bitmap }
    }
}

/// A type size in which to see what can be drawn: it is the same in all.
const PROBE_SIZE: f32 = 24.0;
/// Type size of a half-width cell, as a share of its height: 20 of 24 dots.
const NARROW_SHARE: f32 = 20.0 / 24.0;
/// Type size of a full-width cell: 22 of 24 dots, the rest is the gap between two characters.
const WIDE_SHARE: f32 = 22.0 / 24.0;

fn line_size(height: u32) -> f32 {
    height as f32 * 0.8
}

/// The row letters stand on: four fifths down, which leaves room for descenders.
fn baseline(height: u32) -> i32 {
    i32::try_from(height * 4 / 5).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests;
