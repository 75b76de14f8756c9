//! Real-time commands: found in the raw byte stream, whatever command they stand in.
//!
//! Epson devices execute them on reception, even inside image or code data (Epson, "Real-time
//! commands"). The bytes also stay in the receive buffer, where the interpreter passes them over.

use crate::{
    control::{DC4, DLE, ENQ, EOT},
    effect::{Pulse, Realtime},
};

/// `DLE DC4` fn 8 with its fixed parameters (Epson DLE DC4 fn 8 reference).
const CLEAR_BUFFERS: [u8; 10] = [DLE, DC4, 8, 1, 3, 20, 1, 6, 2, 8];
/// `DLE DC4` fn 2 with its fixed parameters.
const POWER_OFF: [u8; 5] = [DLE, DC4, 2, 1, 8];
/// Unit of the pulse time of `DLE DC4` fn 1.
const PULSE_UNIT_MS: u32 = 100;

/// The command that is exactly `bytes`.
pub(crate) fn parse(bytes: &[u8]) -> Option<Realtime> {
    match classify(bytes) {
        Match::Command(command) => Some(command),
        Match::Partial | Match::No => None,
    }
}

/// Finds real-time commands byte by byte.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    seen: Vec<u8>,
}

impl Scanner {
    /// Takes one byte; the command it completes.
    pub(crate) fn push(&mut self, byte: u8) -> Option<Realtime> {
        self.seen.push(byte);
        loop {
            match classify(&self.seen) {
                Match::Command(command) => {
                    self.seen.clear();
                    return Some(command);
                }
                Match::Partial => return None,
                Match::No => {
                    self.seen.remove(0);
                }
            }
        }
    }

    /// Forgets a command in progress.
    pub(crate) fn reset(&mut self) {
        self.seen.clear();
    }
}

enum Match {
    Command(Realtime),
    Partial,
    No,
}

fn classify(bytes: &[u8]) -> Match {
    match *bytes {
        [] | [DLE] | [DLE, EOT | ENQ | DC4] | [DLE, DC4, 1] | [DLE, DC4, 1, 0 | 1] => {
            Match::Partial
        }
        [DLE, EOT, n @ 1..=4] => Match::Command(Realtime::Status(n)),
        [DLE, ENQ, n @ 1..=2] => Match::Command(Realtime::Recover(n)),
        [DLE, DC4, 1, pin @ 0..=1, time @ 1..=8] => {
            Match::Command(Realtime::Pulse(pulse(pin, time)))
        }
        _ if bytes == CLEAR_BUFFERS => Match::Command(Realtime::ClearBuffers),
        _ if bytes == POWER_OFF => Match::Command(Realtime::PowerOff),
        _ if CLEAR_BUFFERS.starts_with(bytes) || POWER_OFF.starts_with(bytes) => Match::Partial,
        _ => Match::No,
    }
}

fn pulse(pin: u8, time: u8) -> Pulse {
    let ms = u32::from(time) * PULSE_UNIT_MS;
    Pulse { pin: if pin == 0 { 2 } else { 5 }, on_ms: ms, off_ms: ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(bytes: &[u8]) -> Vec<Realtime> {
        let mut scanner = Scanner::default();
        bytes.iter().filter_map(|byte| scanner.push(*byte)).collect()
    }

    #[test]
    fn commands_inside_image_data_are_found() {
        let found = scan(b"\x1dv0\x00\x01\x00\x04\x00\xff\x10\x04\x01");
        assert_eq!(found, [Realtime::Status(1)]);
    }

    #[test]
    fn false_start_does_not_hide_a_command() {
        assert_eq!(scan(b"\x10\x10\x04\x02"), [Realtime::Status(2)]);
        assert_eq!(scan(b"\x10\x14\x08\x01\x10\x04\x04"), [Realtime::Status(4)]);
    }

    #[test]
    fn clear_needs_all_its_parameters() {
        assert_eq!(scan(&CLEAR_BUFFERS), [Realtime::ClearBuffers]);
        assert_eq!(scan(b"\x10\x14\x08\x01\x03\x14\x01\x06\x02\x09"), []);
    }

    #[test]
    fn pulse_names_pin_and_time() {
        let pulse = Pulse { pin: 5, on_ms: 200, off_ms: 200 };
        assert_eq!(scan(b"\x10\x14\x01\x01\x02"), [Realtime::Pulse(pulse)]);
    }
}
