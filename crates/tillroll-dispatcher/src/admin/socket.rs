//! Administration of a running dispatcher: a Unix socket in its data folder, one line of JSON each way.
//! The folder is its owner's alone, so whoever reaches the socket may administer.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tillroll_wire::{Code, Problem};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{Admin, Command};

/// The longest question, in bytes.
const QUESTION: u64 = 64 * 1024;
/// The longest answer, in bytes.
const ANSWER: u64 = 16 * 1024 * 1024;
/// Question and answer together.
const WITHIN: Duration = Duration::from_secs(15);
/// Questions at the same time.
const AT_ONCE: usize = 16;

/// Why a running dispatcher was not asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// None listens.
    #[error("no dispatcher listens at {0}")]
    NotRunning(PathBuf),
    /// No answer came, or one that cannot be read: what was asked may have been done.
    #[error("the dispatcher did not answer: {0}")]
    NoAnswer(#[source] io::Error),
    /// It was refused.
    #[error("{}", .0.detail)]
    Refused(Problem),
}

/// The socket while it is open; its file goes with it.
pub(crate) struct Door {
    listener: UnixListener,
    path: PathBuf,
}

impl Door {
    /// Opens the socket. The caller holds the folder's lock: a file that is there is left over.
    pub fn open(path: &Path) -> io::Result<Self> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        Ok(Self { listener: UnixListener::bind(path)?, path: path.to_owned() })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        // The next start removes one that is left over.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Answers until it is stopped.
pub(crate) async fn serve(door: Door, admin: Admin, stopping: CancellationToken) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let accepted = tokio::select! {
            () = stopping.cancelled() => return,
            accepted = door.listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let admin = admin.clone();
        tokio::spawn(async move {
            let _place = place;
            if let Ok(Err(error)) = timeout(WITHIN, answer(stream, &admin)).await {
                tracing::debug!(%error, "a question to administration broke off");
            }
        });
    }
}

async fn answer(stream: UnixStream, admin: &Admin) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    (&mut stream).take(QUESTION).read_line(&mut line).await?;
    let answer: Result<Value, Problem> = match serde_json::from_str::<Command>(&line) {
        Ok(command) => admin.run(command).await,
        Err(error) => Err(Problem::new(Code::InvalidBody, error.to_string())),
    };
    let mut line = serde_json::to_vec(&answer)?;
    line.push(b'\n');
    stream.write_all(&line).await?;
    stream.flush().await
}

/// Asks the running dispatcher of a data folder.
///
/// # Errors
/// [`AskError`].
pub async fn ask(socket: &Path, command: &Command) -> Result<Value, AskError> {
    let stream = match UnixStream::connect(socket).await {
        Ok(stream) => stream,
        Err(error) if is_nobody(&error) => return Err(AskError::NotRunning(socket.to_owned())),
        Err(error) => return Err(AskError::NoAnswer(error)),
    };
    let answered = timeout(WITHIN, exchange(stream, command)).await;
    let answered = answered.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    answered.map_err(AskError::NoAnswer)?.map_err(AskError::Refused)
}

fn is_nobody(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

async fn exchange(stream: UnixStream, command: &Command) -> io::Result<Result<Value, Problem>> {
    let mut stream = BufReader::new(stream);
    let mut question = serde_json::to_vec(command)?;
    question.push(b'\n');
    stream.write_all(&question).await?;
    stream.flush().await?;
    let mut line = String::new();
    stream.take(ANSWER).read_line(&mut line).await?;
    Ok(serde_json::from_str(&line)?)
}
