//! The fonts and which characters they have.

use std::sync::Arc;

use cosmic_text::{Attrs, Family, Font, FontSystem, fontdb};

/// A font face and how the layout asks for it.
pub(super) struct Face {
    font: Arc<Font>,
    family: String,
    weight: fontdb::Weight,
    style: fontdb::Style,
    stretch: fontdb::Stretch,
}

impl Face {
    /// Opens a loaded face.
    pub(super) fn new(system: &mut FontSystem, id: fontdb::ID) -> Option<Self> {
        let info = system.db().face(id)?;
        let (family, _) = info.families.first()?;
        let family = family.clone();
        let (weight, style, stretch) = (info.weight, info.style, info.stretch);
        let font = system.get_font(id, weight)?;
        Some(Self { font, family, weight, style, stretch })
    }

    /// Its id in the database it was opened from.
    pub(super) fn id(&self) -> fontdb::ID {
        self.font.id()
    }

    /// Whether it has every visible character of the grapheme.
    pub(super) fn has(&self, grapheme: &str) -> bool {
        let charmap = self.font.as_swash().charmap();
        grapheme.chars().filter(|&c| !is_joiner(c)).all(|c| charmap.map(c) != 0)
    }

    /// The attributes that select it.
    pub(super) fn attributes(&self) -> Attrs<'_> {
        Attrs::new()
            .family(Family::Name(&self.family))
            .weight(self.weight)
            .style(self.style)
            .stretch(self.stretch)
    }
}

/// Zero-width joiners and variation selectors: they choose a form and have no glyph of their own.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// Loads the files and gives one face for each: of a collection the Simplified Chinese one where
/// there is such, else its first.
pub(super) fn load(database: &mut fontdb::Database, fonts: Vec<Vec<u8>>) -> Vec<fontdb::ID> {
    let mut preferred = Vec::new();
    for bytes in fonts {
        let faces = database.load_font_source(fontdb::Source::Binary(Arc::new(bytes)));
        let chinese = faces.iter().find(|&&id| is_simplified_chinese(database, id));
        preferred.extend(chinese.or(faces.first()).copied());
    }
    preferred
}

fn is_simplified_chinese(database: &fontdb::Database, id: fontdb::ID) -> bool {
    database
        .face(id)
        .is_some_and(|face| face.families.iter().any(|(name, _)| name.ends_with(" SC")))
}
