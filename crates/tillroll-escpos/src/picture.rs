//! Pictures from files (PNG, JPEG) to dots: bounded, scaled down to the paper, dithered.
//!
//! Whole numbers only, so that the same file gives the same dots on every machine.

use std::io::Cursor;

use image::{DynamicImage, ImageReader, Limits};

use crate::bitmap::Bitmap;

/// The largest file, in bytes.
pub const FILE_MAX: usize = 8 * 1024 * 1024;
/// The largest width and height of a picture before scaling, in dots.
pub const SIDE_MAX: u32 = 8_192;
/// The most rows printed, about half a metre of paper.
pub const ROWS_MAX: u32 = 4_096;
/// What decoding may allocate, in bytes.
const ALLOCATION_MAX: u64 = 256 * 1024 * 1024;

/// Why a file is no picture for paper.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The file is too large.
    #[error("the file has {0} bytes, at most {FILE_MAX} are allowed")]
    FileSize(usize),
    /// It would take too much paper.
    #[error("the picture would print {0} rows, at most {ROWS_MAX} are allowed")]
    Rows(u32),
    /// It cannot be decoded, or is larger than [`SIDE_MAX`].
    #[error("not a PNG or JPEG that can be read")]
    Decode(#[from] image::ImageError),
}

/// Decodes a picture, at most `width` dots wide.
///
/// # Errors
/// [`PictureError`] for a file that is too large, too tall or no picture.
pub fn decode(file: &[u8], width: u32) -> Result<Bitmap, PictureError> {
    if file.len() > FILE_MAX {
        return Err(PictureError::FileSize(file.len()));
    }
    let mut reader = ImageReader::new(Cursor::new(file))
        .with_guessed_format()
        .map_err(image::ImageError::from)?;
    reader.limits(bounds());
    let grey = Grey::on_white(&reader.decode()?);
    let scaled_rows = grey.rows_at(width);
    if scaled_rows > ROWS_MAX {
        return Err(PictureError::Rows(scaled_rows));
    }
    Ok(grey.scaled_down(width).dithered())
}

fn bounds() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(ALLOCATION_MAX);
    limits
}

/// A picture in 256 greys, 255 is white.
struct Grey {
    width: u32,
    height: u32,
    dots: Vec<u8>,
}

impl Grey {
    /// The brightness of a picture laid on white paper.
    fn on_white(image: &DynamicImage) -> Self {
        let image = image.to_luma_alpha8();
        let on_white = |&image::LumaA([luma, alpha]): &image::LumaA<u8>| {
            let (luma, alpha) = (u32::from(luma), u32::from(alpha));
            ((luma * alpha + 255 * (255 - alpha) + 127) / 255) as u8
        };
        Self {
            width: image.width(),
            height: image.height(),
            dots: image.pixels().map(on_white).collect(),
        }
    }

    fn rows_at(&self, width: u32) -> u32 {
        if self.width <= width {
            return self.height;
        }
        let rows = u64::from(self.height) * u64::from(width) / u64::from(self.width);
        u32::try_from(rows).unwrap_or(u32::MAX).max(1)
    }

    /// Each dot the mean of the area it covers; never larger than it was.
    fn scaled_down(self, width: u32) -> Self {
        if self.width <= width {
            return self;
        }
        let height = self.rows_at(width);
        let mut dots = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            let rows = covered(y, height, self.height);
            for x in 0..width {
                dots.push(self.mean(covered(x, width, self.width), rows.clone()));
            }
        }
        Self { width, height, dots }
    }

    fn mean(&self, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) -> u8 {
        let count = u64::from(columns.end - columns.start) * u64::from(rows.end - rows.start);
        let row_sum = |y: u32| {
            let start = y as usize * self.width as usize;
            let row = &self.dots[start + columns.start as usize..start + columns.end as usize];
            row.iter().map(|&dot| u64::from(dot)).sum::<u64>()
        };
        let sum: u64 = rows.map(row_sum).sum();
        u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX)
    }

    /// Floyd and Steinberg's error diffusion; pure black and white stay as they are.
    fn dithered(&self) -> Bitmap {
        let mut bitmap = Bitmap::new(self.width, self.height);
        let width = self.width as usize;
        let mut carried = vec![0_i32; width + 2];
        for (y, row) in (0..self.height).zip(self.dots.chunks_exact(width.max(1))) {
            let mut next = vec![0_i32; width + 2];
            for (x, &grey) in row.iter().enumerate() {
                let value = i32::from(grey) + carried[x + 1] / 16;
                let black = value < 128;
                bitmap.set(x as u32, y, black);
                let error = value - if black { 0 } else { 255 };
                carried[x + 2] += error * 7;
                next[x] += error * 3;
                next[x + 1] += error * 5;
                next[x + 2] += error;
            }
            carried = next;
        }
        bitmap
    }
}

/// The source dots under dot `at` of `count`, at least one.
fn covered(at: u32, count: u32, source: u32) -> std::ops::Range<u32> {
    let edge = |at: u32| (u64::from(at) * u64::from(source) / u64::from(count)) as u32;
    let start = edge(at);
    start..edge(at + 1).max(start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(image: DynamicImage) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, image::ImageFormat::Png).unwrap();
        file.into_inner()
    }

    fn ink(bitmap: &Bitmap) -> u32 {
        bitmap.bytes().iter().map(|byte| byte.count_ones()).sum()
    }

    #[test]
    fn black_and_white_stay_dot_for_dot() {
        let checker =
            |x: u32, y: u32| image::Luma([if (x / 3 + y).is_multiple_of(2) { 0 } else { 255 }]);
        let bitmap = decode(&png(image::GrayImage::from_fn(50, 20, checker).into()), 384).unwrap();
        for (x, y) in (0..50).flat_map(|x| (0..20).map(move |y| (x, y))) {
            assert_eq!(bitmap.get(x, y), (x / 3 + y).is_multiple_of(2), "dot {x}, {y}");
        }
    }

    #[test]
    fn half_grey_is_half_black_and_transparent_is_white() {
        let grey = image::GrayImage::from_pixel(64, 64, image::Luma([128]));
        let dots = ink(&decode(&png(grey.into()), 384).unwrap());
        assert!((1_900..2_200).contains(&dots), "{dots} of 4096");
        let clear = image::RgbaImage::from_pixel(64, 64, image::Rgba([0, 0, 0, 0]));
        assert_eq!(ink(&decode(&png(clear.into()), 384).unwrap()), 0);
    }

    #[test]
    fn wide_picture_is_scaled_down_to_the_paper() {
        let black = image::GrayImage::from_pixel(1_000, 500, image::Luma([0]));
        let bitmap = decode(&png(black.into()), 384).unwrap();
        assert_eq!((bitmap.width, bitmap.height, ink(&bitmap)), (384, 192, 384 * 192));
    }

    #[test]
    fn too_large_or_no_picture_is_refused() {
        assert!(matches!(decode(b"no picture", 384), Err(PictureError::Decode(_))));
        assert!(matches!(decode(&vec![0; FILE_MAX + 1], 384), Err(PictureError::FileSize(_))));
        let tall = png(image::GrayImage::new(8, ROWS_MAX + 1).into());
        assert!(matches!(decode(&tall, 384), Err(PictureError::Rows(4_097))));
        let huge = png(image::GrayImage::new(SIDE_MAX + 1, 1).into());
        assert!(matches!(decode(&huge, 384), Err(PictureError::Decode(_))));
    }

    #[test]
    fn truncated_file_is_an_error() {
        let file = png(image::GrayImage::new(100, 100).into());
        assert!(decode(&file[..file.len() / 2], 384).is_err());
    }
}
