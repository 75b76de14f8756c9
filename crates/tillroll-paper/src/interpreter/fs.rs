//! FS commands: double-byte characters.

use super::{Interpreter, esc::underline};
use crate::control::FS;

impl Interpreter {
    pub(super) fn fs(&mut self, bytes: &[u8]) {
        match *bytes {
            [FS, b'&'] => self.mode.double_byte = self.device.cjk.is_some(),
            [FS, b'.'] => self.mode.double_byte = false,
            [FS, b'C', n] => self.mode.jis_codes = n & 0x0F == 0,
            [FS, b'-', n] => self.mode.wide.underline = underline(n),
            [FS, b'!', n] => self.double_byte_mode(n),
            [FS, b'W', n] => {
                let times = 1 + u32::from(n & 1);
                (self.mode.wide.across, self.mode.wide.down) = (times, times);
            }
            [FS, b'S', before, after] => {
                self.mode.wide.space_before = self.mode.units.across(before.into());
                self.mode.wide.space_after = self.mode.units.across(after.into());
            }
            // User-defined characters, stored images and user memory print nothing here.
            [FS, b'(' | b'2' | b'?' | b'g' | b'p' | b'q', ..] => {}
            _ => self.unknown(bytes),
        }
    }

    /// `FS !`: size and underline of double-byte characters.
    fn double_byte_mode(&mut self, n: u8) {
        self.mode.wide.across = if n & 0x04 == 0 { 1 } else { 2 };
        self.mode.wide.down = if n & 0x08 == 0 { 1 } else { 2 };
        self.mode.wide.underline = underline(n >> 7);
    }
}
