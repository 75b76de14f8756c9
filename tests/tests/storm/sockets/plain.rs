//! What the cable does to one order and its answer over plain TCP, without any of the product: the measure beside
//! the storm's time to paper.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::namespace::Namespace;
use crate::report::Times;

/// Bytes of an order.
const ORDER: usize = 600;
/// Between two exchanges.
const APART: Duration = Duration::from_millis(50);

/// Answers each order with one byte, on the cloud's side of the cable.
pub struct Plain {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Plain {
    /// Listens.
    pub async fn listen(namespace: &Namespace) -> Result<Self> {
        let listener = TcpListener::bind((namespace.cloud(), 0)).await?;
        let address = listener.local_addr()?;
        let serving = tokio::spawn(async move {
            while let Ok((caller, _)) = listener.accept().await {
                tokio::spawn(answer(caller));
            }
        });
        Ok(Self { address, serving })
    }

    /// Where.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(mut caller: TcpStream) -> Result<()> {
    caller.set_nodelay(true)?;
    let mut order = [0; ORDER];
    loop {
        caller.read_exact(&mut order).await?;
        caller.write_all(&[1]).await?;
    }
}

/// Exchanges one after the other, until it is ended.
pub struct Asking {
    times: Arc<Mutex<Times>>,
    asking: JoinHandle<()>,
}

/// Begins to ask.
pub fn ask(address: SocketAddr) -> Asking {
    let times = Arc::new(Mutex::new(Times::default()));
    let here = Arc::clone(&times);
    let asking = tokio::spawn(async move {
        loop {
            // A connection that ends is made anew.
            let _ = exchange(address, &here).await;
            sleep(APART).await;
        }
    });
    Asking { times, asking }
}

impl Asking {
    /// What the exchanges took.
    pub fn end(self) -> Times {
        self.asking.abort();
        self.times.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn exchange(address: SocketAddr, times: &Mutex<Times>) -> Result<()> {
    let mut line = TcpStream::connect(address).await?;
    line.set_nodelay(true)?;
    loop {
        let began = Instant::now();
        line.write_all(&[0; ORDER]).await?;
        line.read_u8().await?;
        times.lock().unwrap_or_else(PoisonError::into_inner).push(began.elapsed());
        sleep(APART).await;
    }
}
