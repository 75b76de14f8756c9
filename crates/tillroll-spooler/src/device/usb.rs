//! USB printers, spoken to directly: found anew at every open, the kernel's driver set aside.

mod interface;
mod pick;
mod session;

use std::io;

use nusb::MaybeFuture;
use nusb::descriptors::TransferType;
use nusb::transfer::Direction;

pub use pick::{Candidate, pick};
pub(super) use session::{UsbReader, UsbWriter};

use self::interface::{Alternate, PRINTER_CLASS};
use super::{Limits, OpenError, UsbSelector, driver_call};

/// Finds and opens the printer; no reader where it cannot reply.
pub(super) async fn open(
    selector: &UsbSelector,
    limits: &Limits,
) -> Result<(Option<UsbReader>, UsbWriter), OpenError> {
    let device = selector.to_string();
    driver_call::admit(&device, limits.stuck_calls)?;
    let (wanted, key) = (selector.clone(), device.clone());
    let opened =
        driver_call::call(&device, limits.connect, move || open_blocking(&key, &wanted)).await;
    opened.map_err(|error| OpenError::from_io(error, limits.connect))?
}

/// Every USB printer, and every device with an interface of its maker's own, which some receipt
/// printers use.
pub(super) fn candidates() -> Result<Vec<Candidate>, OpenError> {
    Ok(connected()?.into_iter().map(|(candidate, _)| candidate).collect())
}

fn connected() -> Result<Vec<(Candidate, nusb::DeviceInfo)>, OpenError> {
    let devices = nusb::list_devices().wait().map_err(open_error)?;
    Ok(devices.map(|device| (candidate(&device), device)).collect())
}

fn candidate(device: &nusb::DeviceInfo) -> Candidate {
    let text = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    let ports: Vec<String> = device.port_chain().iter().map(u8::to_string).collect();
    Candidate {
        vendor: device.vendor_id(),
        product: device.product_id(),
        serial: text(device.serial_number()),
        port: format!("{}-{}", device.bus_id().trim_start_matches('0'), ports.join(".")),
        maker: text(device.manufacturer_string()),
        model: text(device.product_string()),
        is_printer: device.interfaces().any(|interface| interface.class() == PRINTER_CLASS),
    }
}

fn open_blocking(
    key: &str,
    wanted: &UsbSelector,
) -> Result<(Option<UsbReader>, UsbWriter), OpenError> {
    let connected = connected()?;
    let chosen = pick(connected.iter().map(|(candidate, _)| candidate), wanted)?;
    let Some((_, info)) = connected.iter().find(|(candidate, _)| std::ptr::eq(candidate, chosen))
    else {
        return Err(OpenError::NotFound(io::Error::from(io::ErrorKind::NotFound).into()));
    };
    let device = info.open().wait().map_err(open_error)?;
    let configuration =
        device.active_configuration().map_err(|error| OpenError::Io(error.into()))?;
    let alternates: Vec<Alternate> = alternates(&configuration).collect();
    let Some(alternate) = interface::choose(&alternates) else {
        let cause = io::Error::new(io::ErrorKind::Unsupported, "no interface a job can be sent to");
        return Err(OpenError::Io(cause.into()));
    };
    session::start(key, &device, alternate).map_err(open_error)
}

fn alternates(
    configuration: &nusb::descriptors::ConfigurationDescriptor<'_>,
) -> impl Iterator<Item = Alternate> {
    configuration.interface_alt_settings().map(|setting| {
        let bulk = |direction| {
            setting
                .endpoints()
                .find(|endpoint| {
                    endpoint.transfer_type() == TransferType::Bulk
                        && endpoint.direction() == direction
                })
                .map(|endpoint| endpoint.address())
        };
        Alternate {
            interface: setting.interface_number(),
            setting: setting.alternate_setting(),
            class: setting.class(),
            subclass: setting.subclass(),
            protocol: setting.protocol(),
            bulk_out: bulk(Direction::Out),
            bulk_in: bulk(Direction::In),
        }
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the library's kinds may grow")]
fn open_error(error: nusb::Error) -> OpenError {
    match error.kind() {
        nusb::ErrorKind::Busy => OpenError::Busy(error.into()),
        nusb::ErrorKind::PermissionDenied => OpenError::Permission(error.into()),
        nusb::ErrorKind::Disconnected | nusb::ErrorKind::NotFound => {
            OpenError::NotFound(error.into())
        }
        _ => OpenError::Io(error.into()),
    }
}
