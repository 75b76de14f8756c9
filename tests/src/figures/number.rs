//! Numbers as people read them.

use std::time::Duration;

/// A whole number, its thousands parted: `12,345`.
#[must_use]
pub fn whole(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut parted = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            parted.push(',');
        }
        parted.push(digit);
    }
    if number < 0.0 && parted != "0" { format!("-{parted}") } else { parted }
}

/// A rate: `12,345 a second`.
#[must_use]
pub fn a_second(rate: f64) -> String {
    format!("{} a second", whole(rate))
}

/// Microseconds without a unit: `12,345`.
#[must_use]
pub fn us(time: Duration) -> String {
    whole(time.as_secs_f64() * 1e6)
}

/// Milliseconds with their unit, three digits that count: `12.3 ms`.
#[must_use]
pub fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms >= 100.0 {
        format!("{} ms", whole(ms))
    } else if ms >= 10.0 {
        format!("{ms:.1} ms")
    } else {
        format!("{ms:.2} ms")
    }
}

/// MiB of a number of bytes, with the unit.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
pub fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ms, us, whole};

    #[test]
    fn thousands_are_parted() {
        assert_eq!(
            [0.4, 999.0, 1_000.0, 1_234_567.0].map(whole),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(whole(-1_100.0), "-1,100");
        assert_eq!(us(Duration::from_millis(2)), "2,000");
    }

    #[test]
    fn milliseconds_have_three_digits_that_count() {
        assert_eq!(
            [0.085, 6.383, 92.04, 1_440.0].map(|at| ms(Duration::from_secs_f64(at / 1e3))),
            ["0.09 ms", "6.38 ms", "92.0 ms", "1,440 ms"]
        );
    }
}
