//! The course of a run: every fault with its time, drawn from the seed before anything happens.

use std::ops::Range;
use std::time::Duration;

use tillroll_testkit::{Dice, Noticed};

use crate::plan::{Drill, Plan};

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Something happens to a shop or to the cloud.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// The shop's line is cut.
    Cut(usize, Noticed),
    /// The line is up again.
    Restore(usize),
    /// The shop's connection breaks; it may come back at once.
    Reconnect(usize, Noticed),
    /// Every message takes so much longer.
    Slow(usize, Duration),
    /// The register is killed.
    KillRegister(usize),
    /// It starts again on the same files.
    StartRegister(usize),
    /// The printer's paper ends.
    PaperOut(usize),
    /// Somebody puts paper in.
    PaperIn(usize),
    /// The dispatcher is killed.
    KillCloud,
    /// It starts again on the same files.
    StartCloud,
}

/// Offline so long at a time, and up nine times as long between: 10 % of the devices are away.
const AWAY: Range<Duration> = s(3)..s(240);
const UP: Range<Duration> = s(30)..s(2_150);
/// The first time is drawn so that the share is the same at any time of a run.
const FIRST_AWAY: Duration = s(1_300);
const AWAY_AT_FIRST: u32 = 100;
/// Reconnects of a thousand connections a minute.
const RECONNECTS: u32 = 50;
/// Shops of a thousand whose register is killed in a run.
const REGISTER_KILLS: u32 = 150;
const REGISTER_DOWN: Range<Duration> = s(1)..s(20);
/// Shops of a thousand whose printer runs out of paper in a run.
const PAPER_OUTS: u32 = 80;
const WITHOUT_PAPER: Range<Duration> = s(10)..s(60);
/// Shops of a thousand whose line is slow for a while.
const SLOW: u32 = 100;
const SLOW_FOR: Range<Duration> = s(10)..s(40);
const SLOW_BY: Range<Duration> = Duration::from_millis(300)..s(2);
/// Times the dispatcher is killed in a run, and how long it is away.
const CLOUD_KILLS: u64 = 2;
const CLOUD_DOWN: Range<Duration> = s(1)..s(8);
/// Half of all breaks are noticed late, when a ping goes unanswered.
const SILENT: u32 = 500;
const PING_UNANSWERED: Range<Duration> = s(0)..s(10);
/// The lines of the drill are down so long.
const DRILL: Duration = s(45);
const DRILLED: u32 = 300;

/// Every event of a plan in the order of its time; all faults are over at the end of its length.
pub fn of(plan: &Plan) -> Vec<(Duration, Event)> {
    let table = Dice::new(plan.seed).of(11);
    let mut course = Course { length: plan.length(), events: Vec::new() };
    for shop in 0..plan.shops {
        course.shop(shop, &mut table.of(1 + shop as u64));
    }
    course.cloud(&mut table.of(u64::MAX));
    if plan.drill == Drill::Cut {
        course.drill(plan.shops, &mut table.of(u64::MAX - 1));
    }
    course.events.sort_by_key(|(at, _)| *at);
    course.events
}

struct Course {
    length: Duration,
    events: Vec<(Duration, Event)>,
}

impl Course {
    fn shop(&mut self, shop: usize, dice: &mut Dice) {
        self.absences(shop, dice);
        self.reconnects(shop, dice);
        if dice.per_mille(REGISTER_KILLS) {
            let (kill, start) = (Event::KillRegister(shop), Event::StartRegister(shop));
            self.spell(dice, &REGISTER_DOWN, kill, start);
        }
        if dice.per_mille(PAPER_OUTS) {
            let (out, back) = (Event::PaperOut(shop), Event::PaperIn(shop));
            self.spell(dice, &WITHOUT_PAPER, out, back);
        }
        if dice.per_mille(SLOW) {
            let slow = Event::Slow(shop, dice.within(&SLOW_BY));
            self.spell(dice, &SLOW_FOR, slow, Event::Slow(shop, Duration::ZERO));
        }
    }

    /// Away and back, from the first second to the last.
    fn absences(&mut self, shop: usize, dice: &mut Dice) {
        let mut at = dice.within(&(Duration::ZERO..FIRST_AWAY));
        if dice.per_mille(AWAY_AT_FIRST) {
            at = Duration::ZERO;
        }
        while at < self.length {
            let back = at + dice.within(&AWAY);
            self.add(at, Event::Cut(shop, noticed(dice)));
            self.add(back, Event::Restore(shop));
            at = back + dice.within(&UP);
        }
    }

    fn reconnects(&mut self, shop: usize, dice: &mut Dice) {
        let mut minute = Duration::ZERO;
        while minute < self.length {
            let at = minute + dice.within(&(s(0)..s(60)));
            if dice.per_mille(RECONNECTS) && at < self.length {
                self.add(at, Event::Reconnect(shop, noticed(dice)));
            }
            minute += s(60);
        }
    }

    fn cloud(&mut self, dice: &mut Dice) {
        let share = self.length / u32::try_from(CLOUD_KILLS).unwrap_or(1);
        for nth in 0..CLOUD_KILLS {
            let from = share * u32::try_from(nth).unwrap_or_default();
            let at = from + dice.within(&(s(0)..share.saturating_sub(CLOUD_DOWN.end)));
            self.add(at, Event::KillCloud);
            self.add(at + dice.within(&CLOUD_DOWN), Event::StartCloud);
        }
    }

    fn drill(&mut self, shops: usize, dice: &mut Dice) {
        let at = self.length / 2;
        for shop in (0..shops).filter(|_| dice.per_mille(DRILLED)).collect::<Vec<_>>() {
            self.add(at, Event::Cut(shop, noticed(dice)));
            self.add(at + DRILL, Event::Restore(shop));
        }
    }

    /// Something that begins at some time and lasts a while.
    fn spell(&mut self, dice: &mut Dice, lasts: &Range<Duration>, begin: Event, end: Event) {
        let at = dice.within(&(s(1)..self.length));
        self.add(at, begin);
        self.add(at + dice.within(lasts), end);
    }

    fn add(&mut self, at: Duration, event: Event) {
        self.events.push((at.min(self.length), event));
    }
}

fn noticed(dice: &mut Dice) -> Noticed {
    if dice.per_mille(SILENT) {
        let mut later = || dice.within(&PING_UNANSWERED);
        Noticed { device: later(), cloud: later() }
    } else {
        Noticed::default()
    }
}

#[test]
fn a_tenth_of_the_devices_is_away_and_all_are_back_at_the_end() {
    let plan = Plan { shops: 400, length_s: 600, ..Plan::usual(3) };
    let (mut away, mut last) = (Duration::ZERO, vec![None; plan.shops]);
    for (at, event) in of(&plan) {
        match event {
            Event::Cut(shop, _) => last[shop] = Some(at),
            Event::Restore(shop) => away += at - last[shop].take().unwrap(),
            _ => {}
        }
    }
    assert!(last.iter().all(Option::is_none));
    let share = away.as_secs_f64() / (600.0 * 400.0);
    assert!((0.08..0.12).contains(&share), "{share}");
}
