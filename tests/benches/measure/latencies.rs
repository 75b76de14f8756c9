//! How long single calls took.

use std::time::Duration;

/// Times of calls, in nanoseconds.
#[derive(Debug, Default, Clone)]
pub struct Latencies(Vec<u64>);

impl Latencies {
    /// Notes a call.
    pub fn note(&mut self, took: Duration) {
        self.0.push(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Takes in another's calls.
    pub fn append(&mut self, other: &mut Self) {
        self.0.append(&mut other.0);
    }

    /// The time that a share of the calls did not exceed; `quantile(0.5)` is the median. Zero
    /// without calls.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index between 0 and the length"
    )]
    pub fn quantile(&self, share: f64) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        let at = (last as f64 * share).round() as usize;
        Duration::from_nanos(sorted.get(at).copied().unwrap_or(0))
    }
}
