//! Looking for printers at this computer: serial ports, USB printers, and printers behind the
//! kernel's driver.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serialport::SerialPortType;

use super::{
    Candidate, DEFAULT_BAUD, DeviceUri, Flow, Ieee1284Id, Limits, OpenError, Parity, SerialLine,
    driver_call, usb,
};

/// Most devices that are listed.
const MAX_FOUND: usize = 64;

/// A device that may be a printer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// How to open it. A serial port is offered with the default line settings, which are a guess.
    pub uri: DeviceUri,
    /// What it calls itself, where it does.
    pub name: Option<String>,
}

/// Lists what is connected; a kind of device that cannot be listed here is left out. Nothing is
/// opened and nothing is sent.
///
/// # Errors
/// The search did not end within [`Limits::query`], or earlier ones still hang.
pub async fn discover(limits: &Limits) -> Result<Vec<Discovered>, OpenError> {
    const KEY: &str = "discovery";
    driver_call::admit(KEY, limits.stuck_calls)?;
    driver_call::call(KEY, limits.query, search)
        .await
        .map_err(|error| OpenError::from_io(error, limits.query))
}

fn search() -> Vec<Discovered> {
    let mut found = usb_printers();
    found.extend(kernel_printers(Path::new("/dev/usb"), Path::new("/sys/class/usbmisc")));
    found.extend(serial_ports());
    found.truncate(MAX_FOUND);
    found
}

fn usb_printers() -> Vec<Discovered> {
    let candidates = usb::candidates().unwrap_or_else(|error| {
        tracing::debug!(error = &error as &dyn std::error::Error, "USB devices cannot be listed");
        Vec::new()
    });
    let printers = candidates.iter().filter(|candidate| candidate.is_printer);
    printers
        .map(|printer| Discovered { uri: printer.uri(&candidates), name: full_name(printer) })
        .collect()
}

fn full_name(candidate: &Candidate) -> Option<String> {
    join_name(candidate.maker.as_deref(), candidate.model.as_deref())
}

fn join_name(maker: Option<&str>, model: Option<&str>) -> Option<String> {
    let words: Vec<&str> = [maker, model].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The nodes of the kernel's printer driver in `nodes`, named by what `classes` knows of them.
fn kernel_printers(nodes: &Path, classes: &Path) -> Vec<Discovered> {
    let Ok(entries) = fs::read_dir(nodes) else { return Vec::new() };
    let names: BTreeSet<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("lp"))
        .collect();
    let discovered = |name: &String| {
        let path = nodes.join(name).to_str()?.to_owned();
        let id = fs::read_to_string(classes.join(name).join("device/ieee1284_id"));
        let id = Ieee1284Id::parse(&id.unwrap_or_default());
        let name = join_name(id.maker.as_deref(), id.model.as_deref());
        Some(Discovered { uri: DeviceUri::Lp { path }, name })
    };
    names.iter().filter_map(discovered).collect()
}

fn serial_ports() -> Vec<Discovered> {
    let ports = serialport::available_ports().unwrap_or_else(|error| {
        tracing::debug!(error = &error as &dyn std::error::Error, "serial ports cannot be listed");
        Vec::new()
    });
    ports
        .into_iter()
        .map(|port| {
            let name = match port.port_type {
                SerialPortType::UsbPort(usb) => {
                    join_name(usb.manufacturer.as_deref(), usb.product.as_deref())
                }
                SerialPortType::PciPort
                | SerialPortType::BluetoothPort
                | SerialPortType::Unknown => None,
            };
            let line = SerialLine {
                path: port.port_name,
                baud: DEFAULT_BAUD,
                flow: Flow::None,
                parity: Parity::None,
            };
            Discovered { uri: DeviceUri::Serial(line), name }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_printers_are_listed_with_the_name_they_give_themselves() {
        let root = tempfile::tempdir().expect("temporary folder");
        let nodes = root.path().join("nodes");
        let classes = root.path().join("classes");
        fs::create_dir_all(classes.join("lp1/device")).expect("folder");
        fs::create_dir_all(&nodes).expect("folder");
        for node in ["lp1", "lp0", "hiddev0"] {
            fs::write(nodes.join(node), "").expect("node");
        }
        let id = "MFG:EPSON;MDL:TM-T20III;CLS:PRINTER;";
        fs::write(classes.join("lp1/device/ieee1284_id"), id).expect("id");

        let found = kernel_printers(&nodes, &classes);
        let names: Vec<_> = found.iter().map(|printer| printer.name.as_deref()).collect();
        assert_eq!(names, [None, Some("EPSON TM-T20III")]);
        let uris: Vec<_> = found.iter().map(|printer| printer.uri.to_string()).collect();
        assert!(uris.first().is_some_and(|uri| uri.ends_with("/nodes/lp0")), "{uris:?}");
    }

    #[test]
    fn missing_device_folder_is_an_empty_list() {
        assert_eq!(kernel_printers(Path::new("/nowhere"), Path::new("/nowhere")), []);
    }

    #[tokio::test]
    async fn search_ends_within_its_limit_on_a_machine_without_printers() {
        discover(&Limits::default()).await.expect("a list");
    }
}
