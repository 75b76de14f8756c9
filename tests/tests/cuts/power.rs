//! Power cuts under the product's own stores: what was acknowledged is there, nothing is there twice, no state
//! is one that nobody made, and the program has nothing to tell of damage.

use tillroll_sqlite::Synchronous;

use crate::dispatcher::Dispatcher;
use crate::ledger::Answering;
use crate::older::Older;
use crate::register::Register;
use crate::report::{cuts, seed, show};
use crate::run::{Plan, Program, run};

/// Cuts of each control.
const CONTROL: usize = 300;

fn survives<P: Program>(attack: &str, plan: &Plan) {
    let tally = run::<P>(plan);
    show(attack, &tally);
    assert!(tally.acknowledged > 0 || plan.steps == 1, "{attack}: nothing was acknowledged");
    assert!(tally.is_clean(), "{attack}, seed {}: {tally}, {:?}", plan.seed, tally.examples);
}

#[test]
fn register_survives_every_power_cut() {
    survives::<Register>("power cuts, register", &Plan::new(seed(), cuts() / 20 * 11));
}

#[test]
fn dispatcher_survives_every_power_cut() {
    survives::<Dispatcher>("power cuts, dispatcher", &Plan::new(seed(), cuts() / 20 * 7));
}

#[test]
fn register_survives_power_cuts_while_an_older_one_is_migrated() {
    let plan = Plan { steps: 2, calls: 12, facts: 0, ..Plan::new(seed(), cuts() / 20 * 2) };
    survives::<Older>("power cuts, migration", &plan);
}

#[test]
fn same_seed_is_the_same_run() {
    let count = || {
        let tally = run::<Register>(&Plan { synchronous: Synchronous::Normal, ..Plan::new(5, 60) });
        (tally.cuts, tally.lives, tally.acknowledged, tally.lost)
    };
    assert_eq!(count(), count());
}

/// A control must be caught.
fn loses<P: Program>(plan: &Plan) {
    let tally = run::<P>(plan);
    println!("  control {plan:?}: {tally}");
    assert!(tally.lost + tally.corrupt > 0, "the judge is blind: {plan:?}: {tally}");
}

fn loses_both(plan: &Plan) {
    loses::<Register>(plan);
    loses::<Dispatcher>(plan);
}

#[test]
fn commits_without_a_sync_are_caught() {
    loses_both(&Plan { synchronous: Synchronous::Normal, ..Plan::new(seed(), CONTROL) });
}

#[test]
fn disk_that_ignores_syncs_is_caught() {
    loses_both(&Plan { ignores_syncs: true, ..Plan::new(seed(), CONTROL) });
}

#[test]
fn answers_before_the_commit_are_caught() {
    loses_both(&Plan { answering: Answering::BeforeCommit, ..Plan::new(seed(), CONTROL) });
}
