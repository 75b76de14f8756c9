//! How much a bench does: all of it, or a share that shows only that it runs.
//!
//! `TILLROLL_BENCH_SCALE=0.01` lets every bench do a hundredth of its counts and of its time. What it
//! finds then says nothing, and no document takes it.

use std::time::Duration;

const SCALE: &str = "TILLROLL_BENCH_SCALE";
/// Nothing is measured for less.
const SHORTEST: Duration = Duration::from_millis(5);

/// Whether benches do less, or more, than they should.
#[must_use]
pub fn is_scaled() -> bool {
    std::env::var_os(SCALE).is_some()
}

/// Of so many, how many are to be done; one at least.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a positive count; a float that is too large becomes the largest count"
)]
pub fn count(all: u32) -> u32 {
    (f64::from(all) * scale()).max(1.0) as u32
}

/// Of so long, how long is to be measured; a few milliseconds at least.
#[must_use]
pub fn time(all: Duration) -> Duration {
    all.mul_f64(scale()).max(SHORTEST)
}

/// One where none is given.
///
/// # Panics
/// At a scale that is no positive number: a run with another one than was meant would be lost.
fn scale() -> f64 {
    let Ok(text) = std::env::var(SCALE) else { return 1.0 };
    match text.parse::<f64>() {
        Ok(scale) if scale > 0.0 && scale.is_finite() => scale,
        _ => panic!("{SCALE} is {text:?}, not a number above zero"),
    }
}
