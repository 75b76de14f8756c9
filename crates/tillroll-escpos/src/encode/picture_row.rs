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
use crate::wrap::{Kind, Unit, indent, widest_word, wrap_indented};
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
        let look = self.holding_dots(right, look);
        let height = line_dots(look);
        let dots = self.profile.dots;
        let taken = self.typesetter.measure(right, height) + GAP_DOTS;
        let beside = dots.checked_sub(taken);
        let least = LEFT_LEAST_DOTS.min(self.typesetter.measure(left, height));
        let bitmap = match beside.filter(|&beside| beside >= least) {
            Some(beside) => {
                let mut bitmap = self.set_in(left, beside, Align::Left, look);
                let right = self.typesetter.line(right, dots, height, Align::Right, look.bold);
                bitmap.draw(&right, 0, 0);
                bitmap
            }
            None => {
                let mut bitmap = self.set(left, Align::Left, look);
                bitmap.append(&self.set(right, Align::Right, look));
                bitmap
            }
        };
        self.fallback_drawn(at, before, &bitmap);
    }

    /// The look, in single size where the text would not fit into a line, and in the small font where
    /// it does not even then: an amount is not torn for being large.
    fn holding_dots(&mut self, text: &str, look: Look) -> Look {
        let plain = Look { wide: 1, tall: 1, ..look };
        let steps = [look, plain, Look { small: true, ..plain }];
        let fits =
            |look: &Look| self.typesetter.measure(text, line_dots(*look)) <= self.profile.dots;
        steps.into_iter().find(fits).unwrap_or(plain)
    }

    /// The text over the whole width; a word too long for a line in large letters has it set in plain ones.
    fn set(&mut self, text: &str, align: Align, look: Look) -> Bitmap {
        let units = self.units(text, line_dots(look));
        let fits = widest_word(&units) <= self.profile.dots;
        let look = if fits { look } else { Look { wide: 1, tall: 1, ..look } };
        self.set_in(text, self.profile.dots, align, look)
    }

    /// The text in lines of that width, as a picture of the whole width.
    fn set_in(&mut self, text: &str, width: u32, align: Align, look: Look) -> Bitmap {
        let (dots, height) = (self.profile.dots, line_dots(look));
        let head = if align == Align::Left { &text[..indent(text.bytes())] } else { "" };
        let indent = self.typesetter.measure(head, height).min(width / 4);
        let mut bitmap = Bitmap::new(dots, 0);
        for (number, line) in self.broken(text, width, height, indent).into_iter().enumerate() {
            let left = if number == 0 { 0 } else { indent };
            let set = self.typesetter.line(line, dots - left, height, align, look.bold);
            let mut whole = Bitmap::new(dots, height);
            whole.draw(&set, left, 0);
            bitmap.append(&whole);
        }
        bitmap
    }

    /// The text in lines that fit, by the widths of its graphemes.
    fn broken<'t>(&mut self, text: &'t str, width: u32, height: u32, indent: u32) -> Vec<&'t str> {
        let units = self.units(text, height);
        let starts: Vec<usize> = text.grapheme_indices(true).map(|(start, _)| start).collect();
        let start = |at: usize| starts.get(at).copied().unwrap_or(text.len());
        let lines = wrap_indented(&units, width, indent).into_iter();
        lines.map(|line| &text[start(line.start)..start(line.end)]).collect()
    }

    fn units(&mut self, text: &str, height: u32) -> Vec<Unit> {
        let unit = |grapheme: &str| {
            let width = self.typesetter.measure(grapheme, height);
            Unit { width, kind: Kind::of(grapheme, width * 5 > height * 3) }
        };
        text.graphemes(true).map(unit).collect()
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
