//! The handle by which programs and tests own a virtual printer.

use std::{sync::Arc, time::Duration};

use tokio::sync::watch;

use super::{
    behaviour::Behaviour,
    condition::{DeviceError, Paper},
    fault::Fault,
    journal::Received,
    link::changed,
    machine::Counters,
    shared::Shared,
    state::State,
};
use crate::{
    effect::Pulse,
    paper::{Roll, Ticket},
};

/// A virtual printer. Clones are the same printer.
#[derive(Debug, Clone)]
pub struct VirtualPrinter {
    shared: Arc<Shared>,
}

/// What was waited for did not happen in time.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[error("the printer did not get there within {0:?}")]
pub struct Timeout(pub Duration);

impl VirtualPrinter {
    /// A printer, switched on, with a new roll of paper.
    pub fn new(behaviour: Behaviour) -> Self {
        Self { shared: Shared::new(behaviour) }
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Sets the paper sensors. New paper lets what was held print.
    pub fn set_paper(&self, paper: Paper) {
        self.shared.update(|state| state.machine.change(|condition| condition.paper = paper));
    }

    /// Opens or closes the cover.
    pub fn set_cover(&self, open: bool) {
        self.shared.update(|state| state.machine.change(|condition| condition.cover_open = open));
    }

    /// Breaks or repairs the mechanism.
    pub fn set_error(&self, error: Option<DeviceError>) {
        self.shared.update(|state| state.machine.change(|condition| condition.error = error));
    }

    /// Takes the printer off line at its panel, or back.
    pub fn set_offline(&self, offline: bool) {
        let change = |state: &mut State| {
            state.machine.change(|condition| condition.switched_offline = offline);
        };
        self.shared.update(change);
    }

    /// Sets the level of drawer connector pin 3; what it means depends on the drawer.
    pub fn set_drawer_pin(&self, high: bool) {
        let change = |state: &mut State| {
            state.machine.change(|condition| condition.drawer_pin_high = high);
        };
        self.shared.update(change);
    }

    /// Switches off: buffers are lost, hosts notice nothing, nobody can connect.
    pub fn power_off(&self) {
        self.shared.update(State::power_off);
    }

    /// Switches on again. Faults that fired are over; armed ones stay armed.
    pub fn power_on(&self) {
        self.shared.update(|state| state.machine.power_on());
    }

    /// Arms a fault.
    pub fn fault(&self, fault: Fault) {
        self.shared.update(|state| state.arm(fault));
    }

    /// Disarms every fault and lets a printer that stopped reading read on. Conditions stay.
    pub fn clear_faults(&self) {
        self.shared.update(State::disarm_all);
    }

    /// What came out, in order, the ticket that still hangs in the printer last.
    pub fn tickets(&self) -> Vec<Ticket> {
        self.shared.lock().machine.roll().tickets().cloned().collect()
    }

    /// The tickets cut off after the one of that number, in order, as far as the roll remembers them.
    pub fn tickets_after(&self, number: u64) -> Vec<Ticket> {
        let state = self.shared.lock();
        let newer = |ticket: &&Ticket| ticket.complete() && ticket.number > number;
        state.machine.roll().tickets().filter(newer).cloned().collect()
    }

    /// The whole roll.
    pub fn roll(&self) -> Roll {
        self.shared.lock().machine.roll().clone()
    }

    /// Tickets cut off so far.
    pub fn cut_tickets(&self) -> u64 {
        self.shared.lock().machine.roll().cut_count()
    }

    /// Every byte received, oldest first; neighbouring bytes of a connection may be in several parts.
    pub fn received(&self) -> Vec<Received> {
        self.shared.lock().journal.parts()
    }

    /// Drawer pulses, oldest first; the last 10,000.
    pub fn pulses(&self) -> Vec<Pulse> {
        self.shared.lock().machine.pulses()
    }

    /// What the printer counted.
    pub fn counters(&self) -> Counters {
        self.shared.lock().machine.counters()
    }

    /// Whether everything received is printed and no command is half received.
    pub fn is_idle(&self) -> bool {
        self.shared.lock().machine.is_idle()
    }

    /// Changes whenever anything about the printer may have changed.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changes()
    }

    /// Waits until `n` tickets are cut off since the printer was made; all tickets then.
    ///
    /// # Errors
    /// [`Timeout`] if that takes longer than `limit`.
    pub async fn wait_for_tickets(&self, n: u64, limit: Duration) -> Result<Vec<Ticket>, Timeout> {
        self.wait_until(limit, |printer| printer.cut_tickets() >= n).await?;
        Ok(self.tickets())
    }

    /// Waits until `reached` is true; it is asked after each change.
    ///
    /// # Errors
    /// [`Timeout`] if that takes longer than `limit`.
    pub async fn wait_until(
        &self,
        limit: Duration,
        mut reached: impl FnMut(&Self) -> bool,
    ) -> Result<(), Timeout> {
        let mut changes = self.changes();
        let wait = async {
            changes.borrow_and_update();
            while !reached(self) {
                changed(&mut changes).await;
            }
        };
        tokio::time::timeout(limit, wait).await.map_err(|_| Timeout(limit))
    }
}
