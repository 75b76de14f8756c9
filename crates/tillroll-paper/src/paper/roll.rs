//! A roll of paper: the tickets that came off it and the one still in the printer.

use std::collections::VecDeque;

use super::{Element, Ticket};
use crate::{
    device::Device,
    effect::{Effect, Oddity},
    interpreter::Interpreter,
};

/// What a roll remembers; the oldest tickets beyond it are forgotten.
#[derive(Debug, Clone, Copy)]
pub struct RollLimit {
    /// Cut tickets kept.
    pub tickets: usize,
    /// Memory of all kept tickets, in bytes.
    pub bytes: usize,
}

impl Default for RollLimit {
    fn default() -> Self {
        Self { tickets: 100_000, bytes: 128 << 20 }
    }
}

/// A roll of paper.
#[derive(Debug, Clone)]
pub struct Roll {
    cut_off: VecDeque<Ticket>,
    sizes: VecDeque<usize>,
    current: Ticket,
    current_size: usize,
    size: usize,
    limit: RollLimit,
}

impl Roll {
    /// An unprinted roll for the device.
    pub fn new(device: &Device, limit: RollLimit) -> Self {
        Self {
            cut_off: VecDeque::new(),
            sizes: VecDeque::new(),
            current: Ticket::new(1, device.dots, device.side_margin),
            current_size: 0,
            size: 0,
            limit,
        }
    }

    /// What the bytes look like on paper: a preview without a printer.
    pub fn preview(device: Device, bytes: &[u8]) -> Self {
        let mut roll = Self::new(&device, RollLimit::default());
        for effect in Interpreter::new(device).feed(bytes) {
            roll.apply(effect);
        }
        roll
    }

    /// Lets an effect happen to the paper; those that leave it alone are ignored.
    pub fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::Printed(element) => self.print(element),
            Effect::Cut(cut) => {
                self.current.cut = Some(cut);
                self.drop_ticket();
            }
            Effect::Oddity(oddity) => self.remember(oddity),
            Effect::Pulse(_)
            | Effect::Asked(_)
            | Effect::AutoStatus(_)
            | Effect::RealtimeAllowed { .. }
            | Effect::Realtime(_) => {}
        }
    }

    /// Every ticket in print order, with the uncut one last if anything is printed on it.
    pub fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        let hanging = (!self.current.is_blank()).then_some(&self.current);
        self.cut_off.iter().chain(hanging)
    }

    /// Tickets cut off since the roll was new, forgotten ones included.
    pub fn cut_count(&self) -> u64 {
        self.current.number - 1
    }

    /// The last thing printed on the uncut ticket.
    pub(crate) fn last_printed(&self) -> Option<&Element> {
        self.current.elements.last()
    }

    fn print(&mut self, element: Element) {
        self.current_size += element.size();
        // An endless ticket would grow without bound: what is already long is passed on uncut.
        if self.current_size > self.limit.bytes / 4 {
            self.drop_ticket();
            self.current_size = element.size();
        }
        self.current.push(element);
    }

    fn remember(&mut self, oddity: Oddity) {
        self.current.remember(oddity);
    }

    fn drop_ticket(&mut self) {
        let Ticket { number, width, side_margin, .. } = self.current;
        let next = Ticket::new(number + 1, width, side_margin);
        self.cut_off.push_back(std::mem::replace(&mut self.current, next));
        let size = std::mem::take(&mut self.current_size) + size_of::<Ticket>();
        self.sizes.push_back(size);
        self.size += size;
        while self.cut_off.len() > self.limit.tickets || self.size > self.limit.bytes {
            self.cut_off.pop_front();
            self.size -= self.sizes.pop_front().unwrap_or(self.size);
        }
    }
}

#[cfg(test)]
mod tests;
