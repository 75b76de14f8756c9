//! What a batch of records adds to the hours of its register: pure, the same for every engine.

use std::collections::BTreeMap;

use tillroll_wire::record::Record;
use tillroll_wire::repair::{RecordDigest, hour_of};

/// Count and digest of what is added, by hour.
#[derive(Debug, Default)]
pub(crate) struct HourSets(pub(crate) BTreeMap<i64, (i64, RecordDigest)>);

impl HourSets {
    /// Adds an accepted record.
    pub(crate) fn add(&mut self, record: &Record) {
        let (records, digest) = self.0.entry(hour(record)).or_default();
        *records += 1;
        digest.toggle(RecordDigest::of(&record.request_id, &record.fingerprint));
    }
}

/// The hour a record counts in.
pub(crate) fn hour(record: &Record) -> i64 {
    hour_of(record.recorded_at)
}
