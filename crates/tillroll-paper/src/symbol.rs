//! Drawing of codes: bars and modules as dots.

mod code128;
mod ean;
pub(crate) mod qr;

use tillroll_escpos::bitmap::Bitmap;

use crate::paper::SymbolKind;

/// An encoded one-dimensional code.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Barcode {
    pub(crate) kind: SymbolKind,
    /// Human-readable content, check digit included.
    pub(crate) content: String,
    /// Widths in modules, a bar first, then space and bar in turn.
    widths: Vec<u8>,
}

impl Barcode {
    /// Encodes the data of `GS k` with m = `kind` (65..=79); `None` if the kind is not drawn here or
    /// the content does not suit it.
    pub(crate) fn encode(kind: u8, content: &[u8]) -> Option<Self> {
        match kind {
            65 => ean::upc_a(content),
            67 => ean::ean13(content),
            68 => ean::ean8(content),
            73 => code128::encode(content),
            _ => None,
        }
    }

    /// The bars, `module` dots a module and `height` dots high, without quiet zones.
    pub(crate) fn dots(&self, module: u32, height: u32) -> Bitmap {
        let modules: u32 = self.widths.iter().map(|width| u32::from(*width)).sum();
        let mut dots = Bitmap::new(modules * module, height);
        let mut x = 0;
        for (index, width) in self.widths.iter().enumerate() {
            let width = u32::from(*width) * module;
            if index % 2 == 0 {
                dots.fill(x, 0, width, height);
            }
            x += width;
        }
        dots
    }
}

/// Widths written as digits: `"212"` is a bar of 2, a space of 1, a bar of 2.
fn widths(pattern: &str) -> impl Iterator<Item = u8> {
    pattern.bytes().map(|digit| digit - b'0')
}
