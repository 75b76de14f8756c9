//! Addresses at which nobody answers.

use std::net::SocketAddr;
use std::time::Duration;

use tillroll_paper::VirtualPrinter;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

/// An address of this machine that drops packets: its queue of connections is full.
pub struct Dropping {
    pub address: SocketAddr,
    listener: TcpListener,
    _queue: Vec<TcpStream>,
}

impl Dropping {
    /// Packets come through from now on, to that printer.
    pub fn lets_through_to(self, paper: &VirtualPrinter) {
        let (paper, listener) = (paper.clone(), self.listener);
        tokio::spawn(async move { paper.serve_tcp(listener, std::future::pending()).await });
    }
}

pub async fn dropping() -> Dropping {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(([127, 0, 0, 1], 0).into()).expect("bound");
    let listener = socket.listen(1).expect("listening");
    let address = listener.local_addr().expect("an address");
    let mut queue = Vec::new();
    while let Ok(connected) = timeout(Duration::from_millis(200), TcpStream::connect(address)).await
    {
        queue.push(connected.expect("connected"));
    }
    Dropping { address, listener, _queue: queue }
}
