//! Why a command did not do what it was asked, and the exit code that says so.

use std::io;

use tillroll_dispatcher::StartError;
use tillroll_dispatcher::admin::AskError;
use tillroll_dispatcher::bank_sim::BankError;
use tillroll_dispatcher::config::ConfigError;
use tillroll_dispatcher::folder::FolderError;
use tillroll_wire::Problem;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It was refused.
    #[error("{} ({})", .0.detail, .0.code)]
    Refused(Box<Problem>),
    /// The dispatcher does not start, or its folder cannot be used.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The simulated bank does not start.
    #[error(transparent)]
    Bank(#[from] BankError),
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The operating system refused it.
    #[error("cannot {action}: {source}")]
    System {
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Counters differ from their ledger.
    #[error("{0} figures differ from the ledger")]
    Differs(u64),
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
    /// A dispatcher runs and does not answer.
    #[error("{0}; what was asked may have been done")]
    Unreachable(AskError),
    /// What answers speaks another language than this program.
    #[error("the dispatcher's answer cannot be read: {0}")]
    Answer(#[from] serde_json::Error),
    /// Standard output does not take it.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Refused(Box::new(problem))
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        Self::Start(error.into())
    }
}

impl Failure {
    /// A failed call of the operating system.
    pub fn system(action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { action, source }
    }

    /// The process's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Refused(_)
            | Self::Start(_)
            | Self::Bank(_)
            | Self::Config(_)
            | Self::System { .. }
            | Self::Differs(_)
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
