//! The two weights a document is set in.

use tillroll_escpos::typeset::{FontFile, GlyphLine, Typesetter};
use tillroll_paper::fonts::DocumentFonts;

use super::PdfError;

/// How heavy a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Text.
    Regular,
    /// What stands out.
    Bold,
}

/// A typesetter for each weight.
pub(super) struct Typefaces {
    regular: Typesetter,
    bold: Typesetter,
}

impl Typefaces {
    /// Reads the fonts. Whoever has the characters of `sample` has those of its language; names and
    /// reasons in other scripts are set as far as there are fonts.
    pub(super) fn read(fonts: &DocumentFonts, sample: &str) -> Result<Self, PdfError> {
        let mut regular = Typesetter::from_fonts(fonts.read_regular());
        if !can_set(&mut regular, sample) {
            return Err(PdfError::FontsMissing);
        }
        let mut bold = Typesetter::from_fonts(fonts.read_bold());
        let bold = if can_set(&mut bold, sample) { bold } else { regular.sibling() };
        Ok(Self { regular, bold })
    }

    /// A text in lines of at most `width` points; in one line without it.
    pub(super) fn lines(
        &mut self,
        text: &str,
        weight: Weight,
        size: f32,
        width: Option<f32>,
    ) -> Vec<GlyphLine> {
        let typesetter = match weight {
            Weight::Regular => &mut self.regular,
            Weight::Bold => &mut self.bold,
        };
        typesetter.paragraph(text, size, width)
    }

    /// The file of a face.
    pub(super) fn file(&self, weight: Weight, face: usize) -> Option<FontFile> {
        match weight {
            Weight::Regular => self.regular.font_file(face),
            Weight::Bold => self.bold.font_file(face),
        }
    }
}

fn can_set(typesetter: &mut Typesetter, sample: &str) -> bool {
    typesetter.missing_in(sample).is_empty()
}
