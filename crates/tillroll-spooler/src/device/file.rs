//! Files, to which jobs are appended, and character devices. They cannot reply.

use std::path::Path;

use rustix::fs::OFlags;

use super::polled_file::PolledFile;
use super::port::{self, PortWriter};
use super::{Limits, OpenError, driver_call};

/// Opens the file, creating it where it is not there, and starts its thread.
pub(super) async fn open(path: &str, limits: &Limits) -> Result<PortWriter, OpenError> {
    driver_call::admit(path, limits.stuck_calls)?;
    let (name, limit) = (path.to_owned(), limits.connect);
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
    let opened = driver_call::call(path, limit, move || PolledFile::open(Path::new(&name), flags));
    let started = opened.await.flatten().and_then(|file| port::start(path, file, None));
    match started {
        Ok((_, writer)) => Ok(writer),
        Err(error) => Err(OpenError::from_io(error, limit)),
    }
}
