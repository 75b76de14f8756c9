//! The address of a server, and what a network makes of it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

const PAGE: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 33\r\n\
                    connection: close\r\n\r\n<html>Welcome to the hotel</html>";

/// Where a connection leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads {
    /// To the server.
    Through(SocketAddr),
    /// To somebody who accepts and never reads.
    Deaf,
    /// To the sign-in page of a guest network, which is the answer to everything.
    Page,
}

type Shown = (Leads, Option<Arc<ServerConfig>>);

/// Listens until it is dropped; what it accepted before it was led elsewhere is cut.
#[derive(Debug)]
pub struct Door {
    address: SocketAddr,
    shown: watch::Sender<Shown>,
}

impl Door {
    /// Opens it on a free port of the loopback, without TLS.
    ///
    /// # Errors
    /// When no port can be opened.
    pub async fn open(leads: Leads) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (shown, mut seen) = watch::channel((leads, None));
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    Ok((caller, _)) = listener.accept() => {
                        tokio::spawn(answer(caller, seen.clone()));
                    }
                    changed = seen.changed() => if changed.is_err() { return },
                }
            }
        });
        Ok(Self { address, shown })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address in the clear.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on leads there, in the clear.
    pub fn lead(&self, leads: Leads) {
        self.shown.send_replace((leads, None));
    }

    /// From now on leads there, under TLS.
    pub fn lead_under(&self, leads: Leads, tls: &Arc<ServerConfig>) {
        self.shown.send_replace((leads, Some(Arc::clone(tls))));
    }
}

async fn answer(caller: TcpStream, mut seen: watch::Receiver<Shown>) {
    let (leads, tls) = seen.borrow_and_update().clone();
    let talk = async {
        match tls {
            Some(tls) => go(TlsAcceptor::from(tls).accept(caller).await?, leads).await,
            None => go(caller, leads).await,
        }
    };
    tokio::select! {
        // A caller that goes away is no fault of the door.
        _ = talk => {}
        _ = seen.changed() => {}
    }
}

async fn go(mut caller: impl AsyncRead + AsyncWrite + Unpin, leads: Leads) -> io::Result<()> {
    match leads {
        Leads::Through(server) => {
            let mut server = TcpStream::connect(server).await?;
            copy_bidirectional(&mut caller, &mut server).await.map(drop)
        }
        Leads::Deaf => std::future::pending().await,
        Leads::Page => {
            caller.read(&mut [0; 4096]).await.map(drop)?;
            caller.write_all(PAGE.as_bytes()).await?;
            caller.shutdown().await
        }
    }
}
