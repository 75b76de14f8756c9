//! A blocking port driven by two threads, one that reads and one that writes, so that replies come
//! in while the printer makes the writer wait.
//!
//! Invariants: at most one write is under way; input nobody reads is bounded by the channel, input
//! nobody wants is dropped; when the writer goes away without a drain, what was not sent yet is
//! thrown away, so that it can neither print later nor hold up the closing of the port.

#[cfg(test)]
mod tests;
mod threads;

use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use self::threads::{Chunk, Order, State, read_loop, write_loop};
use super::driver_call;

/// How long one call on a healthy port may block: the time a thread takes to notice the end.
pub(super) const SLICE: Duration = Duration::from_millis(50);

/// Most bytes given to the driver in one write.
const WRITE_CHUNK: usize = 1024;

/// Chunks of input that may wait for a reader.
const INPUT_CHUNKS: usize = 64;

/// Time for the threads to notice the end once sending has failed.
const CLOSING_GRACE: Duration = SLICE.saturating_mul(4);

/// A port whose healthy calls return within [`SLICE`], with `TimedOut` when nothing could be done.
/// `Ok(0)` from a read means that the device is gone.
pub(super) trait Port: Read + Write + Send + 'static {
    /// Waits until everything written has left the computer.
    fn drain(&mut self) -> io::Result<()>;

    /// Throws away what was written and has not left the computer.
    fn discard(&mut self);
}

/// The reading half.
pub(super) struct PortReader {
    chunks: mpsc::Receiver<Chunk>,
    chunk: Vec<u8>,
}

/// The writing half. Dropping it ends both threads.
pub(super) struct PortWriter {
    orders: mpsc::Sender<Order>,
    answers: mpsc::Receiver<io::Result<usize>>,
    /// An order was given and its answer has not been taken.
    awaiting: bool,
    state: Arc<State>,
    ended: mpsc::Receiver<Infallible>,
}

/// Starts the threads of a port. Without `input` the port is only written to.
pub(super) fn start<P: Port>(
    device: &str,
    output: P,
    input: Option<P>,
) -> io::Result<(Option<PortReader>, PortWriter)> {
    let state = Arc::new(State::default());
    let (alive, ended) = mpsc::channel(1);
    let reader = match input {
        Some(port) => Some(start_reading(device, port, state.clone(), alive.clone())?),
        None => None,
    };
    let (orders, taken) = mpsc::channel(1);
    let (answer, answers) = mpsc::channel(1);
    let writing = state.clone();
    // Made before the thread, so that a failed start stops the reading thread.
    let writer = PortWriter { orders, answers, awaiting: false, state, ended };
    driver_call::spawn(device, move || {
        write_loop(output, taken, &answer, &writing);
        drop(alive);
    })?;
    Ok((reader, writer))
}

fn start_reading<P: Port>(
    device: &str,
    port: P,
    state: Arc<State>,
    alive: mpsc::Sender<Infallible>,
) -> io::Result<PortReader> {
    let (chunk_sender, chunks) = mpsc::channel(INPUT_CHUNKS);
    driver_call::spawn(device, move || {
        read_loop(port, chunk_sender, &state);
        drop(alive);
    })?;
    Ok(PortReader { chunks, chunk: Vec::new() })
}

fn gone() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

impl PortReader {
    /// Reads what has come in; 0 when the device is gone. Safe to cancel.
    pub(super) async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.chunk.is_empty() {
            match self.chunks.recv().await {
                Some(chunk) => self.chunk = chunk?,
                None => return Ok(0),
            }
        }
        let count = self.chunk.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(self.chunk.drain(..count)) {
            *to = from;
        }
        Ok(count)
    }
}

impl PortWriter {
    /// Writes a part of `bytes` and returns how many the driver took. When cancelled, the write
    /// goes on; the next call, which must offer the same bytes, returns its result.
    pub(super) async fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.awaiting {
            let chunk = bytes.get(..WRITE_CHUNK).unwrap_or(bytes).to_vec();
            self.give(Order::Write(chunk))?;
        }
        Ok(self.answer().await?.min(bytes.len()))
    }

    /// Sends everything until `deadline`, then closes the port in any case.
    pub(super) async fn finish(mut self, deadline: Instant) -> io::Result<()> {
        let sent = timeout_at(deadline, self.send_all()).await;
        let closed = self.close(deadline.max(Instant::now()) + CLOSING_GRACE).await;
        sent??;
        closed
    }

    async fn send_all(&mut self) -> io::Result<()> {
        if self.awaiting {
            self.answer().await?;
        }
        self.give(Order::Drain)?;
        self.answer().await.map(drop)
    }

    /// Ends the threads and waits until the port is really closed.
    async fn close(mut self, deadline: Instant) -> io::Result<()> {
        let (_, never) = mpsc::channel(1);
        let mut ended = std::mem::replace(&mut self.ended, never);
        drop(self);
        match timeout_at(deadline, ended.recv()).await {
            Ok(_) => Ok(()),
            Err(elapsed) => Err(elapsed.into()),
        }
    }

    fn give(&mut self, order: Order) -> io::Result<()> {
        self.orders.try_send(order).map_err(|_| gone())?;
        self.awaiting = true;
        Ok(())
    }

    async fn answer(&mut self) -> io::Result<usize> {
        let answer = self.answers.recv().await.ok_or_else(gone)?;
        self.awaiting = false;
        answer
    }
}

impl Drop for PortWriter {
    fn drop(&mut self) {
        self.state.stop();
    }
}
