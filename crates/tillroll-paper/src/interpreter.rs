//! The ESC/POS interpreter: bytes in, effects out, in order.
//!
//! Pure: it holds the state a printer holds (code page, styles, print area, stored codes, the line
//! buffer) and nothing else. Any byte stream is accepted; cutting it into other chunks changes
//! nothing; no command makes it store more than a bounded amount.

mod area;
mod esc;
mod fs;
mod graphics;
mod gs;
mod line_buffer;
mod mode;
mod symbols;
mod text;

use crate::{
    control::{CR, DLE, ESC, FF, FS, GS, HT, LF},
    device::Device,
    effect::{Effect, Oddity, Question},
    paper::{Element, Feed},
    realtime,
    sequence::{Sequence, Splitter},
};
use line_buffer::LineBuffer;
use mode::Mode;
use tillroll_escpos::bitmap::Bitmap;

/// Tokens that may wait for one line to print; a real host sends one.
const MAX_WAITING_TOKENS: usize = 16;
/// Bytes of an unknown command kept to name it.
const UNKNOWN_HEAD: usize = 8;

/// A printer's command interpreter.
#[derive(Debug)]
pub struct Interpreter {
    device: Device,
    splitter: Splitter,
    mode: Mode,
    line: LineBuffer,
    /// First byte of a double-byte character.
    lead: Option<u8>,
    /// Image stored by `GS ( L` fn 112 until fn 50 prints it.
    stored: Option<Bitmap>,
    /// Tokens that belong to the line in the buffer.
    tokens: Vec<[u8; 4]>,
    effects: Vec<Effect>,
}

impl Interpreter {
    /// An interpreter in the state after power on.
    pub fn new(device: Device) -> Self {
        Self {
            mode: Mode::initial(&device),
            splitter: Splitter::default(),
            line: LineBuffer::default(),
            lead: None,
            stored: None,
            tokens: Vec::new(),
            effects: Vec::new(),
            device,
        }
    }

    /// The model it interprets for.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Interprets bytes; what they do, in order. A command may be split over calls.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Effect> {
        let mut splitter = std::mem::take(&mut self.splitter);
        for byte in bytes {
            splitter.push(*byte, &mut |sequence| self.execute(sequence));
        }
        self.splitter = splitter;
        std::mem::take(&mut self.effects)
    }

    /// Whether no command is half received and no text waits to be printed.
    pub fn is_idle(&self) -> bool {
        self.splitter.is_at_border() && self.line.is_empty() && self.lead.is_none()
    }

    /// Drops a command in progress and the line buffer, as `DLE DC4` fn 8 does; modes stay.
    pub fn clear(&mut self) {
        self.splitter.cancel();
        self.line = LineBuffer::default();
        self.lead = None;
        self.tokens.clear();
    }

    /// Forgets everything that power off forgets.
    pub fn power_cycle(&mut self) {
        self.clear();
        self.stored = None;
        self.mode = Mode::initial(&self.device);
    }

    fn execute(&mut self, sequence: Sequence<'_>) {
        let bytes = match sequence {
            Sequence::Complete(bytes) => bytes,
            Sequence::Oversized(head) => return self.odd(Oddity::Oversized(head.to_vec())),
        };
        if !matches!(bytes, [0x20..=0xFF]) {
            self.drop_lead();
        }
        match *bytes {
            [byte @ 0x20..=0xFF] => self.character(byte),
            [LF] => self.print_line(),
            [HT] => self.tab(),
            [FF] => self.print_pending(),
            [CR] => {}
            [ESC, ..] => self.esc(bytes),
            [FS, ..] => self.fs(bytes),
            [GS, ..] => self.gs(bytes),
            [DLE, ..] => self.realtime(bytes),
            _ => {}
        }
    }

    fn realtime(&mut self, bytes: &[u8]) {
        match realtime::parse(bytes) {
            Some(command) => self.effects.push(Effect::Realtime(command)),
            None if bytes.len() == 1 => self.unknown(bytes),
            None => {}
        }
    }

    /// `ESC @`: modes as at power on; text not yet printed is lost.
    fn initialize(&mut self) {
        let lost = self.line.text();
        if !lost.is_empty() {
            self.odd(Oddity::TextDiscarded(lost));
        }
        self.line = LineBuffer::default();
        self.tokens.clear();
        self.mode = Mode::initial(&self.device);
        self.effects.push(Effect::AutoStatus(0));
        self.effects.push(Effect::RealtimeAllowed { pulse: Some(true), power_off: Some(true) });
    }

    /// A token belongs to the data before it: text still in the buffer has to be printed first.
    fn token(&mut self, token: [u8; 4]) {
        if self.line.is_empty() {
            self.effects.push(Effect::Asked(Question::Token(token)));
        } else if self.tokens.len() < MAX_WAITING_TOKENS {
            self.tokens.push(token);
        }
    }

    /// Puts something on paper, then answers the tokens that waited for it.
    fn put(&mut self, element: Element) {
        self.effects.push(Effect::Printed(element));
        let waiting = self.tokens.drain(..).map(|token| Effect::Asked(Question::Token(token)));
        self.effects.extend(waiting);
    }

    fn feed_paper(&mut self, dots: u32, lines: u32) {
        if dots > 0 || lines > 0 {
            self.put(Element::Feed(Feed { dots, lines }));
        }
    }

    /// Codes, images and cuts act only at the beginning of a line.
    fn at_line_start(&mut self, what: &'static str) -> bool {
        let free = self.line.is_empty();
        if !free {
            self.odd(Oddity::NotAtLineStart(what));
        }
        free
    }

    fn unknown(&mut self, bytes: &[u8]) {
        self.odd(Oddity::Unknown(bytes[..bytes.len().min(UNKNOWN_HEAD)].to_vec()));
    }

    fn odd(&mut self, oddity: Oddity) {
        self.effects.push(Effect::Oddity(oddity));
    }
}

#[cfg(test)]
mod tests;
