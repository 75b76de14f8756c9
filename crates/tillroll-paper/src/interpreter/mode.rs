//! The modes that commands set and `ESC @` resets.

use crate::{
    device::{CodePage, Device, FONT_A_WIDTH},
    paper::{Font, Style, Underline},
};

/// Default tab distance in characters of font A.
const TAB_CHARACTERS: u32 = 8;
/// Dots an inch, the default motion unit (`GS P`).
const DOTS_PER_INCH: u32 = 203;

/// Everything `ESC @` resets.
#[derive(Debug)]
pub(super) struct Mode {
    pub(super) page: CodePage,
    pub(super) international: u8,
    /// `FS &`: bytes may pair to double-byte characters.
    pub(super) double_byte: bool,
    /// `FS C 0`: Japanese models take JIS codes instead of Shift JIS.
    pub(super) jis_codes: bool,
    pub(super) narrow: Face,
    pub(super) wide: Face,
    pub(super) font_b: bool,
    pub(super) bold: bool,
    pub(super) double_strike: bool,
    pub(super) reverse: bool,
    pub(super) upside_down: bool,
    /// `ESC a`: 0 left, 1 centre, 2 right.
    pub(super) alignment: u8,
    pub(super) line_spacing: u32,
    pub(super) left_margin: u32,
    pub(super) area_width: u32,
    pub(super) tab_stops: Vec<u32>,
    pub(super) units: Units,
    pub(super) barcode: BarcodeMode,
    pub(super) qr: QrMode,
}

/// Size and decoration of one kind of character: single-byte or double-byte.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub(super) across: u32,
    pub(super) down: u32,
    pub(super) underline: Underline,
    pub(super) space_before: u32,
    pub(super) space_after: u32,
}

/// Motion units an inch (`GS P`).
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    pub(super) horizontal: u32,
    pub(super) vertical: u32,
}

/// Settings of one-dimensional codes.
#[derive(Debug)]
pub(super) struct BarcodeMode {
    pub(super) height: u32,
    pub(super) module: u32,
    /// `GS H`: bit 0 text above, bit 1 text below.
    pub(super) text: u8,
    pub(super) text_font_b: bool,
}

/// Settings and stored content of QR codes.
#[derive(Debug)]
pub(super) struct QrMode {
    pub(super) module: u32,
    pub(super) level: qrcode::EcLevel,
    pub(super) content: Vec<u8>,
}

impl Mode {
    pub(super) fn initial(device: &Device) -> Self {
        let face = Face {
            across: 1,
            down: 1,
            underline: Underline::None,
            space_before: 0,
            space_after: 0,
        };
        Self {
            page: device.code_pages.get(0),
            international: 0,
            double_byte: device.cjk_at_power_on,
            jis_codes: false,
            narrow: face,
            wide: face,
            font_b: false,
            bold: false,
            double_strike: false,
            reverse: false,
            upside_down: false,
            alignment: 0,
            line_spacing: device.line_spacing,
            left_margin: 0,
            area_width: device.dots,
            tab_stops: default_tab_stops(device.dots),
            units: Units { horizontal: DOTS_PER_INCH, vertical: DOTS_PER_INCH },
            barcode: BarcodeMode { height: 162, module: 3, text: 0, text_font_b: false },
            qr: QrMode { module: 3, level: qrcode::EcLevel::L, content: Vec::new() },
        }
    }

    /// Look of the next single-byte (`wide` false) or double-byte character.
    pub(super) fn style(&self, wide: bool) -> Style {
        let face = if wide { self.wide } else { self.narrow };
        let single_byte = if self.font_b { Font::B } else { Font::A };
        Style {
            font: if wide { Font::Wide } else { single_byte },
            across: face.across,
            down: face.down,
            bold: self.bold || self.double_strike,
            underline: face.underline,
            reverse: self.reverse,
        }
    }

    /// Dots before and after the glyph of the next character.
    pub(super) fn spacing(&self, wide: bool) -> (u32, u32) {
        let face = if wide { self.wide } else { self.narrow };
        (face.space_before * face.across, face.space_after * face.across)
    }

    /// Sets the size of single-byte and double-byte characters alike (`GS !`).
    pub(super) fn set_size(&mut self, across: u32, down: u32) {
        for face in [&mut self.narrow, &mut self.wide] {
            face.across = across;
            face.down = down;
        }
    }
}

impl Units {
    /// Horizontal units to dots.
    pub(super) fn across(self, units: u32) -> u32 {
        units * DOTS_PER_INCH / self.horizontal
    }

    /// Vertical units to dots.
    pub(super) fn down(self, units: u32) -> u32 {
        units * DOTS_PER_INCH / self.vertical
    }

    /// Sets the units; 0 is the default.
    pub(super) fn set(&mut self, horizontal: u8, vertical: u8) {
        let or_default = |unit: u8| if unit == 0 { DOTS_PER_INCH } else { u32::from(unit) };
        self.horizontal = or_default(horizontal);
        self.vertical = or_default(vertical);
    }
}

fn default_tab_stops(dots: u32) -> Vec<u32> {
    let distance = TAB_CHARACTERS * FONT_A_WIDTH;
    (1..).map(|index| index * distance).take_while(|stop| *stop < dots).collect()
}
