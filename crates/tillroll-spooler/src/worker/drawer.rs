//! The cash drawer at a printer: one pulse with the first attempt of a job that asks for it, or without a
//! sale; never late, never again.

use std::time::Duration;

use tillroll_domain::drawer::is_fresh;
use tillroll_escpos::command::{self, DrawerPin};
use tillroll_store::{DrawerState, DueJob, OpeningId, OpeningOutcome, Store};
use tokio::sync::mpsc;

use super::Worker;
use super::link::Standing;

/// A pulse without a sale.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedPulse {
    /// Where it is recorded.
    pub opening: OpeningId,
    /// The boot clock when it was asked for.
    pub boot: Duration,
}

/// A worker that ends lets the pulses go that are still asked of it.
pub(super) async fn drop_asked(store: &Store, pulses: &mut mpsc::Receiver<AskedPulse>) {
    pulses.close();
    while let Some(asked) = pulses.recv().await {
        settle(store, asked, OpeningOutcome::Dropped).await;
    }
}

async fn settle(store: &Store, asked: AskedPulse, outcome: OpeningOutcome) {
    if let Err(error) = store.settle_drawer_opening(asked.opening, outcome).await {
        tracing::warn!(%error, "what became of a drawer opening could not be recorded");
    }
}

impl Worker {
    /// A pulse is given with the first attempt, soon after acceptance, in the same run of the machine.
    pub(super) fn drawer_of(&self, due: &DueJob) -> DrawerState {
        if due.job.drawer != DrawerState::Due {
            return DrawerState::None;
        }
        let accepted = u64::try_from(due.accepted_boot_ms).unwrap_or(0);
        let boot = self.setup.context.clock.boot();
        let since = boot.checked_sub(Duration::from_millis(accepted));
        let fresh = since.is_some_and(is_fresh) && !self.is_of_another_run(due);
        if fresh { DrawerState::Opened } else { DrawerState::Dropped }
    }

    /// Boot clocks of two runs of the machine compare by chance; the wall clock then says how old it is.
    fn is_of_another_run(&self, due: &DueJob) -> bool {
        let age = self.setup.context.clock.now().duration_since(due.job.accepted_at);
        Duration::try_from(age).is_ok_and(|age| !is_fresh(age))
    }

    pub(super) fn pulse(&self) -> [u8; 5] {
        let pin = match self.setup.printer.settings.drawer_pin {
            0 => DrawerPin::Two,
            _ => DrawerPin::Five,
        };
        command::pulse(pin, command::PULSE_ON_MS, command::PULSE_OFF_MS)
    }

    /// A pulse somebody with the right to it asked for; recorded before it was asked for. No retry.
    pub(super) async fn pulse_without_sale(&mut self, asked: AskedPulse) {
        let outcome = self.give(asked).await;
        if outcome != OpeningOutcome::Opened {
            tracing::warn!(printer.name = %self.name(), outcome = outcome.as_str(), "the drawer was not opened without a sale");
        }
        settle(&self.setup.context.store, asked, outcome).await;
    }

    async fn give(&mut self, asked: AskedPulse) -> OpeningOutcome {
        if !self.is_fresh(asked) || !matches!(self.stand().await, Standing::Ready) {
            return OpeningOutcome::Dropped;
        }
        let (fresh, pulse) = (self.is_fresh(asked), self.pulse());
        let Some(session) = self.session.as_mut().filter(|_| fresh) else {
            return OpeningOutcome::Dropped;
        };
        match session.send(&pulse).await {
            Ok(()) => OpeningOutcome::Opened,
            Err(error) => {
                self.lost_idle(&error);
                OpeningOutcome::Unconfirmed
            }
        }
    }

    fn is_fresh(&self, asked: AskedPulse) -> bool {
        is_fresh(self.setup.context.clock.boot().saturating_sub(asked.boot))
    }
}
