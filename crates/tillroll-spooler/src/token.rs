//! Tokens for `GS ( H`: four characters of 20h to 7Eh made of the attempt's number, counted from a place
//! of the installation's own: two registers at one printer do not take each other's answers for theirs.
//!
//! Two per attempt: one asked for right after the print data (its answer means the printing is completed),
//! one after the cut (its answer ends the wait). They repeat after 40 million attempts.

use sha2::{Digest as _, Sha256};
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
    /// The tokens of an attempt of that installation.
    pub(crate) fn of(installation: &str, attempt: AttemptId) -> Self {
        let first = (place(installation) + attempt.0.rem_euclid(SPACE) * 2) % SPACE;
        Self { printed: text(first), cut: text((first + 1) % SPACE) }
    }
}

/// Where the tokens of an installation begin.
fn place(installation: &str) -> i64 {
    let digest: [u8; 32] = Sha256::digest(installation.as_bytes()).into();
    let [a, b, c, d, ..] = digest;
    i64::from(u32::from_be_bytes([a, b, c, d])) % SPACE
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
            let tokens = Tokens::of("one", AttemptId(id));
            for token in [tokens.printed, tokens.cut] {
                assert!(token.iter().all(|b| (0x20..=0x7e).contains(b)));
                assert!(seen.insert(token), "{id}");
            }
        }
    }

    #[test]
    fn registers_that_share_a_printer_count_from_places_of_their_own() {
        let first = |installation| Tokens::of(installation, AttemptId(1));
        assert_eq!(first("one"), first("one"));
        assert_ne!(first("one"), first("another"));
    }
}
