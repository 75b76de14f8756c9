//! Text as glyphs of its fonts, for output that draws glyphs itself and keeps the text beside them: PDF.

use std::ops::Range;
use std::sync::Arc;

use cosmic_text::{FontSystem, LayoutGlyph};

use super::face::Face;
use super::shape::{self, Span};

/// The bytes of a font file and which of its faces is meant.
pub struct FontFile {
    /// The file.
    pub bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// The face in a collection; 0 in other files.
    pub index: u32,
}

/// One line of a paragraph. Lengths are in the unit of its type size.
#[derive(Debug, Clone)]
pub struct GlyphLine {
    /// The text of the whole paragraph, which the glyphs point into.
    pub text: Arc<str>,
    /// Its glyphs, left to right.
    pub glyphs: Vec<Glyph>,
    /// How wide it is.
    pub width: f32,
}

/// A glyph at its place on the line.
#[derive(Debug, Clone)]
pub struct Glyph {
    /// Which font, for [`super::Typesetter::font_file`].
    pub face: usize,
    /// Its number in the font; 0 is the font's sign for a character that no font has.
    pub id: u16,
    /// Where it starts, from the left end of the line.
    pub x: f32,
    /// How far on the next one starts.
    pub advance: f32,
    /// How far right of its start it is drawn.
    pub right: f32,
    /// How far above the baseline it is drawn.
    pub up: f32,
    /// The bytes of the text it stands for.
    pub text: Range<usize>,
}

/// Sets a text in lines of at most `width`, broken between words where that is possible; in one line without it.
pub(super) fn lines(
    system: &mut FontSystem,
    faces: &[Face],
    text: &str,
    size: f32,
    width: Option<f32>,
) -> Vec<GlyphLine> {
    let spans = shape::spans(faces, text);
    let Some(first) = faces.first() else { return Vec::new() };
    let source = Source::of(&spans);
    let lines = shape::layout(system, &spans, first, size, width);
    lines.iter().map(|glyphs| source.line(faces, glyphs)).collect()
}

/// The text as it came, beside the text the layout was given: that has letters in place of what no font has.
struct Source<'a> {
    text: Arc<str>,
    spans: &'a [Span<'a>],
    /// Where each span starts: in the layout's text, and in the text as it came.
    starts: Vec<(usize, usize)>,
}

impl<'a> Source<'a> {
    fn of(spans: &'a [Span<'a>]) -> Self {
        let mut text = String::new();
        let mut shown = 0;
        let mut starts = Vec::with_capacity(spans.len());
        for span in spans {
            starts.push((shown, text.len()));
            shown += span.shown().len();
            text.push_str(&span.text);
        }
        Self { text: text.into(), spans, starts }
    }

    fn line(&self, faces: &[Face], glyphs: &[LayoutGlyph]) -> GlyphLine {
        let left = glyphs.iter().map(|glyph| glyph.x).fold(f32::INFINITY, f32::min);
        let glyphs: Vec<_> = glyphs.iter().map(|glyph| self.glyph(faces, glyph, left)).collect();
        let width = glyphs.iter().map(|glyph| glyph.x + glyph.advance).fold(0.0, f32::max);
        GlyphLine { text: Arc::clone(&self.text), glyphs, width }
    }

    fn glyph(&self, faces: &[Face], glyph: &LayoutGlyph, left: f32) -> Glyph {
        let is_box = glyph.metadata == shape::BOX;
        Glyph {
            face: faces.iter().position(|face| face.id() == glyph.font_id).unwrap_or_default(),
            id: if is_box { 0 } else { glyph.glyph_id },
            x: glyph.x - left,
            advance: glyph.w,
            right: glyph.font_size * glyph.x_offset,
            up: glyph.font_size * glyph.y_offset,
            text: self.bytes_of(glyph),
        }
    }

    /// The bytes of the text as it came; none where that would cut a character.
    fn bytes_of(&self, glyph: &LayoutGlyph) -> Range<usize> {
        let at = self.starts.partition_point(|(shown, _)| *shown <= glyph.start).saturating_sub(1);
        let (Some(span), Some((shown, start))) = (self.spans.get(at), self.starts.get(at)) else {
            return 0..0;
        };
        let end = start + span.text.len();
        let bytes = match span.face {
            Some(_) => {
                let moved = |at: usize| (at.saturating_sub(*shown) + start).min(end);
                moved(glyph.start)..moved(glyph.end)
            }
            None => *start..end,
        };
        self.text.get(bytes.clone()).map_or(0..0, |_| bytes)
    }
}
