//! When a webhook is tried again: the schedule that Standard Webhooks recommends.

use std::time::Duration;

const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// Waits after the first try, the second, and so on; some three days in all.
const WAITS: [Duration; 9] = [
    seconds(5),
    seconds(5 * 60),
    seconds(30 * 60),
    seconds(2 * 3_600),
    seconds(5 * 3_600),
    seconds(10 * 3_600),
    seconds(14 * 3_600),
    seconds(20 * 3_600),
    seconds(24 * 3_600),
];

/// The wait after the `tries`-th try (from 1); `None` after the last one.
pub(super) fn wait_after(tries: u32) -> Option<Duration> {
    let index = usize::try_from(tries).ok()?.checked_sub(1)?;
    WAITS.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_tries_then_it_is_given_up() {
        assert_eq!(wait_after(1), Some(seconds(5)));
        assert_eq!(wait_after(9), Some(seconds(86_400)));
        assert_eq!(wait_after(10), None);
        assert_eq!(wait_after(0), None);
    }
}
