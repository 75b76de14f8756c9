//! A file or device node opened without blocking and waited for with poll: every call returns
//! within [`SLICE`].

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::{QueueSelector, isatty, tcdrain, tcflush};

use super::port::{Port, SLICE};

/// A file or device node.
pub(super) struct PolledFile {
    file: File,
}

impl PolledFile {
    /// Opens `path` with `access` and whatever else `flags` say; a new file is the user's alone.
    pub(super) fn open(path: &Path, flags: OFlags) -> io::Result<Self> {
        let always = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags | always, Mode::RUSR | Mode::WUSR)?;
        Ok(Self { file: File::from(fd) })
    }

    /// A second handle on the same open file.
    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { file: self.file.try_clone()? })
    }

    /// Reads without waiting.
    pub(super) fn read_now(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }

    /// Waits until the file is ready for `events` or has an error to report.
    fn wait(&self, events: PollFlags) -> io::Result<()> {
        let slice = Timespec { tv_sec: 0, tv_nsec: i64::from(SLICE.subsec_nanos()) };
        let mut files = [PollFd::new(&self.file, events)];
        match poll(&mut files, Some(&slice))? {
            0 => Err(io::ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }
}

impl Read for PolledFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait(PollFlags::IN)?;
        self.file.read(buffer)
    }
}

impl Write for PolledFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(PollFlags::OUT)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Port for PolledFile {
    fn drain(&mut self) -> io::Result<()> {
        if self.file.metadata()?.is_file() {
            return self.file.sync_all();
        }
        if isatty(&self.file) {
            return match tcdrain(&self.file) {
                Err(Errno::NOTTY) | Ok(()) => Ok(()),
                Err(error) => Err(error.into()),
            };
        }
        // The kernel's USB printer driver is ready again once the last transfer is done; closing
        // earlier would cancel it.
        self.wait(PollFlags::OUT)
    }

    fn discard(&mut self) {
        if isatty(&self.file) {
            // A device that is gone has nothing to discard.
            let _ = tcflush(&self.file, QueueSelector::OFlush);
        }
    }
}
