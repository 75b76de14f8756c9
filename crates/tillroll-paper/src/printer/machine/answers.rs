//! What the printer says, and when it says nothing.
//!
//! Answer formats: Epson DLE EOT, GS r, GS a, GS I, GS g 2, GS ( H and DLE DC4 fn 8 references.

use super::Machine;
use crate::{device::Device, effect::Question};

/// First byte of a block of text.
const BLOCK: u8 = 0x5F;
/// First bytes of the answer to a job token.
const TOKEN: [u8; 2] = [0x37, 0x22];
/// The answer to clear buffers.
const CLEARED: [u8; 3] = [0x37, 0x25, 0x00];

/// Bytes for the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) bytes: Vec<u8>,
    /// Says something about print data: came in order.
    pub(crate) confirms: bool,
    /// Is a job token's.
    pub(crate) token: bool,
}

impl Machine {
    /// Printers that interpret ahead answer status at once; tokens always wait for the print head.
    pub(super) fn answers_when_interpreted(&self, question: Question) -> bool {
        self.behaviour.print_ahead > 0 && !matches!(question, Question::Token(_))
    }

    pub(super) fn answer(&mut self, question: Question) {
        if !self.behaviour.personality.answers(question) {
            return;
        }
        let bytes = match question {
            Question::Paper | Question::PaperByEscV => vec![self.condition.paper_status()],
            Question::Drawer => vec![self.condition.drawer_status()],
            Question::Token([a, b, c, d]) => vec![TOKEN[0], TOKEN[1], a, b, c, d, 0],
            Question::Counter(number) => block(&self.counter(number).to_string()),
            Question::Identity(n) => match identity(&self.behaviour.device, n) {
                Some(bytes) => bytes,
                None => return,
            },
        };
        let token = matches!(question, Question::Token(_));
        let confirms = token || bytes.len() == 1 && !matches!(question, Question::Identity(_));
        self.answers.push(Answer { bytes, confirms, token });
    }

    pub(super) fn answer_status(&mut self, n: u8) {
        let status = self.condition.realtime_status(n);
        self.say(vec![status]);
    }

    pub(super) fn answer_cleared(&mut self) {
        self.say(CLEARED.to_vec());
    }

    /// `GS a n`: any bit set reports the whole status at once.
    pub(super) fn set_reports(&mut self, mask: u8) {
        self.reports = mask;
        if mask != 0 {
            self.report_status();
        }
    }

    pub(super) fn report_status(&mut self) {
        self.say(self.condition.automatic_status().to_vec());
    }

    fn say(&mut self, bytes: Vec<u8>) {
        if self.behaviour.personality.reports_status() {
            self.answers.push(Answer { bytes, confirms: false, token: false });
        }
    }

    /// Counters 20, 50 and, over the life of the printer, 148, 178; others stay at 0.
    fn counter(&self, number: u16) -> u64 {
        match number {
            20 | 148 => self.counters.lines,
            50 | 178 => self.counters.cuts,
            _ => 0,
        }
    }
}

/// `GS I n`.
fn identity(device: &Device, n: u8) -> Option<Vec<u8>> {
    match n {
        1 | b'1' => Some(vec![0x20]),
        2 | b'2' => Some(vec![u8::from(device.cjk.is_some()) | u8::from(device.cutter) << 1]),
        3 | b'3' => Some(vec![0x01]),
        65 => Some(block(env!("CARGO_PKG_VERSION"))),
        66 => Some(block(&device.maker)),
        67 => Some(block(&device.model)),
        68 => Some(block("0")),
        _ => None,
    }
}

fn block(text: &str) -> Vec<u8> {
    let printable = text.bytes().filter(|byte| (0x20..0x7F).contains(byte));
    [BLOCK].into_iter().chain(printable).chain([0]).collect()
}
