//! The devices of the spooler: one way to open a printer, one [`Link`] to talk through, and a time
//! limit on every call.
//!
//! Invariants: an open that fails has sent no byte of a job; a link is used by one worker; a device
//! is found anew at every open, never by an old handle or bus address; a driver call that hangs is
//! abandoned on a thread of its own, and a device with too many of those is opened no more.

mod discover;
mod driver_call;
mod error;
mod file;
mod ieee1284;
mod limits;
mod link;
mod lp;
mod polled_file;
mod port;
mod serial;
mod tcp;
mod uri;
mod usb;
mod virtual_printers;

pub use discover::{Discovered, discover};
pub use error::{Cause, OpenError, Unreachability};
pub use ieee1284::Ieee1284Id;
pub use limits::Limits;
pub use link::{Link, LinkReader, LinkWriter};
pub use uri::{DEFAULT_BAUD, DeviceUri, Flow, Parity, RAW_PORT, SerialLine, UriError, UsbSelector};
pub use usb::{Candidate, pick};
pub use virtual_printers::VirtualPrinters;

/// Opens the device at `uri`.
///
/// # Errors
/// Why it cannot be opened; nothing has been sent.
pub async fn open(
    uri: &DeviceUri,
    limits: &Limits,
    virtuals: &VirtualPrinters,
) -> Result<Link, OpenError> {
    match uri {
        DeviceUri::Tcp { host, port } => {
            Ok(Link::tcp(tcp::open(host, *port, limits).await?, limits))
        }
        DeviceUri::Serial(line) => Ok(Link::port(serial::open(line, limits).await?, limits)),
        DeviceUri::Usb(selector) => Ok(Link::usb(usb::open(selector, limits).await?, limits)),
        DeviceUri::Lp { path } => Ok(Link::port(lp::open(path, limits).await?, limits)),
        DeviceUri::File { path } => Ok(Link::port((None, file::open(path, limits).await?), limits)),
        DeviceUri::Virtual { name } => {
            Ok(Link::in_process(virtuals.connect(name, limits.connect).await?, limits))
        }
    }
}
