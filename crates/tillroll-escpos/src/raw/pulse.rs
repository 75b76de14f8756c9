//! Drawer pulses where commands cannot be told from data.
//!
//! Behind an unknown command the bytes of a pulse may be one, or dots of a picture. Overwriting them with
//! NUL is right in both cases: devices pass over NUL between commands, and a picture keeps its length.

use crate::command::{DC4, DLE, ESC};

/// `ESC p m t1 t2` and `DLE DC4 1 m t` are equally long.
const PULSE_LEN: usize = 5;

/// Overwrites every pulse, also one that the bytes end inside of: its parameters would be taken from
/// the next job. Gives where they stood, in order.
pub(super) fn blank(bytes: &mut [u8]) -> Vec<usize> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if is_pulse(&bytes[at..]) || is_realtime_pulse(&bytes[at..]) {
            let end = bytes.len().min(at + PULSE_LEN);
            bytes[at..end].fill(0);
            found.push(at);
            // The NUL may be the pin that an `ESC p` right before it lacked.
            at = at.saturating_sub(2);
        } else {
            at += 1;
        }
    }
    found.sort_unstable();
    found
}

/// How many real-time pulses a device would find in these bytes, whatever else they are.
pub(super) fn left(bytes: &[u8]) -> u32 {
    let pulses = (0..bytes.len()).filter(|&at| is_realtime_pulse(&bytes[at..]));
    u32::try_from(pulses.count()).unwrap_or(u32::MAX)
}

/// The pin is 0 or 1, or its digit (Epson ESC p reference).
fn is_pulse(bytes: &[u8]) -> bool {
    matches!(bytes, [ESC, b'p', 0 | 1 | b'0' | b'1', ..])
}

fn is_realtime_pulse(bytes: &[u8]) -> bool {
    bytes.starts_with(&[DLE, DC4, 1])
}

#[cfg(test)]
mod tests {
    use crate::raw::{Removed, What, sanitize};

    #[test]
    fn pulse_behind_an_unknown_command_is_overwritten_and_counted() {
        let job = b"one\n\x1d\xeetwo\x1bp\x00\x19\xfa\n\x10\x14\x01\x00\x05\x1bp1\x19\xfa\x1dV\x00";
        let sanitized = sanitize(job);
        let blank = [0; 5];
        let body = [b"one\n\x1d\xeetwo", &blank[..], b"\n", &blank, &blank, b"\x1dV\x00"].concat();
        assert_eq!(sanitized.body, body);
        assert_eq!((sanitized.drawer_pulses, sanitized.pulse_left), (3, false));
        assert_eq!(sanitized.removed[0], Removed { what: What::DrawerPulse, offset: 9 });
        assert!(!sanitized.understood);
        let torn = sanitize(b"\x1d\xeetwo\x1bp\x00\x19");
        assert_eq!(torn.body, b"\x1d\xeetwo\0\0\0\0", "no byte of the next job is its parameter");
        assert_eq!((torn.drawer_pulses, torn.pulse_left), (1, false));
    }

    /// Found by a search with chance.
    #[test]
    fn pulse_that_another_one_uncovers_is_overwritten_too() {
        let job = b"\x1d\xee\x1bp\x1bp\x1bp\x01\x09\x5d";
        let sanitized = sanitize(job);
        assert_eq!(sanitized.body, b"\x1d\xee\0\0\0\0\0\0\0\0\0");
        let offsets: Vec<_> = sanitized.removed.iter().map(|removed| removed.offset).collect();
        assert_eq!(offsets, [2, 4, 6]);
    }

    #[test]
    fn pulse_in_the_content_of_a_code_is_left_and_said_so() {
        let job = b"\x1d(k\x08\x001P0\x10\x14\x01\x00\x05\x1d(k\x03\x001Q0";
        let sanitized = sanitize(job);
        assert_eq!(sanitized.body, job);
        assert_eq!((sanitized.drawer_pulses, sanitized.pulse_left), (1, true));
        assert!(!sanitized.understood && sanitized.removed.is_empty());
        let harmless = sanitize(b"\x1d(k\x06\x001P0a\x10\x04\x1d(k\x03\x001Q0");
        assert_eq!((harmless.drawer_pulses, harmless.pulse_left), (0, false));
    }

    #[test]
    fn command_that_is_known_once_a_pulse_is_overwritten_in_it_is_read_on_from_there() {
        let sanitized = sanitize(b"\x1b*\x10\x14\x01");
        assert_eq!(sanitized.body, b"\x1b*\0\0\0\n", "a picture without a dot, and its line's end");
        assert_eq!((sanitized.drawer_pulses, sanitized.understood), (1, false));
        assert_eq!(sanitize(&sanitized.body).body, sanitized.body);
    }
}
