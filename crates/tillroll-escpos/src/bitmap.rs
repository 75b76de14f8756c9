//! A picture of black and white dots, the only kind a receipt printer knows.
//!
//! Rows are padded to whole bytes, the leftmost dot is the highest bit, 1 is black: the layout of
//! Epson's GS v 0. Padding bits stay 0.

/// A picture of one bit a dot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmap {
    /// Dots in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    bytes: Vec<u8>,
}

impl Bitmap {
    /// A white picture.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, bytes: vec![0; stride(width) * height as usize] }
    }

    /// Bytes a row takes.
    #[must_use]
    pub fn stride(&self) -> usize {
        stride(self.width)
    }

    /// Whether the dot is black; white outside the picture.
    #[must_use]
    pub fn get(&self, x: u32, y: u32) -> bool {
        self.place(x, y).is_some_and(|(at, bit)| self.bytes[at] & bit != 0)
    }

    /// Sets a dot; outside the picture nothing happens.
    pub fn set(&mut self, x: u32, y: u32, black: bool) {
        let Some((at, bit)) = self.place(x, y) else { return };
        if black {
            self.bytes[at] |= bit;
        } else {
            self.bytes[at] &= !bit;
        }
    }

    /// Blackens a rectangle, clipped to the picture.
    pub fn fill(&mut self, left: u32, top: u32, width: u32, height: u32) {
        for y in top..top.saturating_add(height).min(self.height) {
            for x in left..left.saturating_add(width).min(self.width) {
                self.set(x, y, true);
            }
        }
    }

    /// The bytes of one row; empty below the picture.
    #[must_use]
    pub fn row(&self, y: u32) -> &[u8] {
        let start = y as usize * self.stride();
        self.bytes.get(start..start + self.stride()).unwrap_or_default()
    }

    /// Every row from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.height).map(|y| self.row(y))
    }

    /// All bytes, row after row.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds the black dots of another picture, its corner at (`left`, `top`), clipped.
    pub fn draw(&mut self, other: &Self, left: u32, top: u32) {
        for y in 0..other.height {
            for x in 0..other.width {
                if other.get(x, y) {
                    self.set(left.saturating_add(x), top.saturating_add(y), true);
                }
            }
        }
    }

    /// Puts another picture below this one; the wider decides the width.
    pub fn append(&mut self, other: &Self) {
        let top = self.height;
        if other.width <= self.width {
            self.height += other.height;
            self.bytes.resize(self.stride() * self.height as usize, 0);
            self.draw(other, 0, top);
        } else {
            let mut joined = Self::new(other.width, top + other.height);
            joined.draw(self, 0, 0);
            joined.draw(other, 0, top);
            *self = joined;
        }
    }

    /// The rows `top..top + height`, clipped.
    #[must_use]
    pub fn band(&self, top: u32, height: u32) -> Self {
        let top = top.min(self.height);
        let height = height.min(self.height - top);
        let start = top as usize * self.stride();
        let end = start + height as usize * self.stride();
        Self { width: self.width, height, bytes: self.bytes[start..end].to_vec() }
    }

    /// The picture with every dot `factor` times as wide and tall.
    #[must_use]
    pub fn enlarged(&self, factor: u32) -> Self {
        let mut large = Self::new(self.width * factor, self.height * factor);
        for y in 0..self.height {
            for x in (0..self.width).filter(|&x| self.get(x, y)) {
                large.fill(x * factor, y * factor, factor, factor);
            }
        }
        large
    }

    fn place(&self, x: u32, y: u32) -> Option<(usize, u8)> {
        let inside = x < self.width && y < self.height;
        inside.then(|| (y as usize * self.stride() + x as usize / 8, 0x80 >> (x % 8)))
    }
}

fn stride(width: u32) -> usize {
    width.div_ceil(8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftmost_dot_is_the_highest_bit_and_rows_are_padded() {
        let mut bitmap = Bitmap::new(9, 2);
        bitmap.set(0, 0, true);
        bitmap.set(8, 1, true);
        bitmap.set(9, 0, true);
        bitmap.set(0, 2, true);
        assert_eq!(bitmap.bytes(), [0x80, 0, 0, 0x80]);
        assert!(bitmap.get(0, 0) && !bitmap.get(9, 0) && !bitmap.get(0, 2));
    }

    #[test]
    fn appended_picture_stands_below_and_the_wider_decides() {
        let mut bitmap = Bitmap::new(4, 1);
        bitmap.set(3, 0, true);
        let mut wide = Bitmap::new(12, 1);
        wide.set(11, 0, true);
        bitmap.append(&wide);
        assert_eq!((bitmap.width, bitmap.height), (12, 2));
        assert!(bitmap.get(3, 0) && bitmap.get(11, 1));
        bitmap.append(&Bitmap::new(1, 1));
        assert_eq!(bitmap.bytes(), [0x10, 0, 0, 0x10, 0, 0]);
    }

    #[test]
    fn bands_put_together_are_the_picture() {
        let mut bitmap = Bitmap::new(20, 10);
        bitmap.fill(3, 2, 9, 7);
        let bands: Vec<u8> =
            [0, 4, 8, 12].iter().flat_map(|&top| bitmap.band(top, 4).bytes().to_vec()).collect();
        assert_eq!(bands, bitmap.bytes());
    }
}
