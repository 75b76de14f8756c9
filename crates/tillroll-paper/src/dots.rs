//! What the paper needs of bitmaps beyond drawing: cutting, enlarging, turning.

use tillroll_escpos::bitmap::Bitmap;

/// Bytes in one row of `width` dots.
pub(crate) fn stride(width: u32) -> usize {
    width.div_ceil(8) as usize
}

/// A bitmap from raster rows of `stride(width)` bytes each, cut off at `limit` dots on the right;
/// missing bytes are white.
pub(crate) fn from_rows(width: u32, height: u32, rows: &[u8], limit: u32) -> Bitmap {
    let width_kept = width.min(limit);
    let mut bitmap = Bitmap::new(width_kept, height);
    for (y, row) in (0..height).zip(rows.chunks(stride(width).max(1))) {
        for x in black(row).take_while(|x| *x < width_kept) {
            bitmap.set(x, y, true);
        }
    }
    bitmap
}

/// Whether any dot is black.
pub(crate) fn has_ink(bitmap: &Bitmap) -> bool {
    bitmap.bytes().iter().any(|byte| *byte != 0)
}

/// The left part, at most `width` dots wide.
pub(crate) fn clipped(bitmap: Bitmap, width: u32) -> Bitmap {
    if bitmap.width <= width {
        return bitmap;
    }
    from_rows(bitmap.width, bitmap.height, bitmap.bytes(), width)
}

/// Each dot repeated `across` times sideways and `down` times downwards.
pub(crate) fn scaled(bitmap: Bitmap, across: u32, down: u32) -> Bitmap {
    if (across, down) == (1, 1) {
        return bitmap;
    }
    let mut larger = Bitmap::new(bitmap.width * across, bitmap.height * down);
    for (y, row) in (0..bitmap.height).zip(bitmap.rows()) {
        for x in black(row) {
            larger.fill(x * across, y * down, across, down);
        }
    }
    larger
}

/// Turned by 180 degrees.
pub(crate) fn upside_down(bitmap: &Bitmap) -> Bitmap {
    let mut turned = Bitmap::new(bitmap.width, bitmap.height);
    for (y, row) in (0..bitmap.height).zip(bitmap.rows()) {
        for x in black(row) {
            turned.set(bitmap.width - 1 - x, bitmap.height - 1 - y, true);
        }
    }
    turned
}

/// Black to white and back.
pub(crate) fn inverted(bitmap: &Bitmap) -> Bitmap {
    let mut inverse = Bitmap::new(bitmap.width, bitmap.height);
    for y in 0..bitmap.height {
        for x in 0..bitmap.width {
            inverse.set(x, y, !bitmap.get(x, y));
        }
    }
    inverse
}

/// Columns of the black dots in a row.
fn black(row: &[u8]) -> impl Iterator<Item = u32> {
    let bytes = row.iter().zip((0..).step_by(8)).filter(|(byte, _)| **byte != 0);
    bytes.flat_map(|(byte, first)| {
        (0..8).filter(move |bit| byte & 0x80 >> bit != 0).map(move |bit| first + bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_bits_of_foreign_rows_are_dropped() {
        assert_eq!(from_rows(3, 2, &[0xFF, 0xFF], 3).bytes(), [0xE0, 0xE0]);
    }

    #[test]
    fn clipping_keeps_the_left_part() {
        let bitmap = clipped(from_rows(16, 1, &[0xFF, 0xFF], 16), 9);
        assert_eq!((bitmap.width, bitmap.bytes()), (9, [0xFF, 0x80].as_slice()));
    }

    #[test]
    fn turning_twice_changes_nothing() {
        let bitmap = from_rows(10, 2, &[0xA0, 0x40, 0x01, 0x80], 10);
        assert_ne!(upside_down(&bitmap), bitmap);
        assert_eq!(upside_down(&upside_down(&bitmap)), bitmap);
        assert_eq!(inverted(&inverted(&bitmap)), bitmap);
    }

    #[test]
    fn scaling_repeats_dots() {
        let bitmap = scaled(from_rows(2, 1, &[0x40], 2), 2, 3);
        assert_eq!((bitmap.width, bitmap.height, bitmap.bytes()), (4, 3, [0x30; 3].as_slice()));
    }
}
