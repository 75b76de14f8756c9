//! Which of the connected devices a URI means. Pure: no device is touched.
//!
//! A device is known by vendor, product and serial number, or by the socket it is plugged into;
//! its bus address plays no part, since it changes with every replug. Two that fit are never
//! guessed between, two clones with the same serial number included.

use std::io;

use super::super::{DeviceUri, OpenError, UsbSelector};

/// A connected USB device that may be a printer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Vendor id.
    pub vendor: u16,
    /// Product id.
    pub product: u16,
    /// Serial number, where it has one.
    pub serial: Option<String>,
    /// The socket it is plugged into, `bus-port[.port]`.
    pub port: String,
    /// The maker's name, where the device tells it.
    pub maker: Option<String>,
    /// The product's name, where the device tells it.
    pub model: Option<String>,
    /// It has an interface of the printer class.
    pub is_printer: bool,
}

impl Candidate {
    /// The URI that means this device among `all`: by serial number where that is its own, by
    /// socket where it has a twin, else by ids alone.
    pub fn uri(&self, all: &[Self]) -> DeviceUri {
        let mut selector = UsbSelector {
            vendor: self.vendor,
            product: self.product,
            serial: self.serial.clone(),
            port: None,
        };
        if pick(all, &selector).is_err() {
            selector.serial = None;
            selector.port = Some(self.port.clone());
        }
        DeviceUri::Usb(selector)
    }

    fn fits(&self, wanted: &UsbSelector) -> bool {
        (self.vendor, self.product) == (wanted.vendor, wanted.product)
            && (wanted.serial.is_none() || self.serial == wanted.serial)
            && wanted.port.as_ref().is_none_or(|port| *port == self.port)
    }
}

/// Finds the one device that fits.
///
/// # Errors
/// `NotFound` when none fits, `Ambiguous` when more than one does.
pub fn pick<'a>(
    devices: impl IntoIterator<Item = &'a Candidate>,
    wanted: &UsbSelector,
) -> Result<&'a Candidate, OpenError> {
    let fitting: Vec<_> = devices.into_iter().filter(|device| device.fits(wanted)).collect();
    match fitting.as_slice() {
        [device] => Ok(device),
        [] => Err(OpenError::NotFound(io::Error::from(io::ErrorKind::NotFound).into())),
        several => Err(OpenError::Ambiguous { count: several.len() }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Unreachability;
    use super::*;

    fn printer(serial: Option<&str>, port: &str) -> Candidate {
        Candidate {
            vendor: 0x04b8,
            product: 0x0e15,
            serial: serial.map(str::to_owned),
            port: port.to_owned(),
            maker: None,
            model: None,
            is_printer: true,
        }
    }

    fn picked<'a>(devices: &'a [Candidate], uri: &str) -> Result<&'a str, Unreachability> {
        let Ok(DeviceUri::Usb(wanted)) = uri.parse() else { panic!("{uri} is not a USB URI") };
        match pick(devices, &wanted) {
            Ok(device) => Ok(&device.port),
            Err(error) => Err(error.reason()),
        }
    }

    #[test]
    fn replugged_printer_is_found_by_its_serial_number_wherever_it_comes_back() {
        let uri = "usb://04b8:0e15?serial=AB12";
        assert_eq!(picked(&[printer(Some("AB12"), "1-5")], uri), Ok("1-5"));
        assert_eq!(picked(&[], uri), Err(Unreachability::NotFound));
        assert_eq!(picked(&[printer(Some("AB12"), "2-1.4")], uri), Ok("2-1.4"));
    }

    #[test]
    fn single_printer_is_found_by_its_ids_alone() {
        let mut other = printer(None, "1-2");
        other.product = 0x0202;
        assert_eq!(picked(&[other, printer(None, "1-1")], "usb://04b8:0e15"), Ok("1-1"));
    }

    #[test]
    fn twins_without_serial_numbers_are_asked_about_and_told_apart_by_their_sockets() {
        let twins = [printer(None, "1-1"), printer(None, "1-2")];
        assert_eq!(picked(&twins, "usb://04b8:0e15"), Err(Unreachability::Ambiguous));
        assert_eq!(picked(&twins, "usb://04b8:0e15?port=1-2"), Ok("1-2"));
    }

    #[test]
    fn clones_that_share_a_serial_number_are_not_guessed_between() {
        let clones = [printer(Some("0001"), "1-1"), printer(Some("0001"), "1-2")];
        let uri = "usb://04b8:0e15?serial=0001";
        assert_eq!(picked(&clones, uri), Err(Unreachability::Ambiguous));
        assert_eq!(picked(&clones, "usb://04b8:0e15?serial=0001&port=1-1"), Ok("1-1"));
    }

    #[test]
    fn serial_number_chooses_and_another_one_is_not_taken_instead() {
        let two = [printer(Some("AB12"), "1-1"), printer(Some("CD34"), "1-2")];
        assert_eq!(picked(&two, "usb://04b8:0e15?serial=CD34"), Ok("1-2"));
        assert_eq!(picked(&two, "usb://04b8:0e15?serial=EF56"), Err(Unreachability::NotFound));
    }

    #[test]
    fn offered_uri_always_means_the_device_it_was_offered_for() {
        let all = [
            printer(Some("AB12"), "1-1"),
            printer(Some("0001"), "1-2"),
            printer(Some("0001"), "1-3"),
            printer(None, "1-4"),
        ];
        for device in &all {
            let uri = device.uri(&all).to_string();
            assert_eq!(picked(&all, &uri), Ok(device.port.as_str()), "{uri}");
        }
    }
}
