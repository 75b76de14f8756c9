//! Workers of printers, replaced one at a time.
//!
//! A worker takes new settings, a pause or its end between two jobs: the one at the device ends by its own
//! limits. Each replacement runs to its end on its own task, so that a caller that goes away leaves no
//! printer without its worker.

use std::future::Future;
use std::panic::resume_unwind;
use std::time::Duration;

use tillroll_spooler::Seat;
use tillroll_store::{Printer, StoreError};
use tokio::time::timeout;

use crate::Register;
use crate::problem::{Code, Problem};
use crate::view::ProbeView;

/// Whoever has a worker replaced waits so long for the job at its device.
const HAND_OVER: Duration = Duration::from_secs(2);

impl Register {
    /// Has what is stored of a printer take effect. Where its job takes longer, that happens after the
    /// caller was answered. `known` is used where the store cannot be read.
    ///
    /// # Errors
    /// When the printer's settings cannot be used.
    pub(crate) async fn renew_worker(&self, known: Printer) -> Result<(), Problem> {
        let register = self.clone();
        let renewing = on_its_own(async move {
            let seat = register.spooler().seat(known.id).await;
            seat.vacate().await;
            register.take_seat(&seat, known).await
        });
        timeout(HAND_OVER, renewing).await.unwrap_or(Ok(()))
    }

    /// Removes a printer that has no job at its device.
    pub(crate) async fn remove_at_rest(&self, printer: Printer) -> Result<(), Problem> {
        self.refuse_while_printing(&printer).await?;
        let register = self.clone();
        on_its_own(async move {
            let seat = register.spooler().seat(printer.id).await;
            register.vacate_soon(&seat, &printer).await?;
            let removed = register.store().remove_printer(printer.id, register.clock().now()).await;
            if removed.is_err() {
                register.take_seat(&seat, printer).await?;
            }
            Ok(removed?)
        })
        .await
    }

    /// Probes a printer that has no job at its device, while its worker rests.
    pub(crate) async fn probe_at_rest(&self, printer: Printer) -> Result<ProbeView, Problem> {
        self.refuse_while_printing(&printer).await?;
        let register = self.clone();
        on_its_own(async move {
            let seat = register.spooler().seat(printer.id).await;
            register.vacate_soon(&seat, &printer).await?;
            // The worker may have left a job whose proof it could not get.
            let probed = match register.refuse_while_printing(&printer).await {
                Ok(()) => register.probe_and_store(printer.settings.name.as_str()).await,
                Err(problem) => Err(problem),
            };
            register.take_seat(&seat, printer).await?;
            probed
        })
        .await
    }

    /// What cuts or feeds beside a job, or takes its printer away, would make its proof a false one.
    async fn refuse_while_printing(&self, printer: &Printer) -> Result<(), Problem> {
        match self.store().interrupted(printer.id).await? {
            Some(_) => Err(at_the_device()),
            None => Ok(()),
        }
    }

    /// Has the worker end. A job it claimed just before is not cut off: the worker is renewed after it.
    async fn vacate_soon(&self, seat: &Seat<'_>, printer: &Printer) -> Result<(), Problem> {
        if timeout(HAND_OVER, seat.vacate()).await.is_ok() {
            return Ok(());
        }
        let (register, printer) = (self.clone(), printer.clone());
        tokio::spawn(async move { register.renew_worker(printer).await });
        Err(at_the_device())
    }

    /// Starts the worker of a vacated seat with what is stored now; none for a printer that was removed,
    /// or while the register stops.
    async fn take_seat(&self, seat: &Seat<'_>, known: Printer) -> Result<(), Problem> {
        let id = known.id;
        let printer = match self.store().printer_of(id).await {
            Ok(printer) => printer,
            Err(StoreError::NotFound { .. }) => return Ok(()),
            Err(error) => {
                tracing::warn!(printer.name = %known.settings.name, %error, "a worker starts with the settings known before");
                known
            }
        };
        self.lay_out_virtual(&printer.settings);
        seat.start(printer)?;
        if self.is_stopped() {
            seat.vacate().await;
        }
        Ok(())
    }
}

fn at_the_device() -> Problem {
    Problem::new(Code::NotAllowed, "a job is at the printer: wait for its answer")
}

/// Runs to its end, whether the caller waits or goes away.
async fn on_its_own<T: Send + 'static>(
    work: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Err(_) => Err(Problem::new(Code::Stopping, "the register is stopping")),
    }
}
