//! GS commands: sizes, area, cut, codes, questions.

use super::Interpreter;
use crate::{
    control::GS,
    effect::{Cut, Effect, Question},
};

impl Interpreter {
    pub(super) fn gs(&mut self, bytes: &[u8]) {
        match *bytes {
            [GS, b'!', n] => {
                self.mode.set_size(u32::from(n >> 4 & 7) + 1, u32::from(n & 7) + 1);
            }
            [GS, b'B', n] => self.mode.reverse = n & 1 == 1,
            [GS, b'H', n] => self.mode.barcode.text = n & 3,
            [GS, b'f', n] => self.mode.barcode.text_font_b = matches!(n, 1 | b'1'),
            [GS, b'h', n] => self.mode.barcode.height = u32::from(n.max(1)),
            [GS, b'w', n] => self.mode.barcode.module = u32::from(n.clamp(1, 6)),
            [GS, b'L', low, high] => self.set_left_margin(u16::from_le_bytes([low, high])),
            [GS, b'W', low, high] => self.set_area_width(u16::from_le_bytes([low, high])),
            [GS, b'P', horizontal, vertical] => self.mode.units.set(horizontal, vertical),
            [GS, b'V', ref how @ ..] => self.cut_command(how),
            [GS, b'a', n] => self.effects.push(Effect::AutoStatus(n)),
            [GS, b'r', n] => self.status_question(n),
            [GS, b'I', n] => self.ask(Question::Identity(n)),
            [GS, b'g', b'2', _, low, high] => {
                self.ask(Question::Counter(u16::from_le_bytes([low, high])));
            }
            [GS, b'k', kind, ref data @ ..] => self.barcode(kind, data),
            [GS, b'v', b'0', mode, xl, xh, yl, yh, ref data @ ..] => {
                let columns = u32::from(u16::from_le_bytes([xl, xh])) * 8;
                self.raster_image(mode, columns, u16::from_le_bytes([yl, yh]).into(), data);
            }
            [GS, b'(', b'L', _, _, ref data @ ..] | [GS, b'8', b'L', _, _, _, _, ref data @ ..] => {
                self.graphics(data);
            }
            [GS, b'(', b'k', _, _, ref data @ ..] => self.two_dimensional_code(data),
            [GS, b'(', b'H', _, _, ref data @ ..] => self.process_id(data),
            [GS, b'(', b'D', _, _, ref data @ ..] => self.allow_realtime(data),
            _ => self.gs_without_effect(bytes),
        }
    }

    /// Commands known and passed over by their length: page mode, macros, settings, test prints,
    /// serial-number counters, downloaded images.
    fn gs_without_effect(&mut self, bytes: &[u8]) {
        let known = matches!(
            bytes[1],
            b'$' | b'('
                | b'*'
                | b'/'
                | b':'
                | b'8'
                | b'C'
                | b'E'
                | b'Q'
                | b'T'
                | b'\\'
                | b'^'
                | b'b'
                | b'c'
                | b'g'
                | b'j'
                | b'z'
        );
        if !known {
            self.unknown(bytes);
        }
    }

    /// Cuts, feeding first; without a cutter only feeds.
    pub(super) fn cut(&mut self, cut: Cut, feed: u32) {
        if !self.at_line_start("cut") {
            return;
        }
        self.feed_paper(feed, 0);
        if self.device.cutter {
            self.effects.push(Effect::Cut(cut));
        }
    }

    /// `GS V`: m odd is a partial cut; 65/66, 97/98 and 103/104 feed to the cutter and n more.
    fn cut_command(&mut self, how: &[u8]) {
        let to_cutter = self.device.head_to_cutter;
        match *how {
            [0 | b'0'] => self.cut(Cut::Full, 0),
            [1 | b'1'] => self.cut(Cut::Partial, 0),
            [65 | 97 | 103, n] => self.cut(Cut::Full, to_cutter + self.mode.units.down(n.into())),
            [66 | 98 | 104, n] => {
                self.cut(Cut::Partial, to_cutter + self.mode.units.down(n.into()));
            }
            _ => self.unknown(&[&[GS, b'V'], how].concat()),
        }
    }

    /// Acts at the beginning of a line only.
    fn set_left_margin(&mut self, units: u16) {
        if self.line.is_empty() {
            self.mode.left_margin = self.mode.units.across(units.into()).min(self.device.dots);
        }
    }

    /// Acts at the beginning of a line only.
    fn set_area_width(&mut self, units: u16) {
        if self.line.is_empty() {
            self.mode.area_width = self.mode.units.across(units.into());
        }
    }

    fn ask(&mut self, question: Question) {
        self.effects.push(Effect::Asked(question));
    }

    fn status_question(&mut self, n: u8) {
        match n {
            1 | b'1' => self.ask(Question::Paper),
            2 | b'2' => self.ask(Question::Drawer),
            _ => {}
        }
    }

    /// `GS ( H` fn 48: the token's bytes are 20h..7Eh (Epson GS ( H reference).
    fn process_id(&mut self, data: &[u8]) {
        if let [b'0', b'0', token @ ..] = data
            && let Ok(token) = <[u8; 4]>::try_from(token)
            && token.iter().all(|byte| (0x20..=0x7E).contains(byte))
        {
            self.token(token);
        }
    }

    /// `GS ( D` fn 14h: pairs of (1 pulse | 2 power off, 0 forbidden | 1 allowed).
    fn allow_realtime(&mut self, data: &[u8]) {
        let [0x14, pairs @ ..] = data else { return };
        let (mut pulse, mut power_off) = (None, None);
        for pair in pairs.as_chunks::<2>().0 {
            let allowed = Some(pair[1] & 1 == 1);
            match pair[0] {
                1 => pulse = allowed,
                2 => power_off = allowed,
                _ => {}
            }
        }
        self.effects.push(Effect::RealtimeAllowed { pulse, power_off });
    }
}
