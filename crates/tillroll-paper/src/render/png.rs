//! The paper as a PNG picture: one pixel a dot, one bit a pixel, 203 dpi.

use ::png::{BitDepth, ColorType, Encoder, Info, PixelDimensions, Unit};
use tillroll_escpos::{bitmap::Bitmap, typeset::Typesetter};

use super::page;
use crate::paper::{Roll, Ticket};

/// Dots a metre at 203 dpi.
const DOTS_PER_METRE: u32 = 7992;
/// Longest picture in dots: 25 m of paper.
const MAX_HEIGHT: u32 = 200_000;

/// The paper could not be made a picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// Longer than a picture may be.
    #[error("{dots} dots of paper are too long for a picture; {MAX_HEIGHT} is the limit")]
    TooLong {
        /// Length of the paper.
        dots: u32,
    },
    /// The encoder failed.
    #[error("PNG not encoded")]
    Encoding(#[from] ::png::EncodingError),
}

impl Ticket {
    /// The ticket with its margins.
    ///
    /// # Errors
    /// [`RenderError`] if it is too long.
    pub fn png(&self, typesetter: &mut Typesetter) -> Result<Vec<u8>, RenderError> {
        check(self.height())?;
        encode(&page::ticket(self, typesetter))
    }
}

impl Roll {
    /// All tickets, one below the other, a dashed line where the paper was cut.
    ///
    /// # Errors
    /// [`RenderError`] if they are too long together.
    pub fn png(&self, typesetter: &mut Typesetter) -> Result<Vec<u8>, RenderError> {
        check(self.tickets().map(Ticket::height).fold(0, u32::saturating_add))?;
        let mut paper = Bitmap::new(0, 0);
        for ticket in self.tickets() {
            paper.append(&page::ticket(ticket, typesetter));
            if ticket.complete() {
                paper.append(&cut_line(paper.width));
            }
        }
        encode(&paper)
    }
}

fn check(dots: u32) -> Result<(), RenderError> {
    if dots > MAX_HEIGHT { Err(RenderError::TooLong { dots }) } else { Ok(()) }
}

fn cut_line(width: u32) -> Bitmap {
    let mut line = Bitmap::new(width, 2);
    for x in (0..width).step_by(16) {
        line.fill(x, 0, 8, 2);
    }
    line
}

/// Encodes dots; an empty bitmap becomes one white dot, since PNG knows no empty picture.
pub(super) fn encode(dots: &Bitmap) -> Result<Vec<u8>, RenderError> {
    let blank = Bitmap::new(1, 1);
    let dots = if dots.bytes().is_empty() { &blank } else { dots };
    let mut info = Info::with_size(dots.width, dots.height);
    info.color_type = ColorType::Grayscale;
    info.bit_depth = BitDepth::One;
    info.pixel_dims =
        Some(PixelDimensions { xppu: DOTS_PER_METRE, yppu: DOTS_PER_METRE, unit: Unit::Meter });
    let mut bytes = Vec::new();
    let mut writer = Encoder::with_info(&mut bytes, info)?.write_header()?;
    // In PNG 1 is white.
    let white: Vec<u8> = dots.bytes().iter().map(|byte| !byte).collect();
    writer.write_image_data(&white)?;
    writer.finish()?;
    Ok(bytes)
}
