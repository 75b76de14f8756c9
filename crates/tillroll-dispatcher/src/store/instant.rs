//! How instants stand in a table: UTC milliseconds since 1970.

use jiff::Timestamp;

/// An instant as stored: a fact of the past, rounded down.
pub(crate) fn ms(at: Timestamp) -> i64 {
    at.as_millisecond()
}

/// An instant as stored before which nothing may happen: rounded up.
pub(crate) fn ms_not_before(at: Timestamp) -> i64 {
    let ms = at.as_millisecond();
    let is_cut = at.subsec_nanosecond() % 1_000_000 > 0;
    if is_cut && at < Timestamp::MAX { ms + 1 } else { ms }
}
