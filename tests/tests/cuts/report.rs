//! How much is tried, and what came of it.

use tillroll_testkit::Attack;
use tillroll_tests::asked;

use crate::tally::Tally;

/// The run of `make test`. Another seed by `TILLROLL_CUTS_SEED`.
const SEED: u64 = 20_261_201;
/// Power cuts in all, in `make test`; more by `TILLROLL_CUTS`.
const CUTS: usize = 20_000;

/// The seed of all runs.
pub fn seed() -> u64 {
    asked::number("TILLROLL_CUTS_SEED").unwrap_or(SEED)
}

/// Power cuts in all.
pub fn cuts() -> usize {
    asked::number("TILLROLL_CUTS").unwrap_or(CUTS)
}

/// Which calls fail, up to the n-th: 60 in `make test`, 300 where all is tried.
pub fn calls() -> u64 {
    if cuts() > CUTS { 300 } else { 60 }
}

/// Shows a line of the table, and what is behind it.
pub fn show(what: &str, tally: &Tally) {
    let attack = Attack {
        promise: "nothing acknowledged is lost",
        what: format!("{what}, seed {}", seed()),
        trials: tally.cuts,
        losses: tally.lost + tally.corrupt,
        duplicates: tally.impossible,
        silent: tally.silent,
    };
    attack.show();
    println!("  {what}: {tally}");
    tally.examples.iter().for_each(|example| println!("  {example}"));
}
