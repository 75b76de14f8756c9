//! Pages of placed marks to PDF: fonts embedded as subsets, every glyph with the text it stands for.

use std::collections::BTreeMap;

use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Data, Document};
use tillroll_escpos::typeset::{Glyph, GlyphLine};

use super::PdfError;
use super::layout::{Bar, Ink, Mark, PAGE_HEIGHT, PAGE_WIDTH, Placed};
use super::typefaces::{Typefaces, Weight};

/// Writes the pages.
pub(super) fn pdf(
    pages: &[Vec<Mark>],
    typefaces: &Typefaces,
    title: String,
    language: &str,
) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::new();
    let metadata = Metadata::new().title(title).language(language.to_owned());
    document.set_metadata(metadata.creator("Tillroll".to_owned()));
    let mut fonts = Fonts { typefaces, opened: BTreeMap::new() };
    for marks in pages {
        let settings = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT).unwrap_or_default();
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for mark in marks {
            draw(&mut surface, mark, &mut fonts);
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(PdfError::Write)
}

fn draw(surface: &mut Surface<'_>, mark: &Mark, fonts: &mut Fonts<'_>) {
    match mark {
        Mark::Bar(bar) => {
            if let Some(path) = outline(bar) {
                surface.set_fill(Some(fill(bar.ink)));
                surface.draw_path(&path);
            }
        }
        Mark::Line(placed) => {
            surface.set_fill(Some(fill(placed.ink)));
            draw_line(surface, placed, fonts);
        }
    }
}

fn outline(bar: &Bar) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.push_rect(Rect::from_xywh(bar.x, bar.y, bar.width, bar.height)?);
    path.finish()
}

/// Draws a line as runs of one font each.
fn draw_line(surface: &mut Surface<'_>, placed: &Placed, fonts: &mut Fonts<'_>) {
    let GlyphLine { text, glyphs, .. } = &placed.line;
    for run in glyphs.chunk_by(|one, next| one.face == next.face) {
        let Some(first) = run.first() else { continue };
        let Some(font) = fonts.open(placed.weight, first.face) else { continue };
        let start = Point::from_xy(placed.x + first.x, placed.baseline);
        let glyphs: Vec<_> = run.iter().map(|glyph| scaled(glyph, placed.size)).collect();
        surface.draw_glyphs(start, &glyphs, font, text, placed.size, false);
    }
}

/// A glyph in shares of the type size.
fn scaled(glyph: &Glyph, size: f32) -> KrillaGlyph {
    let id = GlyphId::new(u32::from(glyph.id));
    let (advance, right, up) = (glyph.advance / size, glyph.right / size, glyph.up / size);
    KrillaGlyph::new(id, advance, right, up, 0.0, glyph.text.clone(), None)
}

/// Fonts as they are met.
struct Fonts<'a> {
    typefaces: &'a Typefaces,
    opened: BTreeMap<(Weight, usize), Option<Font>>,
}

impl Fonts<'_> {
    fn open(&mut self, weight: Weight, face: usize) -> Option<Font> {
        let open = || {
            let file = self.typefaces.file(weight, face)?;
            Font::new(Data::from(file.bytes), file.index)
        };
        self.opened.entry((weight, face)).or_insert_with(open).clone()
    }
}

fn fill(ink: Ink) -> Fill {
    let (red, green, blue) = match ink {
        Ink::Text => (0x1c, 0x20, 0x26),
        Ink::Muted => (0x5d, 0x66, 0x72),
        Ink::Good => (0x17, 0x69, 0x3f),
        Ink::Bad => (0xb3, 0x26, 0x1e),
        Ink::Brand => (0x0b, 0x6e, 0x66),
        Ink::Hairline => (0xd9, 0xdd, 0xe3),
        Ink::Band => (0xf1, 0xf4, 0xf5),
        Ink::Paper => (0xff, 0xff, 0xff),
    };
    Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() }
}
