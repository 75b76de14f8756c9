//! What the interpreted printer is: paper width, fonts, code pages, cutter.

mod cjk;
mod code_page;
mod international;
mod profile;

pub use cjk::Cjk;
pub(crate) use cjk::jis_to_shift_jis;
pub use code_page::{CodePage, CodePages};
pub(crate) use international::substitute;

/// A printer model, as far as it decides what bytes look like on paper.
#[derive(Debug, Clone)]
pub struct Device {
    /// Printable width in dots: 576 on 80 mm paper, 384 on 58 mm (203 dpi).
    pub dots: u32,
    /// Unprinted paper at each side, in dots.
    pub side_margin: u32,
    /// Cutter fitted; without it a cut command only feeds.
    pub cutter: bool,
    /// Distance from print head to cutter in dots, fed by `GS V 65|66`.
    pub head_to_cutter: u32,
    /// Default line spacing in dots (`ESC 2`).
    pub line_spacing: u32,
    /// Pages selected by `ESC t n`.
    pub code_pages: CodePages,
    /// Double-byte character set, if the model has one.
    pub cjk: Option<Cjk>,
    /// Double-byte mode (`FS &`) on at power on and after `ESC @`: Chinese and Korean models.
    pub cjk_at_power_on: bool,
    /// Maker named by `GS I 66`.
    pub maker: String,
    /// Model named by `GS I 67`.
    pub model: String,
}

impl Device {
    /// 80 mm paper, 203 dpi, 48 columns of font A, Epson code pages, GB18030.
    pub fn mm80() -> Self {
        Self {
            dots: 576,
            side_margin: 32,
            cutter: true,
            head_to_cutter: 96,
            line_spacing: 30,
            code_pages: CodePages::epson(),
            cjk: Some(Cjk::Gb18030),
            cjk_at_power_on: true,
            maker: "TILLROLL".into(),
            model: "VP-80".into(),
        }
    }

    /// 58 mm paper, 203 dpi, 32 columns of font A, no cutter.
    pub fn mm58() -> Self {
        Self { dots: 384, cutter: false, model: "VP-58".into(), ..Self::mm80() }
    }

    /// Columns of font A (12 dots).
    pub fn columns(&self) -> u32 {
        self.dots / FONT_A_WIDTH
    }
}

impl Default for Device {
    fn default() -> Self {
        Self::mm80()
    }
}

/// Cell width of font A in dots.
pub const FONT_A_WIDTH: u32 = 12;
/// Cell height of font A and of double-byte characters in dots.
pub const FONT_A_HEIGHT: u32 = 24;
/// Cell width of font B in dots.
pub const FONT_B_WIDTH: u32 = 9;
/// Cell height of font B in dots.
pub const FONT_B_HEIGHT: u32 = 17;
/// Cell width of double-byte characters in dots.
pub const WIDE_WIDTH: u32 = 24;
