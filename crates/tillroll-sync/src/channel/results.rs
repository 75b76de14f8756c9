//! Which results are told now: each until it is acknowledged, more slowly each time. A dispatcher that
//! does not know a job acknowledges nothing of it. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use tillroll_domain::ids::JobId;
use tillroll_wire::channel::JobResult;

/// The longest pause between two tellings of a result.
const PAUSE_MOST: Duration = Duration::from_secs(300);

/// Results that were told on this connection and not acknowledged.
#[derive(Debug, Default)]
pub(super) struct Told(BTreeMap<JobId, Telling>);

#[derive(Debug, Clone, Copy)]
struct Telling {
    row_version: i64,
    pause: Duration,
    again_at: Duration,
}

impl Told {
    /// The results to tell at a reading of the boot clock, of those that wait; noted as told.
    pub(super) fn due(
        &mut self,
        waiting: Vec<JobResult>,
        boot: Duration,
        first_pause: Duration,
    ) -> Vec<JobResult> {
        let mut kept = BTreeMap::new();
        let mut due = Vec::new();
        for result in waiting {
            let known =
                self.0.get(&result.id).filter(|told| told.row_version == result.row_version);
            let telling = match known {
                Some(told) if told.again_at > boot => *told,
                told => {
                    let pause = told.map_or(first_pause, |told| (told.pause * 2).min(PAUSE_MOST));
                    due.push(result.clone());
                    Telling { row_version: result.row_version, pause, again_at: boot + pause }
                }
            };
            kept.insert(result.id, telling);
        }
        self.0 = kept;
        due
    }
}

#[cfg(test)]
mod tests {
    use tillroll_domain::print_job::JobState;

    use super::*;

    fn result(order: &str, row_version: i64) -> JobResult {
        JobResult {
            id: format!("S1:{order}:kitchen:v1").parse().unwrap(),
            state: JobState::Printed,
            reason: None,
            confirmation: None,
            row_version,
            at: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn result_is_told_again_more_slowly_until_it_is_acknowledged() {
        let s = Duration::from_secs;
        let mut told = Told::default();
        let mut tellings = Vec::new();
        for second in 0..40 {
            if !told.due(vec![result("1", 3)], s(second), s(5)).is_empty() {
                tellings.push(second);
            }
        }
        assert_eq!(tellings, [0, 5, 15, 35]);
        assert!(told.due(Vec::new(), s(40), s(5)).is_empty(), "acknowledged");
        assert!(told.0.is_empty());
    }

    #[test]
    fn newer_result_is_told_at_once() {
        let s = Duration::from_secs;
        let mut told = Told::default();
        told.due(vec![result("1", 3)], s(0), s(5));
        assert_eq!(told.due(vec![result("1", 4)], s(1), s(5)), [result("1", 4)]);
        assert_eq!(told.due(vec![result("1", 4), result("2", 2)], s(2), s(5)), [result("2", 2)]);
    }
}
