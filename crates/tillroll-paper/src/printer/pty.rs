//! The printer on a pseudo terminal, for hosts that print over a serial line.

use std::{
    ffi::OsString,
    io,
    os::{fd::OwnedFd, unix::ffi::OsStringExt},
    path::{Path, PathBuf},
    sync::Arc,
};

use rustix::{
    fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl, open},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{OptionalActions, tcgetattr, tcsetattr},
};
use tokio::{net::unix::pipe, task::JoinHandle};

use super::{
    handle::VirtualPrinter,
    link::{Fate, Link},
    state::Door,
};

/// A serial line to a virtual printer; dropping it unplugs the line.
#[derive(Debug)]
pub struct PtyLink {
    path: PathBuf,
    /// Held open so that the line outlives the hosts on it.
    _terminal: OwnedFd,
    task: JoinHandle<()>,
    printer: VirtualPrinter,
    link: u64,
}

impl PtyLink {
    /// The device file hosts open.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PtyLink {
    fn drop(&mut self) {
        self.task.abort();
        // Whoever writes its answers holds the line until there can be none any more.
        self.printer.shared().update(|state| state.forget(self.link));
    }
}

impl VirtualPrinter {
    /// Opens a pseudo terminal in raw mode with the printer behind it. A serial line knows no
    /// connections: hosts may come and go. Must be called in a runtime.
    ///
    /// # Errors
    /// Fails if the system has no pseudo terminal to give.
    pub fn serve_pty(&self) -> io::Result<PtyLink> {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&controller)?;
        unlockpt(&controller)?;
        let path =
            PathBuf::from(OsString::from_vec(ptsname(&controller, Vec::new())?.into_bytes()));
        let terminal = open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        make_raw(&terminal)?;
        fcntl_setfl(&controller, fcntl_getfl(&controller)? | OFlags::NONBLOCK)?;
        // Any descriptor that can be polled will do; these types ask for no more.
        let writer = pipe::Sender::from_owned_fd_unchecked(controller.try_clone()?)?;
        let reader = pipe::Receiver::from_owned_fd_unchecked(controller)?;
        let line = self.line()?;
        let link = line.number();
        let task = tokio::spawn(serve(self.clone(), line, reader, writer));
        Ok(PtyLink { path, _terminal: terminal, task, printer: self.clone(), link })
    }

    /// A link that passes the network door by.
    fn line(&self) -> io::Result<Link> {
        let refused = |_: Door| io::ErrorKind::ConnectionRefused.into();
        Link::open(self.shared(), false).map_err(refused)
    }
}

async fn serve(printer: VirtualPrinter, link: Link, reader: pipe::Receiver, writer: pipe::Sender) {
    let ended = link.serve(reader, writer).await;
    if ended.fate == Fate::Sever {
        Arc::clone(printer.shared()).hold_dead(Box::new(ended));
    }
}

fn make_raw(terminal: &OwnedFd) -> io::Result<()> {
    let mut attributes = tcgetattr(terminal)?;
    attributes.make_raw();
    tcsetattr(terminal, OptionalActions::Now, &attributes)?;
    Ok(())
}
