//! Why a device cannot be opened. No byte of a job has been sent when one of these is returned.

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use rustix::io::Errno;

/// The error underneath.
pub type Cause = Box<dyn Error + Send + Sync>;

/// A device that could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The host answered that nothing listens there, or the printer serves someone else.
    #[error("the printer refused the connection")]
    Refused(#[source] Cause),
    /// No way to the host.
    #[error("the printer's address cannot be reached")]
    Unreachable(#[source] Cause),
    /// The host name has no address.
    #[error("the host name {host:?} is not known")]
    UnknownHost {
        /// The name.
        host: String,
        /// The resolver's answer.
        source: Cause,
    },
    /// Another program has the device open.
    #[error("the device is in use by another program")]
    Busy(#[source] Cause),
    /// This user may not open the device.
    #[error("no permission to open the device")]
    Permission(#[source] Cause),
    /// The limit for opening ran out.
    #[error("the device did not open within {limit:?}")]
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// The device is not there.
    #[error("the device is not there")]
    NotFound(#[source] Cause),
    /// More than one device fits; choosing one would be a guess.
    #[error("{count} devices fit; name the serial number or the USB port of the one that is meant")]
    Ambiguous {
        /// How many fit.
        count: usize,
    },
    /// Earlier calls of this device's driver have still not returned.
    #[error("{calls} earlier calls of the device's driver have not returned")]
    Stuck {
        /// How many.
        calls: usize,
    },
    /// Any other failure of the operating system or the driver.
    #[error("the device cannot be opened")]
    Io(#[source] Cause),
}

/// The kind of an [`OpenError`], without its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unreachability {
    /// See [`OpenError::Refused`].
    Refused,
    /// See [`OpenError::Unreachable`].
    Unreachable,
    /// See [`OpenError::UnknownHost`].
    UnknownHost,
    /// See [`OpenError::Busy`].
    Busy,
    /// See [`OpenError::Permission`].
    Permission,
    /// See [`OpenError::TimedOut`].
    TimedOut,
    /// See [`OpenError::NotFound`].
    NotFound,
    /// See [`OpenError::Ambiguous`].
    Ambiguous,
    /// See [`OpenError::Stuck`].
    Stuck,
    /// See [`OpenError::Io`].
    Io,
}

impl Unreachability {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::UnknownHost => "unknown_host",
            Self::Busy => "busy",
            Self::Permission => "permission",
            Self::TimedOut => "timed_out",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::Stuck => "stuck",
            Self::Io => "io",
        }
    }
}

impl fmt::Display for Unreachability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl OpenError {
    /// The kind of failure.
    pub fn reason(&self) -> Unreachability {
        match self {
            Self::Refused(_) => Unreachability::Refused,
            Self::Unreachable(_) => Unreachability::Unreachable,
            Self::UnknownHost { .. } => Unreachability::UnknownHost,
            Self::Busy(_) => Unreachability::Busy,
            Self::Permission(_) => Unreachability::Permission,
            Self::TimedOut { .. } => Unreachability::TimedOut,
            Self::NotFound(_) => Unreachability::NotFound,
            Self::Ambiguous { .. } => Unreachability::Ambiguous,
            Self::Stuck { .. } => Unreachability::Stuck,
            Self::Io(_) => Unreachability::Io,
        }
    }

    /// Sorts an error of the operating system; `limit` was the time allowed for the call.
    pub(super) fn from_io(error: io::Error, limit: Duration) -> Self {
        // The standard library has no kind for a device node whose device is gone.
        let gone = [Errno::NODEV, Errno::NXIO].map(Errno::raw_os_error).map(Some);
        if gone.contains(&error.raw_os_error()) {
            return Self::NotFound(error.into());
        }
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the kinds of std grow with every release"
        )]
        match error.kind() {
            io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset => {
                Self::Refused(error.into())
            }
            io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::NetworkDown
            | io::ErrorKind::AddrNotAvailable => Self::Unreachable(error.into()),
            io::ErrorKind::ResourceBusy => Self::Busy(error.into()),
            io::ErrorKind::PermissionDenied => Self::Permission(error.into()),
            io::ErrorKind::TimedOut => Self::TimedOut { limit },
            io::ErrorKind::NotFound => Self::NotFound(error.into()),
            _ => Self::Io(error.into()),
        }
    }
}
