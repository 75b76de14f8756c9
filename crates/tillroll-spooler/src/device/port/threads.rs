//! What runs on the two threads of a port.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::sync::mpsc;

use super::{Port, SLICE};

/// Most bytes taken from the driver in one read.
pub(super) const READ_CHUNK: usize = 512;

/// How often a writer that hangs in the driver is freed before it is left alone.
const FREEING_TRIES: u32 = 20;

/// What a read brought, on its way to the reading half.
pub(super) type Chunk = io::Result<Vec<u8>>;

/// What the two threads and their halves share.
#[derive(Default)]
pub(super) struct State {
    /// The writer's half is gone: both threads end.
    stop: AtomicBool,
    /// The writing thread is inside a call of the driver.
    busy: AtomicBool,
    /// Bytes were written after the last drain.
    unsent: AtomicBool,
}

impl State {
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// What the writing thread is to do.
pub(super) enum Order {
    Write(Vec<u8>),
    Drain,
}

/// Hands on what comes in until the writer stops or the device is gone.
pub(super) fn read_loop<P: Port>(mut port: P, chunks: mpsc::Sender<Chunk>, state: &State) {
    let mut buffer = [0; READ_CHUNK];
    while !state.stopped() {
        let chunk = match port.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => Ok(buffer.get(..count).unwrap_or_default().to_vec()),
            Err(error) if is_pause(&error) => continue,
            Err(error) => Err(error),
        };
        let failed = chunk.is_err();
        hand_over(&chunks, chunk, state);
        if failed {
            break;
        }
    }
    drop(chunks);
    free_writer(port, state);
}

/// Waits for the stop, then throws unsent bytes away until the writing thread has come back from
/// the driver: a full line that is held by flow control would keep it, and the port, for ever.
fn free_writer<P: Port>(mut port: P, state: &State) {
    while !state.stopped() {
        thread::sleep(SLICE);
    }
    for _ in 0..FREEING_TRIES {
        if !state.busy.load(Ordering::SeqCst) {
            break;
        }
        port.discard();
        thread::sleep(SLICE);
    }
}

/// Waits for room while someone may still read; input nobody wants is dropped.
fn hand_over(chunks: &mpsc::Sender<Chunk>, chunk: Chunk, state: &State) {
    let mut pending = chunk;
    while !state.stopped() {
        match chunks.try_send(pending) {
            Err(mpsc::error::TrySendError::Full(chunk)) => {
                pending = chunk;
                thread::sleep(SLICE);
            }
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => return,
        }
    }
}

/// Carries out orders until the writer's half is gone, then throws away what was not sent.
pub(super) fn write_loop<P: Port>(
    mut port: P,
    mut orders: mpsc::Receiver<Order>,
    answers: &mpsc::Sender<io::Result<usize>>,
    state: &State,
) {
    while let Some(order) = orders.blocking_recv() {
        state.busy.store(true, Ordering::SeqCst);
        let answer = match order {
            // Looked at only after `busy` is set: either this thread sees the stop, or whoever
            // frees it sees that it is busy.
            _ if state.stopped() => Err(io::ErrorKind::BrokenPipe.into()),
            Order::Write(bytes) => write_part(&mut port, &bytes, state),
            Order::Drain => drain(&mut port, state),
        };
        state.busy.store(false, Ordering::SeqCst);
        if answers.blocking_send(answer).is_err() {
            break;
        }
    }
    if state.unsent.load(Ordering::SeqCst) {
        port.discard();
    }
}

fn write_part<P: Port>(port: &mut P, bytes: &[u8], state: &State) -> io::Result<usize> {
    state.unsent.store(true, Ordering::SeqCst);
    loop {
        match port.write(bytes) {
            Err(error) if is_pause(&error) && !state.stopped() => {}
            result => return result,
        }
    }
}

fn drain<P: Port>(port: &mut P, state: &State) -> io::Result<usize> {
    loop {
        match port.drain() {
            Err(error) if is_pause(&error) && !state.stopped() => {}
            Err(error) => return Err(error),
            Ok(()) => {
                state.unsent.store(false, Ordering::SeqCst);
                return Ok(0);
            }
        }
    }
}

fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), TimedOut | Interrupted | WouldBlock)
}
