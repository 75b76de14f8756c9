//! Printer profiles: what a model prints and how, as data.
//!
//! The facts come from escpos-printer-db (CC BY 4.0, see `profiles/ATTRIBUTION.md`) and an overlay of
//! our own. Columns always come from the profile, never from the width of the paper. A profile in
//! hand is valid: see [`Profile::checked`].

mod catalog;

use serde::{Deserialize, Serialize};

pub use crate::cjk::Cjk;
pub use crate::code_page::CodePage;
pub use crate::command::DrawerPin;

/// The profile of a printer nobody named.
pub const DEFAULT: &str = "generic-80";

/// How a printer cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cutter {
    /// Not at all: the paper is torn.
    #[default]
    None,
    /// Leaving a point.
    Partial,
    /// Through.
    Full,
    /// Either.
    Both,
}

/// How a model is known to confirm a job, weakest last; the probe at set-up decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationHint {
    /// Answers a token when its data is printed (GS ( H).
    Token,
    /// Answers in order and counts lines and cuts (GS r, GS g 2).
    Counter,
    /// Answers in order (GS r).
    InOrder,
    /// Answers in real time only (DLE EOT, GS a).
    Realtime,
    /// Answers nothing.
    Silent,
}

/// What one printer model is and can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name in settings.
    pub name: String,
    /// Its maker.
    pub vendor: String,
    /// Cells in a line of font A (12 dots a cell).
    pub columns_a: u32,
    /// Cells in a line of font B (9 dots a cell).
    pub columns_b: u32,
    /// Printable dots in a row.
    pub dots: u32,
    /// Dots an inch.
    pub dpi: u32,
    /// The numbers of ESC t and their pages, the preferred first.
    pub code_pages: Vec<(u8, CodePage)>,
    /// Its double-byte characters.
    pub cjk: Cjk,
    /// Whether it starts in double-byte mode.
    pub cjk_on_at_power_up: bool,
    /// How it cuts.
    pub cutter: Cutter,
    /// Whether it has GS v 0.
    pub raster: bool,
    /// Whether it has GS ( L, which is preferred where there is both.
    pub graphics: bool,
    /// Whether it draws QR codes itself (GS ( k).
    pub qr: bool,
    /// Whether it draws bar codes itself (GS k, function B).
    pub barcode_b: bool,
    /// The pins a drawer can hang on.
    pub drawer_pins: Vec<DrawerPin>,
    /// The longest content of a QR code it draws itself, in bytes.
    pub max_qr_bytes: u32,
    /// Rows of a picture sent in one command, 128 to 256.
    pub band_rows: u32,
    /// How the model is known to confirm.
    pub confirmation: Option<ConfirmationHint>,
    /// For people.
    pub notes: String,
}

/// Why a profile cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// A number is out of its range.
    #[error("{field} must be from {least} to {most}")]
    Range {
        /// The field.
        field: &'static str,
        /// The least allowed.
        least: u32,
        /// The most allowed.
        most: u32,
    },
}

impl Profile {
    /// Every profile shipped, in the order they are offered.
    #[must_use]
    pub fn all() -> &'static [Self] {
        catalog::profiles()
    }

    /// The shipped profile of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|profile| profile.name == name)
    }

    /// The same printer set to another number of columns in font A.
    ///
    /// # Errors
    /// [`ProfileError::Range`] outside 20 to 96 columns: the largest amount takes 20.
    pub fn with_columns(&self, columns: u32) -> Result<Self, ProfileError> {
        Self { columns_a: columns, ..self.clone() }.checked()
    }

    /// The profile, when its numbers can be used.
    ///
    /// # Errors
    /// [`ProfileError::Range`] naming the first field that cannot.
    pub fn checked(self) -> Result<Self, ProfileError> {
        range("columns_a", self.columns_a, 20, 96)?;
        range("columns_b", self.columns_b, 20, 128)?;
        range("dots", self.dots, 128, 1_024)?;
        range("band_rows", self.band_rows, 128, 256)?;
        range("max_qr_bytes", self.max_qr_bytes, 0, 7_089)?;
        Ok(self)
    }

    /// Whether pictures can be printed at all.
    #[must_use]
    pub fn prints_pictures(&self) -> bool {
        self.raster || self.graphics
    }
}

fn range(field: &'static str, value: u32, least: u32, most: u32) -> Result<(), ProfileError> {
    let inside = (least..=most).contains(&value);
    if inside { Ok(()) } else { Err(ProfileError::Range { field, least, most }) }
}

#[cfg(test)]
mod tests;
