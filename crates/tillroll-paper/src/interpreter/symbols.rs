//! Codes drawn by the printer: QR (`GS ( k`) and barcodes (`GS k`).

use qrcode::EcLevel;
use tillroll_escpos::bitmap::Bitmap;

use super::Interpreter;
use crate::{
    effect::Oddity,
    paper::{Element, Font, Line, Run, Style, Symbol, SymbolKind, Underline},
    symbol::{Barcode, qr},
};

impl Interpreter {
    /// `GS ( k`: cn 49 is QR; other kinds are passed over.
    pub(super) fn two_dimensional_code(&mut self, data: &[u8]) {
        match *data {
            [49, 67, n] => self.mode.qr.module = u32::from(n.clamp(1, 16)),
            [49, 69, n] => self.mode.qr.level = error_correction(n),
            [49, 80, 48, ref content @ ..] => self.mode.qr.content = content.to_vec(),
            [49, 81, 48] => self.print_qr(),
            _ => {}
        }
    }

    /// `GS k`: function A (m up to 6, NUL at the end) and B (m from 65, length first).
    pub(super) fn barcode(&mut self, kind: u8, data: &[u8]) {
        if !self.at_line_start("barcode") {
            return;
        }
        let content = match kind {
            0..=6 => data.strip_suffix(&[0]).unwrap_or(data),
            _ => data.get(1..).unwrap_or_default(),
        };
        let drawn = Barcode::encode(if kind < 65 { kind + 65 } else { kind }, content);
        let settings = &self.mode.barcode;
        match drawn.map(|code| (code.dots(settings.module, settings.height), code)) {
            Some((dots, code)) if dots.width <= self.area_width() => {
                self.put_barcode(dots, code);
            }
            _ => self.odd(Oddity::SymbolRefused("barcode")),
        }
    }

    fn print_qr(&mut self) {
        if !self.at_line_start("QR code") || self.mode.qr.content.is_empty() {
            return;
        }
        let drawn = qr::draw(&self.mode.qr.content, self.mode.qr.level, self.mode.qr.module);
        match drawn.filter(|dots| dots.width <= self.area_width()) {
            Some(dots) => {
                let content = String::from_utf8_lossy(&self.mode.qr.content).into_owned();
                self.put_image(dots, Some(Symbol { kind: SymbolKind::Qr, content }));
            }
            None => self.odd(Oddity::SymbolRefused("QR code")),
        }
    }

    fn put_barcode(&mut self, dots: Bitmap, code: Barcode) {
        let text = self.mode.barcode.text;
        let centre = self.placed(dots.width) + dots.width / 2;
        let caption = self.caption(&code.content, centre);
        if text & 1 != 0 {
            self.put(caption.clone());
        }
        self.put_image(dots, Some(Symbol { kind: code.kind, content: code.content }));
        if text & 2 != 0 {
            self.put(caption);
        }
    }

    /// The human-readable text of a barcode, centred on it.
    fn caption(&self, content: &str, centre: u32) -> Element {
        let font = if self.mode.barcode.text_font_b { Font::B } else { Font::A };
        let (width, height) = font.cell();
        let style = Style {
            font,
            across: 1,
            down: 1,
            bold: false,
            underline: Underline::None,
            reverse: false,
        };
        let x = centre.saturating_sub(content.chars().count() as u32 * width / 2);
        let run = Run { x, text: content.into(), advance: width, style };
        Element::Line(Line { runs: vec![run], height, ..Line::default() })
    }
}

/// `GS ( k` fn 69.
fn error_correction(n: u8) -> EcLevel {
    match n {
        49 => EcLevel::M,
        50 => EcLevel::Q,
        51 => EcLevel::H,
        _ => EcLevel::L,
    }
}
