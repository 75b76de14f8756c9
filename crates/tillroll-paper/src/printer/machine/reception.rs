//! What real-time commands do the moment they are received.

use super::Machine;
use crate::effect::{Effect, Pulse, Realtime};

/// Drawer pulses remembered.
const MAX_PULSES: usize = 10_000;

impl Machine {
    pub(super) fn kick(&mut self, pulse: Pulse) {
        self.counters.pulses += 1;
        if self.pulses.len() == MAX_PULSES {
            self.pulses.pop_front();
        }
        self.pulses.push_back(pulse);
    }

    pub(super) fn execute_now(&mut self, command: Realtime) {
        match command {
            Realtime::Status(n) => self.answer_status(n),
            Realtime::Pulse(pulse) if self.pulse_allowed && !self.condition.offline() => {
                self.kick(pulse);
            }
            Realtime::Pulse(_) => {}
            Realtime::PowerOff if self.power_off_allowed => self.power_off(),
            Realtime::PowerOff => {}
            Realtime::Recover(how) => self.recover(how),
            Realtime::ClearBuffers if self.behaviour.clear_buffer => {
                self.clear();
                self.answer_cleared();
            }
            Realtime::ClearBuffers => {}
        }
    }

    /// `DLE ENQ`: 2 clears first, 1 prints on from the line that failed, which comes out again.
    fn recover(&mut self, how: u8) {
        if !self.condition.error.is_some_and(|error| error.ends_on_request()) {
            return;
        }
        if how == 2 {
            self.clear();
        } else if let Some(failed) = self.roll.last_printed() {
            self.queue.push_front(Effect::Printed(failed.clone()));
        }
        self.change(|condition| condition.error = None);
    }

    /// Erases the receive buffer, the line buffer, a command in progress and what waits to be printed.
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        self.queue.clear();
        self.interpreter.clear();
    }
}
