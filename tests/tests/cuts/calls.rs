//! Calls that fail: EIO and ENOSPC at the n-th write, cut or sync of a file, once or ten times in a row, for
//! every n. The program goes on, and the power goes while it does: nothing it acknowledged is lost, before the
//! fault and after it, although what a failed sync left undone never comes to the disk.

use crate::disk::{Failing, Trouble};
use crate::dispatcher::Dispatcher;
use crate::ledger::Answering;
use crate::register::Register;
use crate::report::{calls, seed, show};
use crate::run::{Plan, Program, run};
use crate::tally::Tally;

/// One life with a fault in it.
fn plan(first: u64, trouble: Trouble, calls: u64) -> Plan {
    let failing = Some(Failing { trouble, first, calls });
    Plan { failing, steps: 16, calls: 150, facts: 0, ..Plan::new(seed() ^ first, 1) }
}

fn every_call<P: Program>(answering: Answering) -> Tally {
    let mut tally = Tally::default();
    for first in 1..=calls() {
        for (trouble, calls) in
            [(Trouble::Broken, 1), (Trouble::Broken, 10), (Trouble::Full, 1), (Trouble::Full, 10)]
        {
            tally.add(run::<P>(&Plan { answering, ..plan(first, trouble, calls) }));
        }
    }
    tally
}

fn survives<P: Program>(attack: &str) {
    let tally = every_call::<P>(Answering::AfterCommit);
    show(attack, &tally);
    assert!(tally.acknowledged > 0, "{attack}: nothing was acknowledged");
    assert!(tally.is_clean(), "{attack}, seed {}: {tally}, {:?}", seed(), tally.examples);
}

#[test]
fn register_survives_every_failing_call() {
    survives::<Register>("EIO and ENOSPC at every call, register");
}

#[test]
fn dispatcher_survives_every_failing_call() {
    survives::<Dispatcher>("EIO and ENOSPC at every call, dispatcher");
}

#[test]
fn errors_taken_for_success_are_caught() {
    for tally in [
        every_call::<Register>(Answering::WhateverItSays),
        every_call::<Dispatcher>(Answering::WhateverItSays),
    ] {
        assert!(tally.lost > 0, "the judge is blind: {tally}");
    }
}
