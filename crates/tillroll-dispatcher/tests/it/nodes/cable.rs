//! The way from one node to its database, which can be cut: what stands stays, and nothing passes.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tillroll_testkit::PostgresServer;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const SOCKET: &str = ".s.PGSQL.5432";

pub struct Cable {
    folder: TempDir,
    is_cut: watch::Sender<bool>,
    carrying: JoinHandle<()>,
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.carrying.abort();
    }
}

impl Cable {
    pub fn to(server: &PostgresServer) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let is_cut = watch::Sender::new(false);
        let carrying = tokio::spawn(carry(listener, socket_of(server), is_cut.subscribe()));
        Self { folder, is_cut, carrying }
    }

    /// The database's address over the cable.
    pub fn url(&self) -> String {
        let host = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{host}/postgres")
    }

    pub fn cut(&self) {
        self.is_cut.send_replace(true);
    }

    pub fn mend(&self) {
        self.is_cut.send_replace(false);
    }
}

fn socket_of(server: &PostgresServer) -> PathBuf {
    let address = server.address();
    let host = address.split_whitespace().find_map(|word| word.strip_prefix("host="));
    Path::new(host.unwrap()).join(SOCKET)
}

async fn carry(listener: UnixListener, to: PathBuf, is_cut: watch::Receiver<bool>) {
    while let Ok((near, _)) = listener.accept().await {
        let (to, is_cut) = (to.clone(), is_cut.clone());
        tokio::spawn(async move {
            let Ok(far) = UnixStream::connect(to).await else { return };
            let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
            tokio::join!(pass(near_in, far_out, is_cut.clone()), pass(far_in, near_out, is_cut));
        });
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut is_cut: watch::Receiver<bool>,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count) = from.read(&mut bytes).await {
        if count == 0 || is_cut.wait_for(|is_cut| !is_cut).await.is_err() {
            return;
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
