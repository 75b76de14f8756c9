use proptest::prelude::*;

use super::*;
use crate::money::AMOUNT_MAX;

fn share(party: &str, rate_bp: u32, fixed: i64, min: i64, cap: Option<i64>) -> Share {
    Share {
        party: party.parse().unwrap(),
        rate_bp,
        fixed_minor: Minor(fixed),
        min_minor: Minor(min),
        cap_minor: cap.map(Minor),
    }
}

fn table(shares: Vec<Share>) -> ShareTable {
    let table = ShareTable {
        version: 1,
        valid_from: jiff::Timestamp::UNIX_EPOCH,
        valid_until: None,
        shares,
    };
    assert_eq!(table.check(), Ok(()));
    table
}

fn bound() -> ShareTable {
    table(vec![
        share("platform", 600, 10, 50, Some(2_000)),
        share("agent:A7", 333, 0, 0, Some(900)),
        share("merchant", 8_734, 0, 0, None),
        share("agent:B", 333, 5, 20, None),
    ])
}

fn amounts(parts: &[PartyAmount]) -> Vec<i64> {
    parts.iter().map(|part| part.amount_minor.0).collect()
}

#[test]
fn fees_minimums_and_caps_are_at_the_merchants_cost() {
    let parts = |amount| amounts(&divide(&bound(), Minor(amount)));
    assert_eq!(parts(10_000), [610, 333, 8_719, 338]);
    assert_eq!(parts(100_000), [2_000, 900, 93_765, 3_335], "caps");
    assert_eq!(parts(100), [50, 3, 27, 20], "minimums");
    assert_eq!(parts(35), [25, 0, 0, 10], "too little for the fees");
    assert_eq!([parts(0), parts(-5)], [[0; 4], [0; 4]]);
}

#[test]
fn parts_of_every_amount_up_to_a_hundred_thousand_add_up() {
    let thirds = table(vec![
        share("platform", 3_333, 0, 0, None),
        share("merchant", 3_334, 0, 0, None),
        share("agent:A7", 3_333, 0, 0, None),
    ]);
    for table in [bound(), thirds] {
        for amount in 0..=100_000 {
            let parts = amounts(&divide(&table, Minor(amount)));
            assert_eq!(parts.iter().sum::<i64>(), amount);
            assert!(parts.iter().all(|part| *part >= 0), "{parts:?} of {amount}");
        }
    }
}

/// Any table that passes its check.
fn tables() -> impl Strategy<Value = ShareTable> {
    let terms = (0..1_250_u32, 0..200_i64, 0..200_i64, prop::option::of(200..5_000_i64));
    (prop::collection::vec(terms, 0..8), 0..8_usize).prop_map(|(terms, place)| {
        let mut shares: Vec<_> = (0..)
            .zip(&terms)
            .map(|(n, (rate, fixed, min, cap))| {
                share(&format!("agent:{n}"), *rate, *fixed, *min, *cap)
            })
            .collect();
        let others: u32 = terms.iter().map(|(rate, ..)| rate).sum();
        let place = place.min(shares.len());
        shares.insert(place, share("merchant", 10_000 - others, 0, 0, None));
        table(shares)
    })
}

fn given(parts: Vec<PartyAmount>) -> Vec<Given> {
    let given = |part: PartyAmount| Given {
        party: part.party,
        amount_minor: part.amount_minor,
        taken_minor: Minor::ZERO,
    };
    parts.into_iter().map(given).collect()
}

proptest! {
    #[test]
    fn parts_of_any_amount_by_any_table_add_up(table in tables(), amount in 0..=AMOUNT_MAX) {
        let parts = amounts(&divide(&table, Minor(amount)));
        prop_assert_eq!(parts.iter().sum::<i64>(), amount);
        prop_assert!(parts.iter().all(|part| *part >= 0));
    }

    #[test]
    fn others_get_no_more_than_their_cap_and_all_they_are_due_where_there_is_enough(
        table in tables(), amount in 20_000..1_000_000_i64,
    ) {
        for (share, part) in table.shares.iter().zip(divide(&table, Minor(amount))) {
            prop_assert!(share.cap_minor.is_none_or(|cap| part.amount_minor <= cap));
            prop_assert!(part.amount_minor >= share.min_minor);
        }
    }

    #[test]
    fn refunds_never_take_more_of_a_party_than_it_was_given_and_the_last_takes_the_rest(
        table in tables(),
        amount in 1..1_000_000_i64,
        percents in prop::collection::vec(1..60_i64, 0..12),
    ) {
        let mut given = given(divide(&table, Minor(amount)));
        let mut left = amount;
        let steps = percents.iter().map(|percent| Some(*percent)).chain([None]);
        for percent in steps {
            let refund = percent.map_or(left, |percent| left * percent / 100);
            let taken = take_back(&given, Minor(refund)).unwrap();
            prop_assert_eq!(amounts(&taken).iter().sum::<i64>(), refund);
            for (given, taken) in given.iter_mut().zip(taken) {
                given.taken_minor = given.taken_minor + taken.amount_minor;
                prop_assert!(given.taken_minor <= given.amount_minor);
                // In the same proportion, but for a unit of rounding each time.
                let exact = i128::from(given.amount_minor.0) * i128::from(amount - left + refund);
                let off = i128::from(given.taken_minor.0) * i128::from(amount) - exact;
                prop_assert!(off.abs() <= i128::from(amount) * 13);
            }
            left -= refund;
        }
        prop_assert!(given.iter().all(|given| given.taken_minor == given.amount_minor));
        prop_assert_eq!(take_back(&given, Minor(1)), Err(OverRefund { left_minor: Minor::ZERO }));
    }
}
