//! Tokens for `GS ( H`: four characters of 20h to 7Eh made of the attempt's number.
//!
//! Two per attempt: one asked for right after the print data (its answer means the printing is completed),
//! one after the cut (its answer ends the wait). They repeat after 40 million attempts.

use tillroll_store::AttemptId;

const BASE: i64 = 95;
const SPACE: i64 = BASE * BASE * BASE * BASE;

/// The tokens of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// Asked for after the print data.
    pub printed: [u8; 4],
    /// Asked for after the cut.
    pub cut: [u8; 4],
}

impl Tokens {
    pub(crate) fn of(attempt: AttemptId) -> Self {
        let first = attempt.0.wrapping_mul(2).rem_euclid(SPACE);
        Self { printed: text(first), cut: text((first + 1) % SPACE) }
    }
}

fn text(mut number: i64) -> [u8; 4] {
    let mut digits = [b' '; 4];
    for digit in digits.iter_mut().rev() {
        *digit = b' ' + u8::try_from(number % BASE).unwrap_or(0);
        number /= BASE;
    }
    digits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tokens_are_printable_and_each_attempt_has_its_own() {
        let mut seen = BTreeSet::new();
        for id in (0..2_000).chain(40_000_000..40_002_000) {
            let tokens = Tokens::of(AttemptId(id));
            for token in [tokens.printed, tokens.cut] {
                assert!(token.iter().all(|b| (0x20..=0x7e).contains(b)));
                assert!(seen.insert(token), "{id}");
            }
        }
    }
}
