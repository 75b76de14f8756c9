//! Commands that begin with ESC.

use super::{Command, Effect, Rest, Stop};
use crate::raw::What;

/// The device the data goes to under `ESC =`: bit 0 is the printer.
const PRINTER_SELECTED: u8 = 0x01;
/// `ESC D` takes at most this many tab stops.
const TAB_STOPS_MAX: usize = 32;

pub(super) fn next(rest: Rest<'_>) -> Result<Command, Stop> {
    match rest.byte(1)? {
        b'@' => rest.fixed(2, Effect::Remove(What::Initialise)),
        b'p' => rest.fixed(5, Effect::Remove(What::DrawerPulse)),
        b'v' => rest.fixed(2, Effect::Remove(What::StatusRequest)),
        b'u' => rest.fixed(3, Effect::Remove(What::StatusRequest)),
        b'i' | b'm' => rest.fixed(2, Effect::Cut),
        b'd' | b'e' | b'J' | b'K' => rest.fixed(3, Effect::Feed),
        b'L' => rest.fixed(2, Effect::EnterPage),
        b'S' => rest.fixed(2, Effect::LeavePage),
        // ESC FF prints the page and stays in page mode.
        0x0c => rest.fixed(2, Effect::BlockInk),
        b'2' => rest.fixed(2, Effect::Mode),
        b' ' | b'!' | b'%' | b'-' | b'3' | b'?' | b'E' | b'G' | b'M' | b'R' | b'T' | b'U'
        | b'V' | b'a' | b'r' | b't' | b'{' => rest.fixed(3, Effect::Mode),
        b'$' | b'\\' => rest.fixed(4, Effect::Mode),
        b'W' => rest.fixed(10, Effect::Mode),
        b'*' => bit_image(rest),
        b'D' => tab_stops(rest),
        b'&' => user_characters(rest),
        b'c' => sensor_or_button(rest),
        b'=' => select_device(rest),
        // ESC ( A: buzzer.
        b'(' if rest.byte(2)? == b'A' => rest.fixed(5 + rest.word(3)?, Effect::Mode),
        // ESC B n t: buzzer of many kitchen printers (Xprinter, Rongta).
        b'B' => rest.fixed(4, Effect::Mode),
        // ESC GS ETX: Star's document report.
        0x1d if rest.byte(2)? == 0x03 => rest.fixed(6, Effect::Remove(What::StatusRequest)),
        _ => Err(Stop::Unknown),
    }
}

/// `ESC * m nL nH d...`: 8 or 24 dots a column.
fn bit_image(rest: Rest<'_>) -> Result<Command, Stop> {
    let bytes_a_column = match rest.byte(2)? {
        0 | 1 => 1,
        32 | 33 => 3,
        _ => return Err(Stop::Unknown),
    };
    rest.picture(5, rest.word(3)? * bytes_a_column, Effect::LineInk)
}

fn tab_stops(rest: Rest<'_>) -> Result<Command, Stop> {
    rest.nul_ended(2, TAB_STOPS_MAX, Effect::Mode)
}

/// `ESC & y c1 c2 [x d(y*x)]...`, one group a character.
fn user_characters(rest: Rest<'_>) -> Result<Command, Stop> {
    let (height, first, last) = (rest.byte(2)?, rest.byte(3)?, rest.byte(4)?);
    if last < first {
        return Err(Stop::Unknown);
    }
    let mut len = 5;
    for _ in first..=last {
        let width = usize::from(rest.byte(len)?);
        len += 1 + width * usize::from(height);
    }
    rest.fixed(len, Effect::Mode)
}

/// `ESC c 3|4|5 n`: paper sensors and the panel button.
fn sensor_or_button(rest: Rest<'_>) -> Result<Command, Stop> {
    match rest.byte(2)? {
        b'3'..=b'5' => rest.fixed(4, Effect::Mode),
        _ => Err(Stop::Unknown),
    }
}

/// `ESC = n`: data for a customer display passes through the printer and is not ours to read.
fn select_device(rest: Rest<'_>) -> Result<Command, Stop> {
    if rest.byte(2)? & PRINTER_SELECTED == 0 {
        return Err(Stop::Unknown);
    }
    rest.fixed(3, Effect::Mode)
}
