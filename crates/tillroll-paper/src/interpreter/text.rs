//! Characters: from bytes through code page and double-byte mode into the line buffer.

use super::Interpreter;
use crate::device::{Cjk, jis_to_shift_jis, substitute};

impl Interpreter {
    /// One byte of text, 20h or above.
    pub(super) fn character(&mut self, byte: u8) {
        match (self.lead.take(), self.pairing()) {
            (Some(lead), Some(pairing)) if pairing.accepts(byte) => {
                self.glyph(pairing.decode(lead, byte), true);
            }
            (Some(_), _) => {
                self.glyph(char::REPLACEMENT_CHARACTER, false);
                self.character(byte);
            }
            (None, Some(pairing)) if pairing.begins(byte) => self.lead = Some(byte),
            (None, _) => self.single_byte(byte),
        }
    }

    /// A double-byte character broken off by a control code.
    pub(super) fn drop_lead(&mut self) {
        if self.lead.take().is_some() {
            self.glyph(char::REPLACEMENT_CHARACTER, false);
        }
    }

    fn single_byte(&mut self, byte: u8) {
        let c = match byte {
            0x7F => char::REPLACEMENT_CHARACTER,
            0x20..0x80 => substitute(self.mode.international, byte),
            _ => self.mode.page.decode(byte),
        };
        self.glyph(c, false);
    }

    /// Puts a character on the line; one that does not fit begins the next line.
    fn glyph(&mut self, c: char, wide: bool) {
        let c = if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        let style = self.mode.style(wide);
        let spacing = self.mode.spacing(wide);
        if self.line.x + spacing.0 + style.width() > self.area_width() && self.line.x > 0 {
            self.print_line();
        }
        self.line.character(c, style, spacing);
    }

    /// How two bytes make a character at the moment, if they do.
    fn pairing(&self) -> Option<Pairing> {
        match self.device.cjk? {
            Cjk::ShiftJis if self.mode.jis_codes => self.mode.double_byte.then_some(Pairing::Jis),
            Cjk::ShiftJis => Some(Pairing::Set(Cjk::ShiftJis)),
            set @ (Cjk::Gb18030 | Cjk::Big5 | Cjk::Ksc) => {
                self.mode.double_byte.then_some(Pairing::Set(set))
            }
        }
    }
}

/// A rule by which two bytes make one character.
#[derive(Clone, Copy)]
enum Pairing {
    Set(Cjk),
    /// JIS X 0208 codes, both bytes 21h..7Eh.
    Jis,
}

impl Pairing {
    fn begins(self, byte: u8) -> bool {
        match self {
            Self::Set(set) => set.is_lead(byte),
            Self::Jis => (0x21..=0x7E).contains(&byte),
        }
    }

    fn accepts(self, byte: u8) -> bool {
        match self {
            Self::Set(set) => set.is_trail(byte),
            Self::Jis => (0x21..=0x7E).contains(&byte),
        }
    }

    fn decode(self, lead: u8, trail: u8) -> char {
        match self {
            Self::Set(set) => set.decode(lead, trail),
            Self::Jis => {
                let [lead, trail] = jis_to_shift_jis(lead, trail);
                Cjk::ShiftJis.decode(lead, trail)
            }
        }
    }
}
