//! Images: raster (`GS v 0`), stored graphics (`GS ( L`, `GS 8 L`), column images (`ESC *`).

use std::sync::Arc;

use tillroll_escpos::bitmap::Bitmap;

use super::Interpreter;
use crate::{
    dots::{clipped, from_rows, scaled, stride},
    paper::{Element, Image, Symbol},
};

impl Interpreter {
    /// `GS v 0`: mode bit 0 doubles the width, bit 1 the height.
    pub(super) fn raster_image(&mut self, mode: u8, columns: u32, rows: u32, data: &[u8]) {
        let dots = from_rows(columns, rows, data, self.device.dots);
        let across = 1 + u32::from(mode & 1);
        let down = 1 + u32::from(mode >> 1 & 1);
        self.put_picture("raster image", scaled(dots, across, down));
    }

    /// `GS ( L` and `GS 8 L`: fn 112 stores raster data, fn 50 (or 2) prints what is stored.
    pub(super) fn graphics(&mut self, data: &[u8]) {
        match *data {
            [48, 112, 48, across, down, 49, xl, xh, yl, yh, ref rows @ ..] => {
                let width = u16::from_le_bytes([xl, xh]).into();
                let height = rows_present(width, u16::from_le_bytes([yl, yh]).into(), rows);
                let dots = from_rows(width, height, rows, self.device.dots);
                self.stored = Some(scaled(dots, scale(across), scale(down)));
            }
            [48, 2 | 50] => {
                if let Some(dots) = self.stored.take() {
                    self.put_picture("stored image", dots);
                }
            }
            _ => {}
        }
    }

    /// `ESC *`: 8 or 24 dots high, at half (mode 0, 32) or full horizontal density.
    pub(super) fn column_image(&mut self, mode: u8, columns: u16, data: &[u8]) {
        let (bytes, down) = if matches!(mode, 32 | 33) { (3, 1) } else { (1, 3) };
        let across = if matches!(mode, 0 | 32) { 2 } else { 1 };
        let room = self.area_width().saturating_sub(self.line.x);
        let columns = u32::from(columns).min(room / across);
        let mut dots = Bitmap::new(columns, 8 * bytes as u32);
        for (x, column) in (0..columns).zip(data.chunks_exact(bytes)) {
            for y in 0..dots.height {
                dots.set(x, y, column[y as usize / 8] << (y % 8) & 0x80 != 0);
            }
        }
        self.line.strip(scaled(dots, across, down));
    }

    /// Prints dots at the current alignment, cut off at the right edge of the area.
    pub(super) fn put_image(&mut self, dots: Bitmap, symbol: Option<Symbol>) {
        let dots = clipped(dots, self.area_width());
        if dots.height == 0 {
            return;
        }
        let x = self.placed(dots.width);
        self.put(Element::Image(Image { x, dots: Arc::new(dots), symbol, continues: false }));
    }

    fn put_picture(&mut self, what: &'static str, dots: Bitmap) {
        if self.at_line_start(what) {
            self.put_image(dots, None);
        }
    }
}

/// Rows that the data really has; the header may promise more.
fn rows_present(width: u32, promised: u32, rows: &[u8]) -> u32 {
    let stride = stride(width).max(1);
    promised.min(rows.len().div_ceil(stride) as u32)
}

fn scale(n: u8) -> u32 {
    u32::from(n.clamp(1, 2))
}
