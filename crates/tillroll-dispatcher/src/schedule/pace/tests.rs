use super::*;
use crate::job::StoreNo;

const BOTH: Waiting = Waiting { live: true, recovered: true };
const LIVE: Waiting = Waiting { live: true, recovered: false };
const RECOVERED: Waiting = Waiting { live: false, recovered: true };

fn key(seq: i64) -> JobKey {
    JobKey { store: StoreNo(1), seq }
}

fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn sixth_push_without_an_answer_waits_for_one() {
    let (mut pace, settings) = (Pace::default(), ScheduleSettings::default());
    for seq in 0..5 {
        assert_eq!(pace.turn(LIVE, s(0), &settings), Turn::Live);
        pace.pushed(key(seq), s(0), None);
    }
    assert_eq!(pace.turn(BOTH, s(100), &settings), Turn::Nobody);
    pace.accepted(key(2));
    assert_eq!(pace.turn(LIVE, s(100), &settings), Turn::Live);
}

#[test]
fn recovered_jobs_wait_for_results_not_for_acceptance() {
    let settings = ScheduleSettings { recovery_every: s(0), ..ScheduleSettings::default() };
    let mut pace = Pace::default();
    for seq in 0..5 {
        assert_eq!(pace.turn(RECOVERED, s(0), &settings), Turn::Recovered);
        pace.pushed(key(seq), s(0), Some(&settings));
        pace.accepted(key(seq));
    }
    assert_eq!(pace.turn(RECOVERED, s(100), &settings), Turn::Nobody);
    assert_eq!(pace.turn(BOTH, s(100), &settings), Turn::Live, "a live job uses the free slot");
    pace.settled(key(0));
    assert_eq!(pace.turn(RECOVERED, s(100), &settings), Turn::Recovered);
}

#[test]
fn ceiling_holds_however_fast_the_printer_answers() {
    let (mut pace, settings) = (Pace::default(), ScheduleSettings::default());
    let (mut now, mut pushed) = (s(10), Vec::new());
    for seq in 0..200 {
        if let Turn::At(later) = pace.turn(RECOVERED, now, &settings) {
            now = later;
        }
        assert_eq!(pace.turn(RECOVERED, now, &settings), Turn::Recovered);
        pace.pushed(key(seq), now, Some(&settings));
        pace.settled(key(seq));
        pushed.push(now);
    }
    assert_eq!(now - s(10), s(78), "200 at 5 every 2 s: the last five leave after 78 s");
    assert!(pushed.windows(6).all(|six| six[5] - six[0] >= s(2)), "any six span two seconds");
}

#[test]
fn live_and_recovered_jobs_take_turns() {
    let settings = ScheduleSettings { recovery_every: s(0), ..ScheduleSettings::default() };
    let mut pace = Pace::default();
    let mut turns = Vec::new();
    for seq in 0..6 {
        let turn = pace.turn(BOTH, s(0), &settings);
        pace.pushed(key(seq), s(0), (turn == Turn::Recovered).then_some(&settings));
        pace.settled(key(seq));
        turns.push(turn);
    }
    assert_eq!(turns, [Turn::Recovered, Turn::Live].repeat(3));
}

#[test]
fn live_job_does_not_wait_for_the_ceiling() {
    let (mut pace, settings) = (Pace::default(), ScheduleSettings::default());
    for seq in 0..5 {
        pace.pushed(key(seq), s(0), Some(&settings));
        pace.settled(key(seq));
    }
    assert_eq!(pace.turn(BOTH, s(1), &settings), Turn::Live);
    assert_eq!(pace.turn(RECOVERED, s(1), &settings), Turn::At(s(2)));
}
