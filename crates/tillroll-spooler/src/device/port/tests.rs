use std::sync::mpsc as blocking;
use std::sync::{Condvar, Mutex};

use super::threads::READ_CHUNK;
use super::*;
use crate::device::driver_call::live_threads;

/// A driver in the hands of the test.
#[derive(Default)]
struct Driver {
    calls: Mutex<Calls>,
    changed: Condvar,
}

#[derive(Default)]
struct Calls {
    /// Writes hang inside the driver.
    held: bool,
    /// A discard lets held writes go, as a flush does on a line that flow control holds.
    flushable: bool,
    written: Vec<u8>,
    discards: usize,
}

/// A handle on the driver; `input` hands out what the printer says.
struct Handle {
    driver: Arc<Driver>,
    input: blocking::Receiver<Vec<u8>>,
}

impl Read for Handle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.input.recv_timeout(SLICE) {
            Ok(bytes) => {
                buffer.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from);
                Ok(bytes.len())
            }
            Err(blocking::RecvTimeoutError::Timeout) => Err(io::ErrorKind::TimedOut.into()),
            Err(blocking::RecvTimeoutError::Disconnected) => Ok(0),
        }
    }
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let calls = self.driver.calls.lock().expect("calls");
        let mut calls = self.driver.changed.wait_while(calls, |calls| calls.held).expect("calls");
        calls.written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Port for Handle {
    fn drain(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn discard(&mut self) {
        let mut calls = self.driver.calls.lock().expect("calls");
        calls.discards += 1;
        calls.held &= !calls.flushable;
        self.driver.changed.notify_all();
    }
}

struct Bench {
    device: &'static str,
    driver: Arc<Driver>,
    printer: blocking::Sender<Vec<u8>>,
    reader: Option<PortReader>,
    writer: PortWriter,
}

fn bench(device: &'static str) -> Bench {
    let driver = Arc::new(Driver::default());
    let (_, no_input) = blocking::channel();
    let (printer, input) = blocking::channel();
    let output = Handle { driver: driver.clone(), input: no_input };
    let input = Handle { driver: driver.clone(), input };
    let (reader, writer) = start(device, output, Some(input)).expect("threads");
    Bench { device, driver, printer, reader, writer }
}

impl Bench {
    fn hold(&self, held: bool, flushable: bool) {
        let mut calls = self.driver.calls.lock().expect("calls");
        (calls.held, calls.flushable) = (held, flushable);
        self.driver.changed.notify_all();
    }
}

async fn threads_end(device: &str) {
    let poll = async {
        while live_threads(device) > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), poll).await.expect("threads end within 5 s");
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

#[tokio::test]
async fn cancelled_write_goes_on_and_is_not_written_twice() {
    let mut bench = bench("test: cancelled write");
    bench.hold(true, false);
    let short = Duration::from_millis(5);
    for _ in 0..3 {
        tokio::time::timeout(short, bench.writer.write_some(b"receipt")).await.expect_err("held");
    }
    bench.hold(false, false);
    assert_eq!(bench.writer.write_some(b"receipt").await.expect("written"), 7);
    bench.writer.finish(soon()).await.expect("finished");
    assert_eq!(bench.driver.calls.lock().expect("calls").written, b"receipt");
    threads_end(bench.device).await;
}

#[tokio::test]
async fn finished_port_discards_nothing() {
    let mut bench = bench("test: finished port");
    bench.writer.write_some(b"receipt").await.expect("written");
    bench.writer.finish(soon()).await.expect("finished");
    threads_end(bench.device).await;
    assert_eq!(bench.driver.calls.lock().expect("calls").discards, 0);
}

#[tokio::test]
async fn dropped_port_discards_what_was_not_sent() {
    let mut bench = bench("test: dropped port");
    bench.writer.write_some(b"half a receipt").await.expect("written");
    drop((bench.reader, bench.writer));
    threads_end(bench.device).await;
    assert_ne!(bench.driver.calls.lock().expect("calls").discards, 0);
}

#[tokio::test]
async fn writer_that_hangs_in_the_driver_is_freed_by_a_discard() {
    let mut bench = bench("test: held line");
    bench.hold(true, true);
    let short = Duration::from_millis(5);
    tokio::time::timeout(short, bench.writer.write_some(b"receipt")).await.expect_err("held");
    let deadline = Instant::now() + Duration::from_millis(20);
    let finished = bench.writer.finish(deadline).await;
    assert_eq!(finished.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
    threads_end(bench.device).await;
}

#[tokio::test]
async fn writer_that_cannot_be_freed_is_abandoned_in_time_and_counted() {
    let mut bench = bench("test: stuck driver");
    bench.hold(true, false);
    let short = Duration::from_millis(5);
    tokio::time::timeout(short, bench.writer.write_some(b"receipt")).await.expect_err("held");
    let begun = Instant::now();
    let finished = bench.writer.finish(begun + Duration::from_millis(20)).await;
    assert_eq!(finished.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
    assert!(begun.elapsed() < Duration::from_secs(2), "took {:?}", begun.elapsed());
    assert!(driver_call::admit(bench.device, 1).is_err(), "the stuck thread counts");

    let calls = bench.driver.calls.lock().map(|mut calls| calls.held = false);
    calls.expect("calls");
    bench.driver.changed.notify_all();
    threads_end(bench.device).await;
}

#[tokio::test]
async fn replies_come_in_while_the_writer_waits() {
    let mut bench = bench("test: replies");
    bench.hold(true, true);
    bench.printer.send(b"paper out".to_vec()).expect("reading thread lives");
    let reader = bench.reader.as_mut().expect("a reader");
    let mut reply = [0; 5];
    let both = async {
        tokio::select! {
            biased;
            written = bench.writer.write_some(b"receipt") => panic!("held, yet {written:?}"),
            count = reader.read(&mut reply) => count,
        }
    };
    let count = tokio::time::timeout(Duration::from_secs(5), both).await.expect("a reply");
    assert_eq!(count.expect("a reply"), 5);
    assert_eq!(&reply, b"paper");
    assert_eq!(reader.read(&mut reply).await.expect("the rest"), 4);
    drop(bench.printer);
    assert_eq!(reader.read(&mut reply).await.expect("the end"), 0, "a device that is gone");
}

#[tokio::test]
async fn input_nobody_reads_stays_bounded_and_does_not_hold_the_port() {
    let mut bench = bench("test: flood");
    for _ in 0..10 * INPUT_CHUNKS {
        bench.printer.send(vec![0x12; READ_CHUNK]).expect("reading thread lives");
    }
    bench.writer.write_some(b"receipt").await.expect("written");
    bench.writer.finish(soon()).await.expect("finished");
    threads_end(bench.device).await;
}
