//! What the device suites share.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use tillroll_spooler::device::Link;

/// The longest a test waits for anything.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits for `future`, but not for ever.
pub async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("an end within 10 s")
}

/// Writes all of `bytes`.
pub async fn send(link: &mut Link, bytes: &[u8]) -> io::Result<()> {
    let mut sent = 0;
    while sent < bytes.len() {
        sent += within(link.write_some(&bytes[sent..])).await?;
    }
    Ok(())
}

/// Reads until `length` bytes are in.
pub async fn receive(link: &mut Link, length: usize) -> Vec<u8> {
    let mut received = vec![0; length];
    let mut filled = 0;
    while filled < length {
        match within(link.read(&mut received[filled..])).await.expect("a reply") {
            0 => panic!("the device is gone after {filled} of {length} bytes"),
            count => filled += count,
        }
    }
    received
}

/// The printer's end of a pseudo terminal.
pub struct Pty {
    master: File,
}

impl Pty {
    /// Opens a raw pseudo terminal.
    pub fn open() -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo terminal");
        grantpt(&master).expect("granted");
        unlockpt(&master).expect("unlocked");
        let mut settings = tcgetattr(&master).expect("settings");
        settings.make_raw();
        tcsetattr(&master, OptionalActions::Now, &settings).expect("raw");
        Self { master: File::from(master) }
    }

    /// The path the register opens.
    pub fn path(&self) -> PathBuf {
        let name = ptsname(&self.master, Vec::new()).expect("a name");
        PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes()))
    }

    /// Reads exactly `length` bytes of the job.
    pub async fn receive(&self, length: usize) -> Vec<u8> {
        let mut master = self.master.try_clone().expect("a handle");
        let reading = tokio::task::spawn_blocking(move || {
            let mut received = vec![0; length];
            master.read_exact(&mut received).map(|()| received)
        });
        within(reading).await.expect("reading thread").expect("the job")
    }

    /// Sends a reply.
    pub fn reply(&self, bytes: &[u8]) {
        (&self.master).write_all(bytes).expect("sent");
    }
}
