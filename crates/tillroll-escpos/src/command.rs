//! ESC/POS commands by Epson's names, as constants and builders of bytes.
//!
//! Layouts are those of Epson's ESC/POS command reference; a builder's name says what it does and its
//! comment the command. Nothing here decides what to print.

/// Line feed: prints the line.
pub const LF: u8 = 0x0a;
/// Data link escape: begins a real-time command.
pub const DLE: u8 = 0x10;
/// End of transmission: the second byte of a real-time status request.
pub const EOT: u8 = 0x04;
/// Enquiry: the second byte of a real-time request to the printer.
pub const ENQ: u8 = 0x05;
/// Device control 4: the second byte of a real-time pulse, power-off or clear.
pub const DC4: u8 = 0x14;
/// Escape.
pub const ESC: u8 = 0x1b;
/// File separator: begins a command for double-byte characters.
pub const FS: u8 = 0x1c;
/// Group separator.
pub const GS: u8 = 0x1d;

/// ESC @: initialise; also ends automatic status back.
pub const ESC_AT: [u8; 2] = [ESC, b'@'];
/// GS a 255: automatic status back for every cause, answered at once with one block.
pub const GS_A_ALL: [u8; 3] = [GS, b'a', 0xff];
/// FS &: double-byte characters on.
pub const FS_AMPERSAND: [u8; 2] = [FS, b'&'];
/// FS .: double-byte characters off.
pub const FS_PERIOD: [u8; 2] = [FS, b'.'];
/// GS r 1: paper status, answered in order with the data.
pub const GS_R_PAPER: [u8; 3] = [GS, b'r', 1];
/// GS I 66: the maker's name.
pub const GS_I_MAKER: [u8; 3] = [GS, b'I', 66];
/// GS I 67: the model's name.
pub const GS_I_MODEL: [u8; 3] = [GS, b'I', 67];
/// GS g 2 counter of printed lines.
pub const COUNTER_LINES: u8 = 148;
/// GS g 2 counter of autocutter operations.
pub const COUNTER_CUTS: u8 = 178;

/// GS V 66 0: feed to the cutter and cut, leaving a point uncut; at the beginning of a line only.
#[must_use]
pub fn cut_partial_feed() -> [u8; 4] {
    [GS, b'V', 66, 0]
}

/// GS V 65 0: feed to the cutter and cut through; at the beginning of a line only.
#[must_use]
pub fn cut_full_feed() -> [u8; 4] {
    [GS, b'V', 65, 0]
}

/// ESC t n: selects a code page by the printer's own number.
#[must_use]
pub fn code_page(number: u8) -> [u8; 3] {
    [ESC, b't', number]
}

/// ESC a n: 0 left, 1 centre, 2 right; at the beginning of a line.
#[must_use]
pub fn justify(place: u8) -> [u8; 3] {
    [ESC, b'a', place]
}

/// ESC E n: emphasised on or off.
#[must_use]
pub fn emphasised(on: bool) -> [u8; 3] {
    [ESC, b'E', u8::from(on)]
}

/// GS ! n: character size, each factor 1 to 8.
#[must_use]
pub fn size(wide: u8, tall: u8) -> [u8; 3] {
    let factor = |times: u8| times.clamp(1, 8) - 1;
    [GS, b'!', factor(wide) << 4 | factor(tall)]
}

/// FS ! n: size of double-byte characters, which GS ! does not reach on every printer.
#[must_use]
pub fn double_byte_size(wide: bool, tall: bool) -> [u8; 3] {
    [FS, b'!', u8::from(wide) << 2 | u8::from(tall) << 3]
}

/// ESC M n: font A, or the smaller font B.
#[must_use]
pub fn font(small: bool) -> [u8; 3] {
    [ESC, b'M', u8::from(small)]
}

/// ESC d n: prints and feeds `n` lines.
#[must_use]
pub fn feed_lines(lines: u8) -> [u8; 3] {
    [ESC, b'd', lines]
}

/// The connector pin a drawer hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawerPin {
    /// Pin 2, the first drawer.
    #[default]
    Two,
    /// Pin 5, the second drawer.
    Five,
}

/// Default time a drawer pulse is on, in ms.
pub const PULSE_ON_MS: u16 = 50;
/// Default time it is off, in ms; the solenoid may be on a fifth of the time at most.
pub const PULSE_OFF_MS: u16 = 500;

/// ESC p m t1 t2: a drawer pulse, always five bytes; times in ms, rounded down to units of 2 ms, up to
/// 510 ms, the pause never shorter than the pulse.
#[must_use]
pub fn pulse(pin: DrawerPin, on_ms: u16, off_ms: u16) -> [u8; 5] {
    let units = |ms: u16| u8::try_from(ms / 2).unwrap_or(u8::MAX);
    let connector = match pin {
        DrawerPin::Two => 0,
        DrawerPin::Five => 1,
    };
    let on = units(on_ms).max(1);
    [ESC, b'p', connector, on, units(off_ms).max(on)]
}

/// GS ( H function 48: asks for a token back when the data before it is printed. The token's bytes
/// must lie in 20h to 7Eh.
#[must_use]
pub fn token(token: [u8; 4]) -> [u8; 11] {
    let [a, b, c, d] = token;
    [GS, b'(', b'H', 6, 0, 0x30, 0x30, a, b, c, d]
}

/// DLE DC4 function 8: erases receive and print buffer in real time; answered by `37 25 00`.
#[must_use]
pub fn clear_buffer() -> [u8; 10] {
    [DLE, DC4, 8, 1, 3, 20, 1, 6, 2, 8]
}

/// DLE EOT n: real-time status; 1 printer, 2 offline cause, 3 error cause, 4 paper.
#[must_use]
pub fn realtime_status(n: u8) -> [u8; 3] {
    [DLE, EOT, n]
}

/// GS g 2 0 n 0: reads a maintenance counter, see [`COUNTER_CUTS`] and [`COUNTER_LINES`].
#[must_use]
pub fn counter(number: u8) -> [u8; 6] {
    [GS, b'g', b'2', 0, number, 0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawer_pulse_is_always_five_bytes_with_both_times() {
        assert_eq!(pulse(DrawerPin::Two, PULSE_ON_MS, PULSE_OFF_MS), [0x1b, 0x70, 0, 0x19, 0xfa]);
        assert_eq!(pulse(DrawerPin::Five, 50, 500), [0x1b, 0x70, 1, 0x19, 0xfa]);
        assert_eq!(pulse(DrawerPin::Two, 0, 0), [0x1b, 0x70, 0, 1, 1]);
        assert_eq!(pulse(DrawerPin::Two, u16::MAX, 0), [0x1b, 0x70, 0, 255, 255]);
    }

    #[test]
    fn commands_have_the_bytes_of_the_reference() {
        assert_eq!(cut_partial_feed(), [0x1d, 0x56, 0x42, 0]);
        assert_eq!(token(*b"aB~ "), [0x1d, 0x28, 0x48, 6, 0, 0x30, 0x30, 0x61, 0x42, 0x7e, 0x20]);
        assert_eq!(clear_buffer(), [0x10, 0x14, 8, 1, 3, 0x14, 1, 6, 2, 8]);
        assert_eq!(counter(COUNTER_CUTS), [0x1d, 0x67, 0x32, 0, 178, 0]);
        assert_eq!(size(2, 1), [0x1d, 0x21, 0x10]);
        assert_eq!(size(0, 9), [0x1d, 0x21, 0x07]);
        assert_eq!(realtime_status(2), [0x10, 4, 2]);
    }
}
