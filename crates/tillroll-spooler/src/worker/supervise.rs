//! Keeps a printer's worker running until it is stopped: a panic is caught and recorded, the job at the
//! device is judged as after a crash, and the worker begins anew.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use tillroll_domain::print_job::JobCause;
use tokio::sync::mpsc;

use super::drawer::{AskedPulse, drop_asked};
use super::{Setup, Worker};

/// Runs a worker until it is stopped. One task, so that whoever aborts it and waits for its end knows
/// that the link is closed.
pub(crate) async fn supervise(setup: Setup, mut pulses: mpsc::Receiver<AskedPulse>) {
    let (mut cause, mut panics) = (JobCause::Interrupted, 0_u32);
    while !setup.stop.is_cancelled() {
        let worker = Worker::new(setup.clone());
        let Err(panic) = caught(worker.run(&mut pulses, cause.into())).await else { continue };
        let name = &setup.printer.settings.name;
        tracing::error!(printer.name = %name, panic = said(&*panic), "the worker of {name} failed and starts again");
        (cause, panics) = (JobCause::Panicked, panics.saturating_add(1));
        tokio::select! {
            () = setup.stop.cancelled() => {}
            () = tokio::time::sleep(setup.context.timings.retry.delay(panics, 0)) => {}
        }
    }
    drop_asked(&setup.context.store, &mut pulses).await;
}

/// Runs a future to its end or its panic.
async fn caught<F: Future>(future: F) -> Result<F::Output, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    std::future::poll_fn(move |context| {
        // After a panic the future is dropped and not polled again.
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    })
    .await
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
