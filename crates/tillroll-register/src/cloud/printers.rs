//! The register's printers as the head office sees them, and the way its jobs come in: a pushed job is an
//! ordinary receipt, recorded as one, so that an idle printer prints it in one commit.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tillroll_domain::ids::{JobKind, Part};
use tillroll_domain::printer::{PrinterState, StopReason};
use tillroll_spooler::PrinterStatus;
use tillroll_store::{Expiry, Hint, NewReceipt, Printer, Pushed, StoreError};
use tillroll_sync::{Announced, Printers, Untaken, receipt_of};
use tillroll_wire::Code;
use tillroll_wire::channel::{PrinterReport, Push};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::Register;
use crate::problem::{self, Problem};
use crate::register::WeakRegister;
use crate::submit::canonical;

/// The printers of a register that may have ended.
pub struct RegisterPrinters {
    register: WeakRegister,
    hints: tokio::sync::Mutex<Receiver<Hint>>,
    /// What was announced last, for while the database cannot be read.
    last: Mutex<Announced>,
}

impl RegisterPrinters {
    /// The printers of a register. It is not kept alive by them.
    #[must_use]
    pub fn of(register: &Register) -> Self {
        let hints = tokio::sync::Mutex::new(register.store().feed().listen());
        Self { register: register.downgrade(), hints, last: Mutex::default() }
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Announced> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Printers for RegisterPrinters {
    async fn announced(&self) -> Announced {
        let Some(register) = self.register.upgrade() else { return self.last().clone() };
        match register.announced().await {
            Ok(announced) => {
                self.last().clone_from(&announced);
                announced
            }
            Err(error) => {
                tracing::warn!(%error, "the printers could not be read for the head office");
                self.last().clone()
            }
        }
    }

    async fn changed(&self) {
        let mut hints = self.hints.lock().await;
        loop {
            match hints.recv().await {
                Ok(Hint::Printer { .. }) | Err(RecvError::Lagged(_)) => return,
                Ok(Hint::Job { .. } | Hint::Day | Hint::Rejected | Hint::Cloud) => {}
                // The register has ended; its workers end with it.
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }

    async fn take(&self, push: Push) -> Result<(), Untaken> {
        match self.register.upgrade() {
            Some(register) if !register.is_stopped() => register.take_pushed(push).await,
            Some(_) | None => Err(Untaken::NotNow("the register is stopping".to_owned())),
        }
    }
}

impl Register {
    async fn announced(&self) -> Result<Announced, StoreError> {
        let printers = self.store().printers().await?;
        let report = |printer: Printer| report(self.spooler().status(printer.id), printer);
        let routes = self.store().routes().await?;
        let named =
            |(kind, name): (JobKind, String)| name.parse::<Part>().ok().map(|name| (kind, name));
        let routes: BTreeMap<_, _> = routes.into_iter().filter_map(named).collect();
        Ok(Announced { printers: printers.into_iter().map(report).collect(), routes })
    }

    /// Records a job of the head office.
    async fn take_pushed(&self, push: Push) -> Result<(), Untaken> {
        let receipt = receipt_of(&push, &self.settings().store)?;
        let cloud = self.store().cloud().await.map_err(not_now)?;
        let cloud =
            cloud.ok_or_else(|| Untaken::NotNow("this register is not paired".to_owned()))?;
        self.check_paper(&receipt).map_err(|problem| untaken(&problem))?;
        let printer = match self.store().printer_named(push.printer.to_string()).await {
            Err(StoreError::NotFound { .. }) => {
                let detail = format!("printer: this register has none called {}", push.printer);
                return Err(Untaken::refused(Code::NoPrinter, detail));
            }
            found => found.map_err(not_now)?.id,
        };
        let text = canonical(&receipt).map_err(|problem| untaken(&problem))?;
        let new = self.new_receipt(&receipt, (push.id, text), printer, self.clock().now());
        let remaining = push.remaining_ms.map(Duration::from_millis);
        let expiry = remaining.map(|left| Expiry::after(left, new.recorded_at, new.recorded_boot));
        // Nobody at the head office stands before the drawer: no pulse is asked for.
        let new = NewReceipt {
            client: Some(cloud.client),
            held: push.held,
            pushed: Some(Pushed { expiry }),
            ..new
        };
        match self.spooler().record(new).await {
            Ok(_) => Ok(()),
            Err(error @ StoreError::Conflict { .. }) => {
                Err(Untaken::refused(Code::Conflict, error.to_string()))
            }
            Err(error) => Err(not_now(error)),
        }
    }
}

fn not_now(error: StoreError) -> Untaken {
    Untaken::NotNow(error.to_string())
}

/// A receipt this register cannot print as it is will not be printed later either.
fn untaken(problem: &Problem) -> Untaken {
    if problem.code == problem::Code::InvalidReceipt {
        return Untaken::refused(Code::InvalidReceipt, problem.detail.clone());
    }
    Untaken::NotNow(problem.detail.clone())
}

/// Whether a printer takes jobs. One that shows a cause in the middle of a job takes no more until that
/// has passed.
fn report(status: Option<PrinterStatus>, printer: Printer) -> PrinterReport {
    let shown = status.as_ref().map(|status| status.state);
    let cause = status.and_then(|status| status.mid_job_cause);
    let (ready, reason) = match shown {
        _ if printer.paused => (false, None),
        Some(PrinterState::Stopped(reason)) => (false, Some(reason)),
        Some(PrinterState::Paused) => (false, None),
        Some(PrinterState::Idle | PrinterState::Printing) => (cause.is_none(), cause),
        None => (false, Some(StopReason::DeviceError)),
    };
    PrinterReport { name: printer.settings.name, ready, reason }
}
