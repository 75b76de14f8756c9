//! Small jobs as bytes, and where their commands begin.

use tillroll_domain::receipt::Receipt;
use tillroll_testkit::receipts;

/// A job of two lines and a cut.
pub fn small(n: u32) -> Receipt {
    receipts::raw(n, b"ticket top\nticket end\n\x1dVB\0")
}

/// Positions in a stream behind each line feed and before each command (ESC, GS, DLE).
pub fn borders(stream: &[u8]) -> Vec<u64> {
    let mut borders = Vec::new();
    for (at, byte) in stream.iter().enumerate() {
        let at = u64::try_from(at).unwrap_or(u64::MAX);
        match byte {
            0x10 | 0x1b | 0x1d => borders.push(at),
            b'\n' => borders.push(at + 1),
            _ => {}
        }
    }
    borders.dedup();
    borders
}
