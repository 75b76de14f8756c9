//! Pictures: logos and rows set in dots, sent in bands.
//!
//! A command's data is exactly as long as it says, a band is never taller than the profile's limit
//! (taller pictures overrun the buffers of some printers and come out as letters), and no band holds
//! a real-time sequence.

use unicode_segmentation::UnicodeSegmentation;

use super::pen::Look;
use super::{EncodeError, Encoder, Note};
use crate::bitmap::Bitmap;
use crate::command::GS;
use crate::typeset::Align;
use crate::wrap::{Kind, Unit, wrap};
use crate::{picture, realtime};

/// Height of a line of text set in dots.
const LINE_DOTS: u32 = 28;
/// The same for the small font.
const SMALL_LINE_DOTS: u32 = 22;
/// Dots kept free between the two texts of a row.
const GAP_DOTS: u32 = 12;
/// Dots the left text has at least; with less the right text gets a line of its own.
const LEFT_LEAST_DOTS: u32 = 72;

impl Encoder<'_> {
    pub(super) fn logo(&mut self, at: usize, name: &str) -> Result<(), EncodeError> {
        let Some(file) = self.assets.image(name) else {
            return Err(EncodeError::UnknownLogo { row: at, name: name.to_owned() });
        };
        let bitmap = picture::decode(&file, self.profile.dots)
            .map_err(|source| EncodeError::BadImage { row: at, name: name.to_owned(), source })?;
        if !self.profile.prints_pictures() {
            self.notes.push(Note::LogoLeftOut { row: at });
            return Ok(());
        }
        self.picture(&bitmap, Align::Center);
        Ok(())
    }

    pub(super) fn text_in_dots(&mut self, at: usize, text: &str, align: Align, look: Look) {
        let before = self.typesetter.missing();
        let bitmap = self.set(text, align, look);
        self.fallback_drawn(at, before, &bitmap);
    }

    pub(super) fn columns_in_dots(&mut self, at: usize, left: &str, right: &str, look: Look) {
        let before = self.typesetter.missing();
        let height = line_dots(look);
        let dots = self.profile.dots;
        let beside = dots.saturating_sub(self.typesetter.measure(right, height) + GAP_DOTS);
        let mut bitmap;
        if beside < LEFT_LEAST_DOTS.min(self.typesetter.measure(left, height)) {
            bitmap = self.set(left, Align::Left, look);
            bitmap.append(&self.set(right, Align::Right, look));
        } else {
            bitmap = Bitmap::new(dots, 0);
            for line in self.broken(left, beside, height) {
                bitmap.append(&self.typesetter.line(line, dots, height, Align::Left, look.bold));
            }
            let right = self.typesetter.line(right, dots, height, Align::Right, look.bold);
            bitmap.draw(&right, 0, 0);
        }
        self.fallback_drawn(at, before, &bitmap);
    }

    fn set(&mut self, text: &str, align: Align, look: Look) -> Bitmap {
        let (dots, height) = (self.profile.dots, line_dots(look));
        let mut bitmap = Bitmap::new(dots, 0);
        for line in self.broken(text, dots, height) {
            bitmap.append(&self.typesetter.line(line, dots, height, align, look.bold));
        }
        bitmap
    }

    /// The text in lines that fit, by the widths of its graphemes.
    fn broken<'t>(&mut self, text: &'t str, width: u32, height: u32) -> Vec<&'t str> {
        let graphemes: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
        let mut units = Vec::with_capacity(graphemes.len());
        for (_, grapheme) in &graphemes {
            let width = self.typesetter.measure(grapheme, height);
            units.push(Unit { width, kind: Kind::of(grapheme, width * 5 > height * 3) });
        }
        let start = |at: usize| graphemes.get(at).map_or(text.len(), |(start, _)| *start);
        let lines = wrap(&units, width).into_iter();
        lines.map(|line| &text[start(line.start)..start(line.end)]).collect()
    }

    fn fallback_drawn(&mut self, at: usize, missing_before: u64, bitmap: &Bitmap) {
        self.notes.push(Note::RasterFallback { row: at });
        let count = self.typesetter.missing() - missing_before;
        if count > 0 {
            self.notes.push(Note::MissingGlyphs { row: at, count });
        }
        self.picture(bitmap, Align::Left);
    }

    /// Sends a picture in bands; at the beginning of a line, and ends there.
    pub(super) fn picture(&mut self, bitmap: &Bitmap, align: Align) {
        self.pen.align(align);
        let mut top = 0;
        while top < bitmap.height {
            let rows = self.profile.band_rows.min(bitmap.height - top);
            let (command, rows) = band_command(bitmap, top, rows, self.profile.graphics);
            self.pen.command(&command);
            top += rows;
        }
    }
}

fn line_dots(look: Look) -> u32 {
    let line = if look.small { SMALL_LINE_DOTS } else { LINE_DOTS };
    line * u32::from(look.tall.max(look.wide))
}

/// One band and how many rows it has: one fewer where its lengths would read as a real-time command.
fn band_command(bitmap: &Bitmap, top: u32, rows: u32, graphics: bool) -> (Vec<u8>, u32) {
    let band = bitmap.band(top, rows);
    let mut data = band.bytes().to_vec();
    realtime::defuse(&mut data);
    let mut command = if graphics { graphics_header(&band) } else { raster_header(&band) };
    if realtime::is_in(&command) && rows > 1 {
        return band_command(bitmap, top, rows - 1, graphics);
    }
    command.extend(data);
    if graphics {
        command.extend([GS, b'(', b'L', 2, 0, 48, 50]);
    }
    (command, rows)
}

/// GS v 0 m xL xH yL yH: bytes across, rows down.
fn raster_header(band: &Bitmap) -> Vec<u8> {
    let [xl, xh] = length(band.stride());
    let [yl, yh] = length(band.height as usize);
    vec![GS, b'v', b'0', 0, xl, xh, yl, yh]
}

/// GS ( L function 112: stores dots across and rows down; function 50 prints them. The widest band of
/// the widest profile is shorter than what its two length bytes can say.
fn graphics_header(band: &Bitmap) -> Vec<u8> {
    let [pl, ph] = length(band.bytes().len() + 10);
    let [xl, xh] = length(band.width as usize);
    let [yl, yh] = length(band.height as usize);
    vec![GS, b'(', b'L', pl, ph, 48, 112, 48, 1, 1, 49, xl, xh, yl, yh]
}

fn length(count: usize) -> [u8; 2] {
    u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes()
}
