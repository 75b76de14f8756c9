//! The receipt that everything is measured with: six lines, about 600 bytes of JSON.

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use tillroll_testkit::receipts;

/// Lines on the receipt.
pub const LINES: u32 = 6;

/// The instant of receipt number `n`: they come a millisecond apart.
pub fn instant(n: u64) -> Timestamp {
    let since = SignedDuration::from_millis(i64::try_from(n).unwrap_or(0));
    Timestamp::constant(1_791_000_000, 0).saturating_add(since).unwrap_or(Timestamp::MAX)
}

/// The receipt's body as the register stores it.
pub fn body() -> Result<String> {
    Ok(String::from_utf8(receipts::long(1, LINES).canonical()?)?)
}
