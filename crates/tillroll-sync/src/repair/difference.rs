//! What differs between what both sides have. Pure.

use std::collections::BTreeMap;

use tillroll_domain::fingerprint::Fingerprint;
use tillroll_wire::repair::{HourDigest, KnownRecord};

/// The hours that differ, ascending.
pub(super) fn differing(ours: &[HourDigest], theirs: &[HourDigest]) -> Vec<i64> {
    let of = |hours: &[HourDigest]| -> BTreeMap<i64, HourDigest> {
        hours.iter().filter(|hour| hour.count > 0).map(|hour| (hour.hour, *hour)).collect()
    };
    let (ours, theirs) = (of(ours), of(theirs));
    let mut hours: Vec<i64> = ours.keys().chain(theirs.keys()).copied().collect();
    hours.sort_unstable();
    hours.dedup();
    hours.retain(|hour| ours.get(hour) != theirs.get(hour));
    hours
}

/// What differs in an hour.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// Ids the head office was known to have and has not.
    pub(super) missing_there: Vec<String>,
    /// Records the head office has that are not known here, or otherwise.
    pub(super) unknown_here: Vec<KnownRecord>,
}

impl Difference {
    /// What differs between what the head office is known to have of an hour and what it says it has.
    pub(super) fn between(ours: &[KnownRecord], theirs: Vec<KnownRecord>) -> Self {
        let known: BTreeMap<&str, Fingerprint> =
            ours.iter().map(|record| (record.request_id.as_str(), record.fingerprint)).collect();
        let has: std::collections::BTreeSet<&str> =
            theirs.iter().map(|record| record.request_id.as_str()).collect();
        let missing = |record: &&KnownRecord| !has.contains(record.request_id.as_str());
        let missing_there =
            ours.iter().filter(missing).map(|record| record.request_id.clone()).collect();
        let is_news = |record: &KnownRecord| {
            known.get(record.request_id.as_str()) != Some(&record.fingerprint)
        };
        let unknown_here = theirs.into_iter().filter(is_news).collect();
        Self { missing_there, unknown_here }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tillroll_wire::repair::RecordDigest;

    use super::*;

    fn record(id: u8, body: u8) -> KnownRecord {
        let fingerprint = Fingerprint::of(&[body]);
        KnownRecord {
            request_id: format!("S1:{id}:receipt:v1/receipt/e1/r1"),
            fingerprint,
            epoch: 1,
        }
    }

    fn digest(hour: i64, records: &[KnownRecord]) -> HourDigest {
        let mut set = RecordDigest::default();
        for record in records {
            set.toggle(RecordDigest::of(&record.request_id, &record.fingerprint));
        }
        HourDigest { hour, count: u64::try_from(records.len()).unwrap(), digest: set }
    }

    fn records() -> impl Strategy<Value = Vec<KnownRecord>> {
        proptest::collection::btree_map(0_u8..20, 0_u8..2, 0..12)
            .prop_map(|records| records.into_iter().map(|(id, body)| record(id, body)).collect())
    }

    proptest! {
        #[test]
        fn hour_differs_exactly_when_a_record_does(ours in records(), theirs in records()) {
            let hours = differing(&[digest(7, &ours)], &[digest(7, &theirs)]);
            let found = Difference::between(&ours, theirs.clone());
            let none = found.missing_there.is_empty() && found.unknown_here.is_empty();
            prop_assert_eq!(hours.is_empty(), none);
            for missing in &found.missing_there {
                prop_assert!(theirs.iter().all(|record| record.request_id != *missing));
            }
            prop_assert!(found.unknown_here.iter().all(|record| !ours.contains(record)));
        }
    }

    #[test]
    fn hour_only_one_side_has_differs() {
        let one = digest(3, &[record(1, 0)]);
        assert_eq!(differing(&[one], &[]), [3]);
        assert_eq!(differing(&[], &[one]), [3]);
        assert!(differing(&[one], &[one]).is_empty());
        assert!(differing(&[digest(3, &[])], &[]).is_empty());
    }
}
