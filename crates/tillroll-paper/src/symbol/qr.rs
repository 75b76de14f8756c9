//! QR codes.

use qrcode::{Color, EcLevel, QrCode};

use tillroll_escpos::bitmap::Bitmap;

use crate::dots;

/// Draws the code, `module` dots a module, without a quiet zone; `None` if the content is too long.
pub(crate) fn draw(content: &[u8], level: EcLevel, module: u32) -> Option<Bitmap> {
    let code = QrCode::with_error_correction_level(content, level).ok()?;
    let size = code.width() as u32;
    let mut modules = Bitmap::new(size, size);
    let places = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    for ((x, y), colour) in places.zip(code.into_colors()) {
        modules.set(x, y, colour == Color::Dark);
    }
    Some(dots::scaled(modules, module, module))
}
