//! Placed glyphs to dots.

use cosmic_text::{FontSystem, SwashCache, SwashContent, SwashImage};

use super::shape::{Placed, Shaped};
use crate::bitmap::Bitmap;

/// Coverage from which a dot is black: under a half, since thin strokes must not vanish.
const INK: u8 = 100;

/// Draws the glyphs, each snapped to whole dots, so that the same letter always has the same dots;
/// `origin` is the left end of the baseline.
pub(super) fn draw(
    bitmap: &mut Bitmap,
    shaped: &Shaped,
    origin: (i32, i32),
    system: &mut FontSystem,
    glyphs: &mut SwashCache,
) {
    for placed in &shaped.glyphs {
        let Some(key) = placed.glyph else {
            draw_box(bitmap, placed, shaped.size, origin);
            continue;
        };
        let x = origin.0.saturating_add(placed.x.round() as i32);
        let y = origin.1.saturating_add(placed.y.round() as i32);
        if let Some(image) = glyphs.get_image(system, key) {
            draw_image(bitmap, image, x, y);
        }
    }
}

fn draw_image(bitmap: &mut Bitmap, image: &SwashImage, x: i32, y: i32) {
    let (left, top) = (x + image.placement.left, y - image.placement.top);
    let width = image.placement.width.max(1) as usize;
    let dots = image.data.chunks_exact(bytes_a_dot(image.content));
    for (at, _) in dots.enumerate().filter(|(_, dot)| is_black(image.content, dot)) {
        let (column, row) = ((at % width) as i32, (at / width) as i32);
        let Ok(x) = u32::try_from(left + column) else { continue };
        let Ok(y) = u32::try_from(top + row) else { continue };
        bitmap.set(x, y, true);
    }
}

fn bytes_a_dot(content: SwashContent) -> usize {
    match content {
        SwashContent::Mask => 1,
        SwashContent::SubpixelMask | SwashContent::Color => 4,
    }
}

fn is_black(content: SwashContent, dot: &[u8]) -> bool {
    match (content, dot) {
        (SwashContent::Color, &[red, green, blue, alpha]) => {
            let light = (u32::from(red) * 2 + u32::from(green) * 5 + u32::from(blue)) / 8;
            alpha >= INK && light < 160
        }
        _ => dot.iter().any(|&coverage| coverage >= INK),
    }
}

/// The sign of a missing glyph: an upright rectangle, as high as a capital letter.
fn draw_box(bitmap: &mut Bitmap, placed: &Placed, size: f32, origin: (i32, i32)) {
    let left = u32::try_from(origin.0 + placed.x.round() as i32 + 1).unwrap_or(0);
    let height = (size * 0.75) as u32;
    let top = u32::try_from(origin.1).unwrap_or(0).saturating_sub(height);
    let width = (placed.width as u32).saturating_sub(2).max(2);
    bitmap.fill(left, top, width, 1);
    bitmap.fill(left, top + height.saturating_sub(1), width, 1);
    bitmap.fill(left, top, 1, height);
    bitmap.fill(left + width - 1, top, 1, height);
}

/// Emphasised as printers do it: every dot also one to the right.
pub(super) fn emboldened(bitmap: &Bitmap) -> Bitmap {
    let mut bold = bitmap.clone();
    bold.draw(bitmap, 1, 0);
    bold
}
