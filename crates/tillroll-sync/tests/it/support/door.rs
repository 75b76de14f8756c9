//! The address of a head office, and what a network makes of it.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

const PAGE: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 32\r\n\
                    connection: close\r\n\r\n<html>Welcome to the hotel</html>";

/// Where a connection leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the head office.
    Through(SocketAddr),
    /// To somebody who accepts and never reads.
    Deaf,
    /// To the sign-in page of a guest network, which is the answer to everything.
    Page,
}

/// Listens until it is dropped; what it accepted before another way was set is cut.
pub struct Door {
    pub address: SocketAddr,
    way: watch::Sender<Way>,
}

impl Door {
    pub async fn open(way: Way) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (way, mut ways) = watch::channel(way);
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    Ok((caller, _)) = listener.accept() => {
                        tokio::spawn(lead(caller, ways.clone()));
                    }
                    changed = ways.changed() => if changed.is_err() { return },
                }
            }
        });
        Self { address, way }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn lead(&self, way: Way) {
        self.way.send_replace(way);
    }
}

async fn lead(caller: TcpStream, mut ways: watch::Receiver<Way>) {
    let way = *ways.borrow_and_update();
    tokio::select! {
        () = go(caller, way) => {}
        _ = ways.changed() => {}
    }
}

async fn go(mut caller: TcpStream, way: Way) {
    match way {
        Way::Through(office) => {
            if let Ok(mut office) = TcpStream::connect(office).await {
                let _ = copy_bidirectional(&mut caller, &mut office).await;
            }
        }
        Way::Deaf => std::future::pending().await,
        Way::Page => {
            let _ = caller.read(&mut [0; 4096]).await;
            let _ = caller.write_all(PAGE.as_bytes()).await;
            let _ = caller.shutdown().await;
        }
    }
}
