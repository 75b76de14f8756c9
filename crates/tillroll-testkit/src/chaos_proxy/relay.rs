//! One connection through the proxy: two pumps until one of them meets its fault.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::record::Record;
use super::{Break, Faults, Side};

const CHUNK: usize = 16 * 1024;

/// Relays until both sides are done, a fault hits, or the link is severed from outside.
pub(super) async fn run(
    mut client: TcpStream,
    upstream: SocketAddr,
    faults: Faults,
    record: Record,
    mut severed: watch::Receiver<Option<Break>>,
) {
    let Ok(mut device) = TcpStream::connect(upstream).await else {
        return end(client, None, Break::Reset, &mut severed).await;
    };
    // Chunks are passed on as they come: a cut must not wait for more bytes.
    let _ = (client.set_nodelay(true), device.set_nodelay(true));
    let how = {
        let (client_in, client_out) = client.split();
        let (device_in, device_out) = device.split();
        let up = Pump { side: Side::Up, faults, record: &record };
        let down = Pump { side: Side::Down, faults, record: &record };
        let both = async {
            tokio::try_join!(up.run(client_in, device_out), down.run(device_in, client_out))
        };
        tokio::select! {
            ended = both => ended.err(),
            how = break_from_outside(&mut severed) => Some(how),
        }
    };
    if let Some(how) = how {
        end(client, Some(device), how, &mut severed).await;
    }
}

async fn break_from_outside(severed: &mut watch::Receiver<Option<Break>>) -> Break {
    if severed.changed().await.is_err() {
        return Break::Reset;
    }
    severed.borrow_and_update().unwrap_or(Break::Reset)
}

/// Ends a link the given way. A stalled or closing link stays until it is severed from outside; a closing
/// one also ends with its client.
async fn end(
    mut client: TcpStream,
    device: Option<TcpStream>,
    mut how: Break,
    severed: &mut watch::Receiver<Option<Break>>,
) {
    while how == Break::Stall {
        how = break_from_outside(severed).await;
    }
    drop(device);
    if how == Break::Reset {
        let _ = client.set_zero_linger();
        return;
    }
    let _ = client.shutdown().await;
    tokio::select! {
        () = discard(&mut client) => {}
        _ = break_from_outside(severed) => {}
    }
}

async fn discard(client: &mut TcpStream) {
    let mut chunk = [0; CHUNK];
    while client.read(&mut chunk).await.is_ok_and(|read| read > 0) {}
}

/// One direction.
struct Pump<'a> {
    side: Side,
    faults: Faults,
    record: &'a Record,
}

impl Pump<'_> {
    /// Passes bytes on until the sender ends.
    ///
    /// # Errors
    /// How the link breaks: by the cut, or by a reset when either side did that.
    async fn run(
        mut self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
    ) -> Result<(), Break> {
        let mut chunk = [0; CHUNK];
        loop {
            self.break_when_due()?;
            let read = from.read(&mut chunk).await.map_err(reset)?;
            if read == 0 {
                return to.shutdown().await.map_err(reset);
            }
            if !self.faults.delay.is_zero() {
                tokio::time::sleep(self.faults.delay).await;
            }
            self.pass(&chunk[..read], &mut to).await?;
        }
    }

    async fn pass(
        &mut self,
        bytes: &[u8],
        to: &mut (impl AsyncWrite + Unpin),
    ) -> Result<(), Break> {
        if self.side == Side::Down && self.faults.drop_replies {
            return Ok(());
        }
        let passing = self.passing(bytes.len());
        to.write_all(&bytes[..passing]).await.map_err(reset)?;
        self.record.add(self.side, &bytes[..passing]);
        if let Some(cut) = self.faults.cut.as_mut().filter(|cut| cut.side == self.side) {
            cut.after -= passing as u64;
        }
        self.break_when_due()
    }

    /// How many of so many bytes pass before the cut.
    fn passing(&self, bytes: usize) -> usize {
        let cut = self.faults.cut.filter(|cut| cut.side == self.side);
        cut.map_or(bytes, |cut| usize::try_from(cut.after).unwrap_or(usize::MAX).min(bytes))
    }

    fn break_when_due(&self) -> Result<(), Break> {
        match self.faults.cut {
            Some(cut) if cut.side == self.side && cut.after == 0 => Err(cut.how),
            Some(_) | None => Ok(()),
        }
    }
}

fn reset(_: io::Error) -> Break {
    Break::Reset
}
