//! USB printers behind the kernel's printer driver, `/dev/usb/lp*`.
//!
//! The driver lets one program in and answers the next with EBUSY. On a printer without a reply
//! path (interface protocol 1) a read gives EINVAL; a failed transfer gives EIO and may be tried
//! again (Linux, drivers/usb/class/usblp.c).

use std::io::{self, Read, Write};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::polled_file::PolledFile;
use super::port::{self, Port, PortReader, PortWriter, SLICE};
use super::{Limits, OpenError, driver_call};

/// Failed reads in a row after which the printer counts as gone.
const READ_TRIES: u8 = 5;

/// Opens the printer and starts its threads; no reader where it cannot reply.
pub(super) async fn open(
    path: &str,
    limits: &Limits,
) -> Result<(Option<PortReader>, PortWriter), OpenError> {
    driver_call::admit(path, limits.stuck_calls)?;
    let (node, limit) = (path.to_owned(), limits.connect);
    let opened = driver_call::call(path, limit, move || open_handles(Path::new(&node))).await;
    let started = opened.flatten().and_then(|(output, input)| port::start(path, output, input));
    started.map_err(|error| OpenError::from_io(error, limit))
}

fn open_handles(path: &Path) -> io::Result<(LpHandle, Option<LpHandle>)> {
    let mut output = PolledFile::open(path, OFlags::RDWR)?;
    let stale = discard_input(&mut output);
    let input = match stale {
        Err(error) if error.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => None,
        _ => Some(LpHandle::new(output.try_clone()?)),
    };
    Ok((LpHandle::new(output), input))
}

/// Takes one buffer of replies to jobs of another opener out of the way.
///
/// # Errors
/// EINVAL when the printer cannot reply.
fn discard_input(file: &mut PolledFile) -> io::Result<usize> {
    file.read_now(&mut [0; 1024])
}

struct LpHandle {
    file: PolledFile,
    failed_reads: u8,
}

impl LpHandle {
    fn new(file: PolledFile) -> Self {
        Self { file, failed_reads: 0 }
    }
}

impl Read for LpHandle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.file.read(buffer) {
            // An empty packet, which some printers send without end.
            Ok(0) => {
                std::thread::sleep(SLICE);
                Err(io::ErrorKind::TimedOut.into())
            }
            Ok(count) => {
                self.failed_reads = 0;
                Ok(count)
            }
            Err(error) if is_transfer_failure(&error) && self.failed_reads < READ_TRIES => {
                self.failed_reads += 1;
                std::thread::sleep(SLICE);
                Err(io::ErrorKind::TimedOut.into())
            }
            Err(error) => Err(error),
        }
    }
}

fn is_transfer_failure(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::IO.raw_os_error())
}

impl Write for LpHandle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Port for LpHandle {
    fn drain(&mut self) -> io::Result<()> {
        self.file.drain()
    }

    fn discard(&mut self) {
        self.file.discard();
    }
}
