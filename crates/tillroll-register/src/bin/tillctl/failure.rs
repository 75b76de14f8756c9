//! Why a command did not do what it was asked, and the exit code that says so.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use tillroll_register::{BootError, HostError};

use crate::api::Refusal;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The register refused it.
    #[error(transparent)]
    Refused(Box<Refusal>),
    /// Of many jobs some were refused; each was named before.
    #[error("{refused} of {asked} refused")]
    SomeRefused {
        /// How many were refused.
        refused: usize,
        /// How many were asked for.
        asked: usize,
    },
    /// The action is limited; the answer was shown before.
    #[error("not now")]
    Limited,
    /// The register does not start.
    #[error(transparent)]
    Boot(#[from] BootError),
    /// An address cannot be listened at.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The operating system refused it.
    #[error("cannot {action} {what}: {source}")]
    System {
        /// What was tried.
        action: &'static str,
        /// On what.
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
    /// No register answers.
    #[error("{0}")]
    Unreachable(#[from] Unreachable),
    /// What answers speaks another language than this program.
    #[error("the register's answer cannot be read: {0}")]
    Answer(#[from] serde_json::Error),
    /// The demonstration did not come to its end.
    #[error("the demonstration stopped: {0}")]
    Demo(String),
    /// Standard output does not take it.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
}

/// Why no register answers, and how to get one.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// It is not running.
    #[error("no register runs on {folder}; start it with: tillctl serve --data {folder}", folder = .0.display())]
    NotRunning(PathBuf),
    /// It did not answer; what was sent may have been done.
    #[error(
        "the register at {address} did not answer: {cause}. What was asked may have been done; asking again with the same id is safe"
    )]
    NoAnswer {
        /// Where it listens.
        address: SocketAddr,
        /// What happened.
        cause: String,
    },
    /// Something else listens there.
    #[error("what answers at {0} is no register of this version")]
    Stranger(SocketAddr),
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        match error {
            HostError::Boot(error) => Self::Boot(error),
            HostError::Listen { address, source } => Self::Listen { address, source },
        }
    }
}

impl Failure {
    /// A failed call of the operating system on `what`.
    pub fn file(action: &'static str, what: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let what = what.as_ref().display().to_string();
        move |source| Self::System { action, what, source }
    }

    /// A step of the demonstration that failed.
    pub fn demo(cause: impl ToString) -> Self {
        Self::Demo(cause.to_string())
    }

    /// The process's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Refused(_)
            | Self::SomeRefused { .. }
            | Self::Limited
            | Self::Boot(_)
            | Self::Listen { .. }
            | Self::System { .. }
            | Self::Demo(_)
            | Self::Output(_) => 1,
            Self::Usage(_) => 2,
            Self::Unreachable(_) | Self::Answer(_) => 3,
        }
    }

    /// Whether whoever read the output has had enough of it.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
