//! One connection: bytes from the host into the machine, answers back.

use std::{sync::Arc, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::{mpsc, watch},
    task::JoinHandle,
    time::{sleep, sleep_until, timeout},
};

use super::{
    shared::Shared,
    state::{Door, Due, Turn},
};

/// Bytes read at once.
const CHUNK: usize = 4096;
/// How long a connection that the host has half closed stays open for what is still printing.
const FINISH_LIMIT: Duration = Duration::from_secs(5);
/// How long an ending connection may take to send its last answers.
const FLUSH_LIMIT: Duration = Duration::from_secs(1);

/// How the printer ends a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The host ended it.
    Hangup,
    /// Closed in order.
    Close,
    /// Reset.
    Reset,
    /// Silently dead.
    Sever,
}

/// A connection that ended, its two halves still open.
pub(super) struct Ended<R, W> {
    pub(super) fate: Fate,
    pub(super) reader: R,
    pub(super) writer: JoinHandle<W>,
}

impl<R, W> Ended<R, W> {
    /// Both halves, once the last answers are sent; the writing half only if the host took them.
    pub(super) async fn halves(self) -> (R, Option<W>) {
        let mut writer = self.writer;
        let sent = timeout(FLUSH_LIMIT, &mut writer).await;
        writer.abort();
        (self.reader, sent.ok().and_then(Result::ok))
    }
}

/// A connection the printer has admitted.
pub(super) struct Link {
    shared: Arc<Shared>,
    number: u64,
    answers: mpsc::Receiver<Due>,
}

impl Link {
    /// Admits a connection; one over a network has to find the door open. Must be called in a
    /// runtime.
    pub(super) fn open(shared: &Arc<Shared>, network: bool) -> Result<Self, Door> {
        let (number, answers) = shared.open_link(network)?;
        Ok(Self { shared: Arc::clone(shared), number, answers })
    }

    /// What the printer knows it by.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Serves the connection until one side ends it.
    pub(super) async fn serve<R, W>(self, mut reader: R, writer: W) -> Ended<R, W>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let Self { shared, number, answers } = self;
        let writer = tokio::spawn(write_answers(writer, answers));
        let fate = take_bytes(&shared, number, &mut reader).await;
        if fate == Fate::Hangup {
            finish_printing(&shared).await;
        }
        shared.close_link(number);
        Ended { fate, reader, writer }
    }
}

async fn take_bytes<R: AsyncRead + Unpin>(shared: &Arc<Shared>, link: u64, reader: &mut R) -> Fate {
    let mut changes = shared.changes();
    let mut chunk = vec![0; CHUNK];
    loop {
        changes.borrow_and_update();
        let turn = shared.lock().turn(link);
        let most = match turn {
            Turn::Read(most) => most.min(CHUNK),
            Turn::Wait => {
                changed(&mut changes).await;
                continue;
            }
            Turn::End(fate) => return fate,
        };
        tokio::select! {
            biased;
            read = reader.read(&mut chunk[..most]) => match read {
                Ok(0) | Err(_) => return Fate::Hangup,
                Ok(count) => {
                    let pause = shared.update(|state| state.receive(link, &chunk[..count]));
                    if let Some(pause) = pause {
                        sleep(pause).await;
                    }
                }
            },
            () = changed(&mut changes) => {}
        }
    }
}

async fn write_answers<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut answers: mpsc::Receiver<Due>,
) -> W {
    while let Some(Due { bytes, at }) = answers.recv().await {
        sleep_until(at).await;
        if writer.write_all(&bytes).await.is_err() || writer.flush().await.is_err() {
            break;
        }
    }
    writer
}

/// A half-closed host still gets the answers to what it sent, unless printing has stopped.
async fn finish_printing(shared: &Arc<Shared>) {
    let mut changes = shared.changes();
    let at_rest = async {
        while !shared.lock().machine.is_at_rest() {
            changed(&mut changes).await;
        }
    };
    // What takes longer is printed without the connection.
    let _ = timeout(FINISH_LIMIT, at_rest).await;
}

/// The sender lives in the shared state, so that a change always comes.
pub(super) async fn changed(changes: &mut watch::Receiver<u64>) {
    if changes.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}
