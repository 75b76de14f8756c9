//! The device without I/O: receive buffer, interpreter, print head, status.
//!
//! Bytes pass three stages, as in a real printer. On *reception* real-time commands act and the byte
//! goes to the receive buffer. The *interpreter* takes bytes from the buffer while the printer is on
//! line and hands effects to the *print head*, which puts them on paper one after the other, each in
//! its time. What is on paper is counted in the same step, so counters and paper never disagree.
//! Everything happens as soon as it may: between two calls the machine is idle, blocked or moving.

mod answers;
mod reception;

use std::{collections::VecDeque, time::Duration};

use super::{
    behaviour::Behaviour,
    condition::{Condition, Paper},
};
use crate::{
    device::FONT_A_HEIGHT,
    effect::{Effect, Pulse},
    interpreter::Interpreter,
    paper::{Element, Roll},
    realtime::Scanner,
};
pub(crate) use answers::Answer;

/// Motions shorter than this are added up before anyone waits for them.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);
/// `GS a` mask that reports every change.
const REPORT_ALL: u8 = 0xFF;

/// What the printer counts over its life; kept without power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Lines fed, printed or blank; images count in heights of a text line (`GS g 2` 148).
    pub lines: u64,
    /// Cuts (`GS g 2` 178).
    pub cuts: u64,
    /// Drawer pulses.
    pub pulses: u64,
    /// Bytes received.
    pub bytes: u64,
}

#[derive(Debug)]
pub(crate) struct Machine {
    behaviour: Behaviour,
    scanner: Scanner,
    buffer: VecDeque<u8>,
    interpreter: Interpreter,
    /// Interpreted and not done yet.
    queue: VecDeque<Effect>,
    roll: Roll,
    condition: Condition,
    counters: Counters,
    pulses: VecDeque<Pulse>,
    answers: Vec<Answer>,
    /// `GS a` mask.
    reports: u8,
    pulse_allowed: bool,
    power_off_allowed: bool,
    powered: bool,
    lines_to_paper_end: Option<u64>,
    /// Time of motions begun and not waited for.
    owed: Duration,
    moving: bool,
}

impl Machine {
    pub(crate) fn new(behaviour: Behaviour) -> Self {
        Self {
            scanner: Scanner::default(),
            buffer: VecDeque::new(),
            interpreter: Interpreter::new(behaviour.device.clone()),
            queue: VecDeque::new(),
            roll: Roll::new(&behaviour.device, behaviour.roll),
            condition: Condition::default(),
            counters: Counters::default(),
            pulses: VecDeque::new(),
            answers: Vec::new(),
            reports: if behaviour.reports_at_power_on { REPORT_ALL } else { 0 },
            pulse_allowed: true,
            power_off_allowed: true,
            powered: true,
            lines_to_paper_end: None,
            owed: Duration::ZERO,
            moving: false,
            behaviour,
        }
    }

    pub(crate) fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    pub(crate) fn roll(&self) -> &Roll {
        &self.roll
    }

    pub(crate) fn counters(&self) -> Counters {
        self.counters
    }

    pub(crate) fn pulses(&self) -> Vec<Pulse> {
        self.pulses.iter().copied().collect()
    }

    pub(crate) fn is_powered(&self) -> bool {
        self.powered
    }

    /// Bytes the receive buffer can take.
    pub(crate) fn room(&self) -> usize {
        self.behaviour.buffer_bytes.saturating_sub(self.buffer.len())
    }

    /// Whether nothing more will happen until something comes from outside.
    pub(crate) fn is_at_rest(&self) -> bool {
        !self.powered
            || self.condition.offline()
            || (self.buffer.is_empty() && self.queue.is_empty() && !self.moving)
    }

    /// Whether everything received is done and no command is half received.
    pub(crate) fn is_idle(&self) -> bool {
        self.buffer.is_empty()
            && self.queue.is_empty()
            && !self.moving
            && self.interpreter.is_idle()
    }

    /// Takes bytes, as many as there is room for.
    pub(crate) fn receive(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if !self.powered {
                return;
            }
            self.counters.bytes += 1;
            self.buffer.push_back(*byte);
            if let Some(command) = self.scanner.push(*byte) {
                self.execute_now(command);
            }
            self.run();
        }
    }

    /// Time the present motion takes, while there is one.
    pub(crate) fn motion_time(&self) -> Option<Duration> {
        self.moving.then_some(self.owed)
    }

    /// The time of the present motion is over.
    pub(crate) fn end_motion(&mut self) {
        self.moving = false;
        self.owed = Duration::ZERO;
        self.run();
    }

    /// Changes the condition; tells the host if it wants to know, and goes on if that was in the way.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Condition)) {
        let before = self.condition.clone();
        change(&mut self.condition);
        if self.powered && self.condition.change_shows(&before, self.reports) {
            self.report_status();
        }
        self.run();
    }

    /// The paper ends when that many more lines are printed; at once for 0.
    pub(crate) fn end_paper_after(&mut self, lines: u64) {
        self.lines_to_paper_end = Some(lines);
        self.count_down(0);
    }

    /// Buffers and modes are lost; counters and paper stay.
    pub(crate) fn power_off(&mut self) {
        self.powered = false;
        self.clear();
        self.scanner.reset();
        self.interpreter.power_cycle();
        self.answers.clear();
        self.moving = false;
        self.owed = Duration::ZERO;
    }

    pub(crate) fn power_on(&mut self) {
        if self.powered {
            return;
        }
        self.powered = true;
        self.reports = if self.behaviour.reports_at_power_on { REPORT_ALL } else { 0 };
        self.pulse_allowed = true;
        self.power_off_allowed = true;
    }

    pub(crate) fn take_answers(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }

    fn run(&mut self) {
        while self.powered && !self.condition.offline() {
            if self.may_interpret()
                && let Some(byte) = self.buffer.pop_front()
            {
                let effects = self.interpreter.feed(&[byte]);
                effects.into_iter().for_each(|effect| self.enqueue(effect));
            } else if !self.moving
                && let Some(effect) = self.queue.pop_front()
            {
                self.perform(effect);
                self.moving = self.owed >= SHORTEST_WAIT;
            } else {
                return;
            }
        }
    }

    fn may_interpret(&self) -> bool {
        let in_step = self.queue.is_empty() && !self.moving;
        in_step || self.queue.len() < self.behaviour.print_ahead
    }

    /// Lines up an effect; an image as the strips the print head lays down.
    fn enqueue(&mut self, effect: Effect) {
        if let Effect::Printed(Element::Image(image)) = effect {
            let strips = image.slices(FONT_A_HEIGHT);
            self.queue.extend(strips.map(|strip| Effect::Printed(Element::Image(strip))));
        } else if let Effect::Asked(question) = effect
            && self.answers_when_interpreted(question)
        {
            self.answer(question);
        } else {
            self.queue.push_back(effect);
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Printed(element) => self.print(element),
            Effect::Cut(_) => {
                self.counters.cuts += 1;
                self.owed += self.behaviour.cut_time;
                self.roll.apply(effect);
            }
            Effect::Pulse(pulse) => self.kick(pulse),
            Effect::Asked(question) => self.answer(question),
            Effect::AutoStatus(mask) => self.set_reports(mask),
            Effect::RealtimeAllowed { pulse, power_off } => {
                self.pulse_allowed = pulse.unwrap_or(self.pulse_allowed);
                self.power_off_allowed = power_off.unwrap_or(self.power_off_allowed);
            }
            // Executed on reception.
            Effect::Realtime(_) => {}
            Effect::Oddity(_) => self.roll.apply(effect),
        }
    }

    fn print(&mut self, element: Element) {
        let lines = u64::from(element.lines());
        self.counters.lines += lines;
        self.owed += self.behaviour.print_time(&element);
        self.roll.apply(Effect::Printed(element));
        self.count_down(lines);
    }

    fn count_down(&mut self, lines: u64) {
        let Some(left) = self.lines_to_paper_end else { return };
        let left = left.saturating_sub(lines);
        self.lines_to_paper_end = (left > 0).then_some(left);
        if left == 0 {
            self.change(|condition| condition.paper = Paper::End);
        }
    }
}

#[cfg(test)]
mod tests;
