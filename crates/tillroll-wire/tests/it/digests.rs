//! Digests of sets of records.

use jiff::Timestamp;
use proptest::prelude::*;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_wire::repair::{RecordDigest, hour_of};

type Records = Vec<(String, u8)>;

fn digest(records: &[(String, u8)]) -> RecordDigest {
    let mut set = RecordDigest::default();
    for (id, body) in records {
        set.toggle(RecordDigest::of(id, &Fingerprint::of(&[*body])));
    }
    set
}

/// Different ids with any bodies, and the same in another order.
fn records_twice() -> impl Strategy<Value = (Records, Records)> {
    proptest::collection::btree_map("[a-z]{1,4}:[0-9]{1,3}", any::<u8>(), 0..40)
        .prop_map(|records| records.into_iter().collect::<Records>())
        .prop_flat_map(|records| (Just(records.clone()), Just(records).prop_shuffle()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn digest_does_not_depend_on_the_order((records, shuffled) in records_twice()) {
        prop_assert_eq!(digest(&records), digest(&shuffled));
    }

    #[test]
    fn record_taken_out_again_leaves_no_trace((records, _) in records_twice()) {
        let mut set = digest(&records);
        for (id, body) in &records {
            set.toggle(RecordDigest::of(id, &Fingerprint::of(&[*body])));
        }
        prop_assert_eq!(set, RecordDigest::default());
    }

    #[test]
    fn one_other_body_changes_the_digest((mut records, _) in records_twice(), which: prop::sample::Index) {
        prop_assume!(!records.is_empty());
        let before = digest(&records);
        let which = which.index(records.len());
        records[which].1 = records[which].1.wrapping_add(1);
        prop_assert_ne!(before, digest(&records));
    }

    #[test]
    fn text_form_reads_back(bits: u128) {
        let text = String::from(RecordDigest(bits));
        prop_assert_eq!(text.len(), 32);
        prop_assert_eq!(RecordDigest::try_from(text), Ok(RecordDigest(bits)));
    }
}

/// Computed with `hashlib` of Python: `sha256(id + b"\0" + sha256(b"{}").digest()).digest()[:16]`.
#[test]
fn digest_of_one_record_is_the_beginning_of_its_published_sha256() {
    let digest = RecordDigest::of("S1:0001:receipt:v1/receipt/e1/r1", &Fingerprint::of(b"{}"));
    assert_eq!(String::from(digest), "46aa49f9f6adc31d763b78d36cac02d5");
}

#[test]
fn hour_is_rounded_down_before_1970_too() {
    let hour = |text: &str| hour_of(text.parse::<Timestamp>().unwrap());
    assert_eq!(hour("1970-01-01T00:59:59.999Z"), 0);
    assert_eq!(hour("1970-01-01T01:00:00Z"), 1);
    assert_eq!(hour("1969-12-31T23:59:59.999Z"), -1);
}
