//! ESC commands.

use super::Interpreter;
use crate::{
    control::ESC,
    effect::{Cut, Effect, Pulse, Question},
    paper::Underline,
};

impl Interpreter {
    pub(super) fn esc(&mut self, bytes: &[u8]) {
        match *bytes {
            [ESC, b'@'] => self.initialize(),
            [ESC, b'!', n] => self.print_mode(n),
            [ESC, b'-', n] => self.mode.narrow.underline = underline(n),
            [ESC, b' ', n] => self.mode.narrow.space_after = self.mode.units.across(n.into()),
            [ESC, b'$', low, high] => self.move_to(u16::from_le_bytes([low, high])),
            [ESC, b'\\', low, high] => self.move_by(i16::from_le_bytes([low, high])),
            [ESC, b'2'] => self.mode.line_spacing = self.device.line_spacing,
            [ESC, b'3', n] => self.mode.line_spacing = self.mode.units.down(n.into()),
            [ESC, b'D', ref stops @ ..] => self.set_tab_stops(stops),
            [ESC, b'E', n] => self.mode.bold = n & 1 == 1,
            [ESC, b'G', n] => self.mode.double_strike = n & 1 == 1,
            [ESC, b'J', n] => self.feed_units(n),
            [ESC, b'M', n] => self.mode.font_b = matches!(n, 1 | 2 | b'1' | b'2'),
            [ESC, b'R', n] => self.mode.international = n,
            [ESC, b'a', n] => self.align(n),
            [ESC, b'd', n] => self.feed_lines(n),
            [ESC, b'p', pin, on, off] => self.effects.extend(pulse(pin, on, off)),
            [ESC, b't', n] => self.mode.page = self.device.code_pages.get(n),
            [ESC, b'v'] => self.effects.push(Effect::Asked(Question::PaperByEscV)),
            [ESC, b'{', n] => self.turn_upside_down(n),
            [ESC, b'*', mode, low, high, ref data @ ..] => {
                self.column_image(mode, u16::from_le_bytes([low, high]), data);
            }
            [ESC, b'i' | b'm'] => self.cut(Cut::Partial, 0),
            _ => self.esc_without_effect(bytes),
        }
    }

    /// Commands known and passed over: page mode, panel, user characters, rotation, buzzer.
    fn esc_without_effect(&mut self, bytes: &[u8]) {
        let known = matches!(
            bytes[1],
            b'%' | b'&'
                | b'('
                | b'<'
                | b'='
                | b'?'
                | b'B'
                | b'K'
                | b'L'
                | b'S'
                | b'T'
                | b'U'
                | b'V'
                | b'W'
                | b'c'
                | b'e'
                | b'r'
                | b'u'
                | 0x0C
        );
        if !known {
            self.unknown(bytes);
        }
    }

    /// `ESC !`: font, and the size and underline of single-byte characters; emphasis of all.
    fn print_mode(&mut self, n: u8) {
        self.mode.font_b = n & 0x01 != 0;
        self.mode.bold = n & 0x08 != 0;
        self.mode.narrow.down = if n & 0x10 == 0 { 1 } else { 2 };
        self.mode.narrow.across = if n & 0x20 == 0 { 1 } else { 2 };
        self.mode.narrow.underline = underline(n >> 7);
    }

    /// Acts at the beginning of a line only.
    fn align(&mut self, n: u8) {
        if self.line.is_empty() && matches!(n, 0..=2 | b'0'..=b'2') {
            self.mode.alignment = n & 0x0F;
        }
    }

    /// Acts at the beginning of a line only.
    fn turn_upside_down(&mut self, n: u8) {
        if self.line.is_empty() {
            self.mode.upside_down = n & 1 == 1;
        }
    }

    /// `ESC D`: rising stops in characters of the current width, up to the NUL.
    fn set_tab_stops(&mut self, stops: &[u8]) {
        let width = self.mode.style(false).width();
        let rising = stops.iter().scan(0, |previous, stop| {
            let next = (*stop > *previous).then_some(u32::from(*stop) * width);
            *previous = *stop;
            next
        });
        self.mode.tab_stops = rising.collect();
    }
}

pub(super) fn underline(n: u8) -> Underline {
    match n {
        1 | b'1' => Underline::Thin,
        2 | b'2' => Underline::Thick,
        _ => Underline::None,
    }
}

/// `ESC p m t1 t2`: times in units of 2 ms.
fn pulse(pin: u8, on: u8, off: u8) -> Option<Effect> {
    let pin = match pin {
        0 | b'0' => 2,
        1 | b'1' => 5,
        _ => return None,
    };
    let (on_ms, off_ms) = (u32::from(on) * 2, u32::from(off) * 2);
    Some(Effect::Pulse(Pulse { pin, on_ms, off_ms }))
}
