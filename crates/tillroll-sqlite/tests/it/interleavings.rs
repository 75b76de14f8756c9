//! Whatever mix of callers, refusals and panics: what was acknowledged is stored, nothing else is.

use std::sync::Mutex;
use std::thread;

use proptest::prelude::*;
use tillroll_sqlite::rusqlite;
use tillroll_sqlite::{Options, WriteError};

use crate::support::{Till, numbers, options, sale};

#[derive(Debug, Clone, Copy)]
enum Act {
    Sell,
    Refuse,
    Panic,
    SellTheSame,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => Just(Act::Sell),
        1 => Just(Act::Refuse),
        1 => Just(Act::Panic),
        1 => Just(Act::SellTheSame),
    ]
}

fn run(till: &Till, number: i64, act: Act) -> Result<i64, WriteError<rusqlite::Error>> {
    till.database.write(move |c| match act {
        Act::Sell => sale(number, 50)(c).map(|_| number),
        Act::SellTheSame => sale(-1, 50)(c).map(|_| -1),
        Act::Refuse => {
            sale(number, 50)(c)?;
            Err(rusqlite::Error::InvalidQuery)
        }
        Act::Panic => {
            sale(number, 50)(c)?;
            std::panic::resume_unwind(Box::new("a bug"))
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn acknowledged_is_stored_and_refused_is_not(
        callers in prop::collection::vec(prop::collection::vec(act(), 1..12), 1..6),
        max_batch in 1_usize..8,
    ) {
        let till = Till::with(Options { max_batch, ..options() });
        let acknowledged = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for (caller, acts) in (0_i64..).zip(&callers) {
                let (till, acknowledged) = (&till, &acknowledged);
                scope.spawn(move || {
                    for (step, act) in (0_i64..).zip(acts) {
                        if let Ok(number) = run(till, caller * 100 + step, *act) {
                            acknowledged.lock().unwrap().push(number);
                        }
                    }
                });
            }
        });
        let mut expected = acknowledged.into_inner().unwrap();
        expected.sort_unstable();
        let mut found = numbers(&till.database);
        found.sort_unstable();
        prop_assert_eq!(&found, &expected);
        let (till, opening) = till.reopen(options());
        prop_assert!(opening.clean && opening.rescue.is_none());
        let mut found = numbers(&till.database);
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}
