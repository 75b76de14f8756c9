//! Where a printer is: the device URI, as an owner writes it and as it is stored.
//!
//! | device | example |
//! | --- | --- |
//! | network | `tcp://192.168.1.50:9100` (port 9100 when left out) |
//! | serial | `serial:///dev/ttyUSB0?baud=19200&flow=rtscts&parity=even` |
//! | USB | `usb://04b8:0e15?serial=AB12` or, for twins without serial numbers, `usb://04b8:0e15?port=1-1.4` |
//! | USB through the kernel's printer driver | `lp:///dev/usb/lp0` or plain `/dev/usb/lp0` |
//! | file or character device | `file:///var/spool/receipts.bin` |
//! | virtual printer | `virtual:front` |
//!
//! Invariant: printing a URI and parsing it again gives the same URI.

mod parse;
mod percent;
#[cfg(test)]
mod tests;

use std::fmt;

pub use parse::UriError;

/// The raw port of nearly every network receipt printer.
pub const RAW_PORT: u16 = 9100;

/// The line speed used when a serial URI names none.
pub const DEFAULT_BAUD: u32 = 9600;

/// Where a printer is and how to talk to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceUri {
    /// A raw TCP port.
    Tcp {
        /// Host name, IPv4 or IPv6 address, without brackets.
        host: String,
        /// Port, never 0.
        port: u16,
    },
    /// A serial port.
    Serial(SerialLine),
    /// A USB printer, spoken to directly.
    Usb(UsbSelector),
    /// A USB printer behind the kernel's printer driver.
    Lp {
        /// Absolute path, such as `/dev/usb/lp0`.
        path: String,
    },
    /// A file that is appended to, or a character device.
    File {
        /// Absolute path.
        path: String,
    },
    /// A virtual printer of this process.
    Virtual {
        /// Its name in [`VirtualPrinters`](super::VirtualPrinters).
        name: String,
    },
}

/// A serial port and its line settings. Data bits are always 8 and stop bits 1, as receipts with
/// double-byte text need.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SerialLine {
    /// Path or name of the port, such as `/dev/ttyUSB0`.
    pub path: String,
    /// Line speed in bits per second.
    pub baud: u32,
    /// How the printer says "wait".
    pub flow: Flow,
    /// The parity bit.
    pub parity: Parity,
}

/// Flow control of a serial line.
///
/// A printer that uses DTR/DSR needs a cable that carries its DTR to the host's CTS, and
/// [`RtsCts`](Flow::RtsCts) here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Flow {
    /// None: bytes past a full buffer are lost.
    #[default]
    None,
    /// By the RTS and CTS wires.
    RtsCts,
    /// By the bytes XON (11h) and XOFF (13h).
    XonXoff,
}

/// Parity of a serial line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Parity {
    /// No parity bit.
    #[default]
    None,
    /// Even parity.
    Even,
    /// Odd parity.
    Odd,
}

/// Which USB printer is meant. Never a bus address: that changes with every replug.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UsbSelector {
    /// Vendor id.
    pub vendor: u16,
    /// Product id.
    pub product: u16,
    /// Serial number, where the printer has one.
    pub serial: Option<String>,
    /// Socket it is plugged into, `bus-port[.port]`, for printers without a serial number.
    pub port: Option<String>,
}

impl fmt::Display for DeviceUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "tcp://[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "tcp://{host}:{port}"),
            Self::Serial(line) => line.fmt(f),
            Self::Usb(selector) => selector.fmt(f),
            Self::Lp { path } => write!(f, "lp://{}", percent::encode(path)),
            Self::File { path } => write!(f, "file://{}", percent::encode(path)),
            Self::Virtual { name } => write!(f, "virtual:{name}"),
        }
    }
}

impl fmt::Display for SerialLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "serial://{}?baud={}", percent::encode(&self.path), self.baud)?;
        match self.flow {
            Flow::None => {}
            Flow::RtsCts => f.write_str("&flow=rtscts")?,
            Flow::XonXoff => f.write_str("&flow=xonxoff")?,
        }
        match self.parity {
            Parity::None => Ok(()),
            Parity::Even => f.write_str("&parity=even"),
            Parity::Odd => f.write_str("&parity=odd"),
        }
    }
}

impl fmt::Display for UsbSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "usb://{:04x}:{:04x}", self.vendor, self.product)?;
        let options = [("serial", &self.serial), ("port", &self.port)];
        let given = options.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        for (position, (name, value)) in given.enumerate() {
            let separator = if position == 0 { '?' } else { '&' };
            write!(f, "{separator}{name}={}", percent::encode(value))?;
        }
        Ok(())
    }
}
