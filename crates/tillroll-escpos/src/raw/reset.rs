//! What stands in for `ESC @` inside a job: every setting the job changed goes back to its default.
//!
//! Only what was changed is reset, so a job of one receipt gets nothing, and the defaults a device was
//! set up with (code page, double-byte mode) stay where the job did not touch them.

use crate::command::{ESC, FS, FS_AMPERSAND, FS_PERIOD, GS};

/// A setting by the first bytes of its command, and the command that resets it (defaults: Epson
/// command reference).
const DEFAULTS: [(&[u8], &[u8]); 31] = [
    (&[ESC, b' '], &[ESC, b' ', 0]),
    (&[ESC, b'!'], &[ESC, b'!', 0]),
    (&[ESC, b'%'], &[ESC, b'%', 0]),
    (&[ESC, b'-'], &[ESC, b'-', 0]),
    (&[ESC, b'3'], &[ESC, b'2']),
    (&[ESC, b'D'], &[ESC, b'D', 8, 16, 24, 32, 40, 48, 56, 64, 0]),
    (&[ESC, b'E'], &[ESC, b'E', 0]),
    (&[ESC, b'G'], &[ESC, b'G', 0]),
    (&[ESC, b'M'], &[ESC, b'M', 0]),
    (&[ESC, b'R'], &[ESC, b'R', 0]),
    (&[ESC, b'U'], &[ESC, b'U', 0]),
    (&[ESC, b'V'], &[ESC, b'V', 0]),
    (&[ESC, b'a'], &[ESC, b'a', 0]),
    (&[ESC, b'c', b'5'], &[ESC, b'c', b'5', 0]),
    (&[ESC, b'r'], &[ESC, b'r', 0]),
    (&[ESC, b't'], &[ESC, b't', 0]),
    (&[ESC, b'{'], &[ESC, b'{', 0]),
    (&[FS, b'!'], &[FS, b'!', 0]),
    (&[FS, b'-'], &[FS, b'-', 0]),
    (&[FS, b'S'], &[FS, b'S', 0, 0]),
    (&[FS, b'W'], &[FS, b'W', 0]),
    (&[GS, b'!'], &[GS, b'!', 0]),
    (&[GS, b'B'], &[GS, b'B', 0]),
    (&[GS, b'H'], &[GS, b'H', 0]),
    (&[GS, b'L'], &[GS, b'L', 0, 0]),
    (&[GS, b'P'], &[GS, b'P', 0, 0]),
    (&[GS, b'W'], &[GS, b'W', 0xff, 0xff]),
    (&[GS, b'f'], &[GS, b'f', 0]),
    (&[GS, b'b'], &[GS, b'b', 0]),
    (&[GS, b'h'], &[GS, b'h', 162]),
    (&[GS, b'w'], &[GS, b'w', 3]),
];
/// The settings a job has changed since it began or was last reset.
#[derive(Debug, Default)]
pub(super) struct Changed {
    settings: u64,
    double_byte: bool,
    /// The device's default of double-byte mode, known by what the job first changed it to.
    double_byte_default: Option<bool>,
}

impl Changed {
    /// Notes a command that passes.
    pub(super) fn note(&mut self, command: &[u8]) {
        if command == FS_AMPERSAND || command == FS_PERIOD {
            self.double_byte = true;
            self.double_byte_default.get_or_insert(command == FS_PERIOD);
        }
        for (nth, (start, _)) in DEFAULTS.iter().enumerate() {
            if command.starts_with(start) {
                self.settings |= 1 << nth;
            }
        }
    }

    /// Appends the commands that reset what was changed, and forgets the changes.
    pub(super) fn reset(&mut self, out: &mut Vec<u8>) {
        for (nth, (_, default)) in DEFAULTS.iter().enumerate() {
            if self.settings & 1 << nth != 0 {
                out.extend_from_slice(default);
            }
        }
        // A job says what is not already so: its first choice is the opposite of the default, which is
        // on in Chinese and Korean models and off elsewhere.
        match self.double_byte_default.filter(|_| self.double_byte) {
            Some(true) => out.extend(FS_AMPERSAND),
            Some(false) => out.extend(FS_PERIOD),
            None => {}
        }
        (self.settings, self.double_byte) = (0, false);
    }
}
