//! A future that ends what it began, also when whoever waits for it goes away.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tracing::{Instrument as _, Span};

/// Runs in the task that awaits it, which costs no hand-over; dropped before its end, it goes on in a task
/// of its own.
pub struct ToItsEnd<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    /// Absent after its end, and after a panic.
    running: Option<Pin<Box<F>>>,
}

impl<F> ToItsEnd<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    /// Begins when it is first awaited.
    pub fn new(future: F) -> Self {
        Self { running: Some(Box::pin(future)) }
    }
}

impl<F> Future for ToItsEnd<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Some(mut running) = self.running.take() else { return Poll::Pending };
        let polled = running.as_mut().poll(context);
        if polled.is_pending() {
            self.running = Some(running);
        }
        polled
    }
}

impl<F> Drop for ToItsEnd<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    fn drop(&mut self) {
        // Without a runtime there is nobody left to run it.
        if let (Some(running), Ok(runtime)) = (self.running.take(), Handle::try_current()) {
            runtime.spawn(running.instrument(Span::current()));
        }
    }
}

#[cfg(test)]
mod tests;
