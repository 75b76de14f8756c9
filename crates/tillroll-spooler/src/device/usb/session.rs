//! Talking over the endpoints of a claimed interface.
//!
//! Invariants: at most one transfer is under way in each direction; one that was cancelled by the
//! caller goes on and its result is given to the next call; the interface is released on a thread
//! of its own, since the release can hang with the device.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use nusb::transfer::{Buffer, Bulk, In, Out, TransferError};
use nusb::{Device, Endpoint, Interface, MaybeFuture};
use tokio::time::{Instant, timeout_at};

use super::interface::Alternate;
use crate::device::driver_call;

/// Most bytes in one transfer to the printer: the step in which progress is seen.
const WRITE_CHUNK: usize = 1024;

/// Pause after an empty reply, which some printers send without end.
const EMPTY_REPLY_PAUSE: Duration = Duration::from_millis(50);

/// The claim on the interface; the last half to go releases it.
struct Claim {
    device: String,
    interface: Option<Interface>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        let interface = self.interface.take();
        // Without a thread the release happens here, as the only way left.
        let _ = driver_call::spawn(&self.device, move || drop(interface));
    }
}

/// The reading half. The endpoint stands before the claim, so that it goes first.
pub(in crate::device) struct UsbReader {
    endpoint: Endpoint<Bulk, In>,
    rest: Vec<u8>,
    _claim: Arc<Claim>,
}

/// The writing half.
pub(in crate::device) struct UsbWriter {
    endpoint: Endpoint<Bulk, Out>,
    _claim: Arc<Claim>,
}

/// Claims the interface, with the kernel's driver set aside until it is released.
pub(super) fn start(
    key: &str,
    device: &Device,
    alternate: &Alternate,
) -> Result<(Option<UsbReader>, UsbWriter), nusb::Error> {
    let interface = device.detach_and_claim_interface(alternate.interface).wait()?;
    if interface.get_alt_setting() != alternate.setting {
        interface.set_alt_setting(alternate.setting).wait()?;
    }
    let output = interface.endpoint(alternate.bulk_out.unwrap_or_default())?;
    let input =
        alternate.reply_endpoint().map(|address| interface.endpoint(address)).transpose()?;
    let claim = Arc::new(Claim { device: key.to_owned(), interface: Some(interface) });
    let reader =
        input.map(|endpoint| UsbReader { endpoint, rest: Vec::new(), _claim: claim.clone() });
    Ok((reader, UsbWriter { endpoint: output, _claim: claim }))
}

impl UsbReader {
    /// Reads a reply, waiting for the first byte. Safe to cancel.
    pub(in crate::device) async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            self.receive().await?;
        }
        let count = self.rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(self.rest.drain(..count)) {
            *to = from;
        }
        Ok(count)
    }

    async fn receive(&mut self) -> io::Result<()> {
        if self.endpoint.pending() == 0 {
            // One packet: a longer transfer would end only with a short packet.
            self.endpoint.submit(Buffer::new(self.endpoint.max_packet_size()));
        }
        let completion = self.endpoint.next_complete().await;
        self.rest = completion.buffer.into_vec();
        self.rest.truncate(completion.actual_len);
        match completion.status {
            Err(TransferError::Stall) => self.endpoint.clear_halt().await.map_err(io::Error::from),
            Err(error) => Err(error.into()),
            Ok(()) if self.rest.is_empty() => {
                tokio::time::sleep(EMPTY_REPLY_PAUSE).await;
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}

impl UsbWriter {
    /// Sends a part of `bytes` and returns how many the printer took. When cancelled, the transfer
    /// goes on; the next call, which must offer the same bytes, returns its result.
    pub(in crate::device) async fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.endpoint.pending() == 0 {
            let chunk = bytes.get(..WRITE_CHUNK).unwrap_or(bytes);
            self.endpoint.submit(chunk.to_vec().into());
        }
        let completion = self.endpoint.next_complete().await;
        let taken = completion.actual_len.min(bytes.len());
        match completion.status {
            // What was taken counts; the fault shows again in the next transfer.
            Err(_) if taken > 0 => Ok(taken),
            Err(error) => Err(error.into()),
            Ok(()) => Ok(taken),
        }
    }

    /// Waits for the transfer under way, until `deadline`; then the interface is released.
    pub(in crate::device) async fn finish(mut self, deadline: Instant) -> io::Result<()> {
        if self.endpoint.pending() == 0 {
            return Ok(());
        }
        timeout_at(deadline, self.endpoint.next_complete()).await?.status.map_err(io::Error::from)
    }
}
