//! Pictures as a shop would upload them.

use std::io::Cursor;

use image::{GrayImage, ImageFormat, Luma};

/// A grey PNG of that size in dots: a frame around a ramp, so that dithering has something to do and
/// a missing row shows.
///
/// # Panics
/// When a side is zero.
#[must_use]
pub fn logo_png(width: u32, height: u32) -> Vec<u8> {
    let picture = GrayImage::from_fn(width, height, |x, y| {
        let frame = x < 4 || y < 4 || x + 4 >= width || y + 4 >= height;
        Luma([if frame { 0 } else { ramp(x + y, width + height) }])
    });
    let mut png = Cursor::new(Vec::new());
    picture
        .write_to(&mut png, ImageFormat::Png)
        .unwrap_or_else(|error| panic!("logo of {width}x{height}: {error}"));
    png.into_inner()
}

fn ramp(place: u32, of: u32) -> u8 {
    u8::try_from(u64::from(place) * 255 / u64::from(of.max(1))).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logo_reads_back_in_its_size() {
        let picture = image::load_from_memory(&logo_png(384, 600)).unwrap().to_luma8();
        assert_eq!(picture.dimensions(), (384, 600));
        assert_eq!(picture.get_pixel(0, 300), &Luma([0]));
        assert!(picture.get_pixel(379, 595).0[0] > 250);
    }
}
