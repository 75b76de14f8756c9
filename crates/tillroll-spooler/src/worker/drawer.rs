//! The cash drawer at a printer: one pulse with the first attempt of a job that asks for it, or without a
//! sale; never late, never again.

use std::time::Duration;

use tillroll_domain::drawer::is_fresh;
use tillroll_escpos::command::{self, DrawerPin};
use tillroll_store::{DrawerState, DueJob};

use super::Worker;
use super::link::Standing;

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

    /// A pulse somebody with the right to it asked for at that reading of the boot clock; recorded before
    /// it was asked for. No retry.
    pub(super) async fn pulse_without_sale(&mut self, asked: Duration) {
        let since = self.setup.context.clock.boot().saturating_sub(asked);
        if !is_fresh(since) {
            tracing::warn!(printer.name = %self.name(), ?since, "the drawer was not opened: the printer came back too late");
            return;
        }
        if !matches!(self.stand().await, Standing::Ready) {
            tracing::warn!(printer.name = %self.name(), "the drawer was not opened: the printer cannot be used");
            return;
        }
        let pulse = self.pulse();
        if let Some(session) = self.session.as_mut()
            && let Err(error) = session.send(&pulse).await
        {
            self.lost_idle(&error);
        }
    }
}
