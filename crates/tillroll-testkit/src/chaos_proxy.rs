//! A TCP proxy between a client and a device that breaks the link on command.
//!
//! The faults of a connection are fixed when it is accepted, so a test knows what hits which: those
//! queued by [`ChaosProxy::next`] in order, then those of [`ChaosProxy::set`]. Bytes count as passed when
//! the other side's kernel took them; every passed byte is recorded.

mod record;
mod relay;

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

pub use self::record::Exchange;
use self::record::Records;

/// How many connections may wait to be accepted.
const BACKLOG: u32 = 16;

/// A direction through the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// From the client to the device.
    Up,
    /// From the device to the client.
    Down,
}

/// How a link ends for the client. The device always sees an orderly end behind the last byte, since
/// a reset could take bytes from it that had passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// With a reset.
    Reset,
    /// With an orderly close; what the client still sends is thrown away.
    Close,
    /// Not at all: both ends stay open and nothing passes any more.
    Stall,
}

/// Where a connection is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The direction that is counted.
    pub side: Side,
    /// How many bytes pass in it before.
    pub after: u64,
    /// How the link ends.
    pub how: Break,
}

/// What goes wrong on a connection; nothing by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// Cuts the link.
    pub cut: Option<Cut>,
    /// Holds back every read by that much, in both directions.
    pub delay: Duration,
    /// Lets no reply of the device through.
    pub drop_replies: bool,
}

impl Faults {
    /// A link cut after that many bytes.
    #[must_use]
    pub fn cut(side: Side, after: u64, how: Break) -> Self {
        Self { cut: Some(Cut { side, after, how }), ..Self::default() }
    }
}

/// The running proxy. It ends, and every link with it, when dropped.
#[derive(Debug)]
pub struct ChaosProxy {
    address: SocketAddr,
    plan: Arc<Mutex<Plan>>,
    records: Arc<Records>,
    refusing: watch::Sender<bool>,
    sever: watch::Sender<Option<Break>>,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Plan {
    next: VecDeque<Faults>,
    always: Faults,
}

impl ChaosProxy {
    /// Listens on a free port of the loopback and passes every connection on to `upstream`.
    ///
    /// # Errors
    /// When no port can be opened.
    pub async fn start(upstream: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (plan, records) = (Arc::default(), Arc::new(Records::default()));
        let (refusing, refused) = watch::channel(false);
        let (sever, severed) = watch::channel(None);
        let links =
            Links { upstream, plan: Arc::clone(&plan), records: Arc::clone(&records), severed };
        let task = tokio::spawn(links.serve(listener, address, refused));
        Ok(Self { address, plan, records, refusing, sever, task })
    }

    /// Where clients connect.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the faults of every connection to come that has none queued.
    pub fn set(&self, faults: Faults) {
        lock(&self.plan).always = faults;
    }

    /// Queues the faults of one connection to come.
    pub fn next(&self, faults: Faults) {
        lock(&self.plan).next.push_back(faults);
    }

    /// Refuses connections from now on, as a device that is off, or takes them again. The port stays
    /// reserved. Returns when the change is in force.
    pub async fn refuse(&self, refuse: bool) {
        self.refusing.send_replace(refuse);
        self.records.refusing.subscribe().wait_for(|now| *now == refuse).await.ok();
    }

    /// Breaks every open link now.
    pub fn sever(&self, how: Break) {
        self.sever.send_replace(Some(how));
    }

    /// Every connection so far, in the order they came.
    #[must_use]
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.records.exchanges()
    }

    /// How many connections were open at the same time at most.
    #[must_use]
    pub fn most_open(&self) -> usize {
        self.records.most_open()
    }

    /// Waits until the connections are as wanted; `false` when they are not within the limit.
    pub async fn until(&self, limit: Duration, wanted: impl Fn(&[Exchange]) -> bool) -> bool {
        tokio::time::timeout(limit, self.records.until(wanted)).await.is_ok()
    }
}

impl Drop for ChaosProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What the accepting task needs.
struct Links {
    upstream: SocketAddr,
    plan: Arc<Mutex<Plan>>,
    records: Arc<Records>,
    severed: watch::Receiver<Option<Break>>,
}

impl Links {
    /// Accepts until aborted; dropping the set of links aborts them.
    async fn serve(
        self,
        mut listener: TcpListener,
        address: SocketAddr,
        mut refused: watch::Receiver<bool>,
    ) {
        let mut links = JoinSet::new();
        loop {
            tokio::select! {
                accepted = listener.accept() => {
                    let Ok((client, _)) = accepted else { return };
                    links.spawn(self.relay(client));
                }
                changed = refused.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    if *refused.borrow_and_update() {
                        drop(listener);
                        let Ok(again) = self.refuse_while(address, &mut refused).await else { return };
                        listener = again;
                    }
                }
                Some(_) = links.join_next() => {}
            }
        }
    }

    fn relay(&self, client: tokio::net::TcpStream) -> impl Future<Output = ()> + Send + 'static {
        let faults = lock(&self.plan).take();
        let record = self.records.open();
        let mut severed = self.severed.clone();
        severed.mark_unchanged();
        relay::run(client, self.upstream, faults, record, severed)
    }

    /// A port that is bound and does not listen refuses, and nobody else can take it.
    async fn refuse_while(
        &self,
        address: SocketAddr,
        refused: &mut watch::Receiver<bool>,
    ) -> io::Result<TcpListener> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        self.records.refusing.send_replace(true);
        refused.wait_for(|refuse| !refuse).await.map_err(io::Error::other)?;
        let listener = socket.listen(BACKLOG)?;
        self.records.refusing.send_replace(false);
        Ok(listener)
    }
}

impl Plan {
    fn take(&mut self) -> Faults {
        self.next.pop_front().unwrap_or(self.always)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
