//! A line of text to placed glyphs: faces chosen per grapheme, shaping and bidi by the layout.

use std::ops::Range;

use cosmic_text::{Buffer, CacheKey, FontSystem, LayoutGlyph, Metrics, Shaping, Wrap};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::face::Face;
use crate::text::breaks_line;

/// Marks a glyph that only keeps the room for a box.
pub(super) const BOX: usize = 1;

/// A glyph, or the box in place of a missing one, at its place on the line.
pub(super) struct Placed {
    /// Which glyph; `None` for a box.
    pub(super) glyph: Option<CacheKey>,
    /// From the left end of the line, in dots.
    pub(super) x: f32,
    /// Below the baseline, in dots.
    pub(super) y: f32,
    /// The room it takes, in dots.
    pub(super) width: f32,
}

/// A shaped line.
pub(super) struct Shaped {
    /// The glyphs.
    pub(super) glyphs: Vec<Placed>,
    /// Its width in dots.
    pub(super) width: f32,
    /// Its type size in dots.
    pub(super) size: f32,
    /// The graphemes that are not drawn: no face has them, or the layout left them out.
    pub(super) missing: Vec<String>,
}

impl Shaped {
    /// Its width in whole dots.
    pub(super) fn dots(&self) -> u32 {
        self.width.ceil() as u32
    }
}

/// A stretch of text in one face, or one grapheme that no face has.
pub(super) struct Span<'a> {
    /// The text as it came, blanks in place of what breaks a line.
    pub(super) text: String,
    /// Its face.
    pub(super) face: Option<&'a Face>,
}

impl Span<'_> {
    /// What the layout is given: for a missing grapheme a letter that keeps about its room.
    pub(super) fn shown(&self) -> &str {
        match self.face {
            Some(_) => &self.text,
            None if self.text.width() > 1 => "M",
            None => "n",
        }
    }
}

/// Shapes one line; control characters count as spaces, so that there is only one.
pub(super) fn shape(system: &mut FontSystem, faces: &[Face], text: &str, size: f32) -> Shaped {
    let size = size.max(1.0);
    let spans = spans(faces, text);
    let unknown = spans.iter().filter(|span| span.face.is_none());
    let mut missing: Vec<String> = unknown.map(|span| span.text.clone()).collect();
    let Some(first) = faces.first() else {
        return from_left(boxes(spans.len(), size), size, missing);
    };
    let glyphs = layout(system, &spans, first, size, None).concat();
    let text: String = spans.iter().map(Span::shown).collect();
    missing.extend(left_out(&text, glyphs.iter().map(|glyph| glyph.start..glyph.end)));
    from_left(glyphs.iter().map(placed).collect(), size, missing)
}

/// The lines of a text that is broken at `width`. Without one it is never broken, but with [`Wrap::None`]
/// cosmic-text 0.19 leaves out a run at the start of a line that goes against the line's direction: the
/// `3` of `3 كوب`.
pub(super) fn layout(
    system: &mut FontSystem,
    spans: &[Span<'_>],
    first: &Face,
    size: f32,
    width: Option<f32>,
) -> Vec<Vec<LayoutGlyph>> {
    let mut buffer = Buffer::new(system, Metrics::new(size, size));
    buffer.set_wrap(if width.is_some() { Wrap::WordOrGlyph } else { Wrap::Glyph });
    buffer.set_size(width, None);
    let plain = first.attributes();
    let rich = spans.iter().map(|span| match span.face {
        Some(face) => (span.shown(), face.attributes()),
        None => (span.shown(), plain.clone().metadata(BOX)),
    });
    buffer.set_rich_text(rich, &plain, Shaping::Advanced, None);
    buffer.shape_until_scroll(system, false);
    buffer.layout_runs().map(|run| run.glyphs.to_vec()).collect()
}

/// The visible graphemes with a byte that belongs to no glyph.
pub(super) fn left_out(text: &str, glyphs: impl Iterator<Item = Range<usize>>) -> Vec<String> {
    let mut drawn = vec![false; text.len()];
    for bytes in glyphs {
        drawn[bytes].fill(true);
    }
    let lost = text.grapheme_indices(true).filter(|(start, grapheme)| {
        let bytes = *start..start + grapheme.len();
        !grapheme.trim().is_empty() && drawn[bytes].contains(&false)
    });
    lost.map(|(_, grapheme)| grapheme.to_owned()).collect()
}

fn placed(glyph: &LayoutGlyph) -> Placed {
    let (key, _, _) = CacheKey::new(
        glyph.font_id,
        glyph.glyph_id,
        glyph.font_size,
        (0.0, 0.0),
        glyph.font_weight,
        glyph.cache_key_flags,
    );
    Placed {
        glyph: (glyph.metadata != BOX).then_some(key),
        x: glyph.x + glyph.font_size * glyph.x_offset,
        y: glyph.y - glyph.font_size * glyph.y_offset,
        width: glyph.w,
    }
}

fn boxes(count: usize, size: f32) -> Vec<Placed> {
    let width = size * 0.6;
    (0..count).map(|at| Placed { glyph: None, x: at as f32 * width, y: 0.0, width }).collect()
}

/// Moves the line so that its leftmost glyph starts at 0.
fn from_left(mut glyphs: Vec<Placed>, size: f32, missing: Vec<String>) -> Shaped {
    let left = glyphs.iter().map(|glyph| glyph.x).fold(f32::INFINITY, f32::min);
    for glyph in &mut glyphs {
        glyph.x -= left;
    }
    let width = glyphs.iter().map(|glyph| glyph.x + glyph.width).fold(0.0, f32::max);
    Shaped { glyphs, width, size, missing }
}

/// Stretches of one face each, in the order of the text.
pub(super) fn spans<'a>(faces: &'a [Face], text: &str) -> Vec<Span<'a>> {
    let text: String = text.chars().map(|c| if breaks_line(c) { ' ' } else { c }).collect();
    let mut spans: Vec<Span<'a>> = Vec::new();
    for grapheme in text.graphemes(true) {
        let last = spans.last().and_then(|span| span.face);
        let blank = grapheme.trim().is_empty();
        let face =
            last.filter(|face| blank && face.has(grapheme)).or_else(|| face_of(faces, grapheme));
        match (spans.last_mut(), face) {
            (Some(span), Some(face)) if span.face.is_some_and(|last| std::ptr::eq(last, face)) => {
                span.text.push_str(grapheme);
            }
            (_, None) if blank => spans.push(Span { text: " ".into(), face: faces.first() }),
            _ => spans.push(Span { text: grapheme.into(), face }),
        }
    }
    spans
}

fn face_of<'a>(faces: &'a [Face], grapheme: &str) -> Option<&'a Face> {
    faces.iter().find(|face| face.has(grapheme))
}
