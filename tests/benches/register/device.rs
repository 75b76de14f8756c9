//! The fastest printer there can be: answers every question at once, prints nothing, and notes when
//! a job's first byte came.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rustix::time::{ClockId, clock_gettime};

/// A step of the bounded waits.
const LOOK: Duration = Duration::from_micros(200);

/// A printer at a TCP address of its own.
pub struct Device {
    address: SocketAddr,
    seen: Arc<Seen>,
    first_bytes: Receiver<Instant>,
}

#[derive(Default)]
struct Seen {
    armed: AtomicBool,
    tokens: AtomicU64,
    cpu_ns: AtomicU64,
}

impl Device {
    /// Switches it on.
    pub fn switch_on() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let seen = Arc::new(Seen::default());
        let (note, first_bytes) = channel();
        let thread_seen = Arc::clone(&seen);
        thread::spawn(move || serve(&listener, &thread_seen, &note));
        Ok(Self { address, seen, first_bytes })
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Jobs printed: each asks for two tokens, one behind its last line, one behind its cut.
    pub fn printed(&self) -> u64 {
        self.seen.tokens.load(Relaxed) / 2
    }

    /// CPU time its thread used.
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.seen.cpu_ns.load(Relaxed))
    }

    /// Waits until so many jobs are printed.
    pub fn wait_printed(&self, jobs: u64, limit: Duration) -> Result<()> {
        let begun = Instant::now();
        while self.printed() < jobs {
            ensure!(begun.elapsed() < limit, "{} of {jobs} jobs printed", self.printed());
            thread::sleep(LOOK);
        }
        Ok(())
    }

    /// The next byte that comes is the first of a job.
    pub fn expect_job(&self) {
        while self.first_bytes.try_recv().is_ok() {}
        self.seen.armed.store(true, Relaxed);
    }

    /// When the expected byte came.
    pub fn first_byte(&self, limit: Duration) -> Result<Instant> {
        Ok(self.first_bytes.recv_timeout(limit)?)
    }
}

fn serve(listener: &TcpListener, seen: &Seen, note: &Sender<Instant>) {
    for stream in listener.incoming() {
        // A register that goes away ends its connection; the printer waits for the next.
        let _ended = stream.and_then(|stream| converse(stream, seen, note));
    }
}

fn converse(mut stream: TcpStream, seen: &Seen, note: &Sender<Instant>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut chunk, mut unread) = ([0; 16 * 1024], Vec::new());
    loop {
        let count = stream.read(&mut chunk)?;
        let now = Instant::now();
        if count == 0 {
            return Ok(());
        }
        if seen.armed.swap(false, Relaxed) {
            // Whoever expected it may be gone.
            let _ = note.send(now);
        }
        unread.extend_from_slice(&chunk[..count]);
        let answers = answers(&mut unread, seen);
        stream.write_all(&answers)?;
        let used = clock_gettime(ClockId::ThreadCPUTime);
        let used = Duration::try_from(used).unwrap_or_default();
        seen.cpu_ns.store(u64::try_from(used.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }
}

/// Takes every whole question out of what was received; what may be the beginning of one stays.
fn answers(unread: &mut Vec<u8>, seen: &Seen) -> Vec<u8> {
    let (mut answers, mut at) = (Vec::new(), 0);
    while at < unread.len() {
        match question(&unread[at..]) {
            Some(Question::Incomplete) => break,
            Some(Question::Whole(length, answer)) => {
                answers.extend(answer);
                seen.tokens.fetch_add(u64::from(length == TOKEN), Relaxed);
                at += length;
            }
            None => at += 1,
        }
    }
    unread.drain(..at);
    answers
}

enum Question {
    Incomplete,
    Whole(usize, Vec<u8>),
}

/// Length of GS ( H function 48 with its token.
const TOKEN: usize = 11;

/// The question that begins here, if one does (Epson DLE EOT, GS a, GS g 2, GS ( H function 48).
fn question(bytes: &[u8]) -> Option<Question> {
    let whole = |length, answer: &[u8]| Some(Question::Whole(length, answer.to_vec()));
    match *bytes {
        [0x10, 0x04, _, ..] => whole(3, &[0x12]),
        [0x1d, b'a', _, ..] => whole(3, &[0x10, 0, 0, 0]),
        [0x1d, b'g', b'2', _, _, _, ..] => whole(6, b"_1\0"),
        [0x1d, b'(', b'H', 6, 0, 0x30, 0x30, a, b, c, d, ..] => {
            whole(TOKEN, &[0x37, 0x22, a, b, c, d, 0])
        }
        [0x10] | [0x1d] | [0x10, 0x04] | [0x1d, b'a'] => Some(Question::Incomplete),
        [0x1d, b'g', ..] if bytes.len() < 6 => Some(Question::Incomplete),
        [0x1d, b'(', ..] if bytes.len() < TOKEN => Some(Question::Incomplete),
        _ => None,
    }
}
