//! Reading a device URI. Every refusal names the part that is wrong and what belongs there.

use std::str::FromStr;

use super::{DEFAULT_BAUD, DeviceUri, Flow, Parity, RAW_PORT, SerialLine, UsbSelector, percent};

/// Longest URI that is looked at, in bytes.
const MAX_LENGTH: usize = 1024;

/// Why a text is not a device URI.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UriError {
    /// The text is longer than any real URI.
    #[error("is longer than {MAX_LENGTH} bytes")]
    TooLong,
    /// The kind of device is not known.
    #[error(
        "begins with {0:?}, which is no kind of printer: it must begin with tcp://, serial://, usb://, lp://, file:// or virtual:"
    )]
    Scheme(String),
    /// A part that must be there is not.
    #[error("has no {part}: expected {expected}")]
    Missing {
        /// The part.
        part: &'static str,
        /// What belongs there.
        expected: &'static str,
    },
    /// A part has a value that cannot be used.
    #[error("has the {part} {value:?}, which cannot be: expected {expected}")]
    Invalid {
        /// The part.
        part: &'static str,
        /// What was written.
        value: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// An option this kind of device does not have.
    #[error("has the option {0:?}, which this kind of device does not know")]
    UnknownOption(String),
    /// An option that is given twice.
    #[error("has the option {0:?} twice")]
    RepeatedOption(String),
}

impl FromStr for DeviceUri {
    type Err = UriError;

    fn from_str(text: &str) -> Result<Self, UriError> {
        if text.len() > MAX_LENGTH {
            return Err(UriError::TooLong);
        }
        if text.starts_with("/dev/usb/lp") {
            return Ok(Self::Lp { path: text.to_owned() });
        }
        if let Some(name) = text.strip_prefix("virtual:") {
            return parse_virtual(name);
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(UriError::Scheme(beginning(text).to_owned()));
        };
        match scheme {
            "tcp" => parse_tcp(rest),
            "serial" => parse_serial(rest),
            "usb" => parse_usb(rest),
            "lp" => Ok(Self::Lp { path: absolute_path(rest)? }),
            "file" => Ok(Self::File { path: absolute_path(rest)? }),
            other => Err(UriError::Scheme(format!("{other}://"))),
        }
    }
}

/// What stands where the kind of device belongs: `tcp:` of `tcp:/10.0.0.5`.
fn beginning(text: &str) -> &str {
    text.find(':').map_or(text, |colon| &text[..=colon])
}

fn parse_virtual(name: &str) -> Result<DeviceUri, UriError> {
    const EXPECTED: &str = "1 to 80 of A-Z a-z 0-9 . _ ~ -";
    if name.is_empty() {
        return Err(UriError::Missing { part: "name", expected: EXPECTED });
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte);
    if name.len() > 80 || !name.bytes().all(allowed) {
        return Err(invalid("name", name, EXPECTED));
    }
    Ok(DeviceUri::Virtual { name: name.to_owned() })
}

fn parse_tcp(rest: &str) -> Result<DeviceUri, UriError> {
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    let (host, port) = split_authority(authority)?;
    let port = match port {
        None => RAW_PORT,
        Some(text) => match text.parse() {
            Ok(port) if port != 0 => port,
            _ => return Err(invalid("port", text, "1 to 65535")),
        },
    };
    Ok(DeviceUri::Tcp { host: host.to_owned(), port })
}

/// Splits `host`, `host:port`, `[v6]` and `[v6]:port`.
fn split_authority(authority: &str) -> Result<(&str, Option<&str>), UriError> {
    const EXPECTED: &str = "a host name or an address (IPv6 in brackets)";
    let (host, port) = match authority.strip_prefix('[') {
        Some(bracketed) => {
            let (host, after) =
                bracketed.split_once(']').ok_or_else(|| invalid("host", authority, EXPECTED))?;
            if !host.contains(':') {
                return Err(invalid("host", authority, EXPECTED));
            }
            match after.strip_prefix(':') {
                None if !after.is_empty() => return Err(invalid("host", authority, EXPECTED)),
                port => (host, port),
            }
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    if host.is_empty() {
        return Err(UriError::Missing { part: "host", expected: EXPECTED });
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-:%".contains(&byte);
    if !host.bytes().all(allowed) {
        return Err(invalid("host", host, EXPECTED));
    }
    Ok((host, port))
}

fn parse_serial(rest: &str) -> Result<DeviceUri, UriError> {
    let (path, options) = split_options(rest, &["baud", "flow", "parity"])?;
    let baud = match options.get("baud") {
        None => DEFAULT_BAUD,
        Some(text) => match text.parse() {
            Ok(baud @ 300..=4_000_000) => baud,
            _ => return Err(invalid("baud", text, "300 to 4000000")),
        },
    };
    let flow = match options.get("flow") {
        None | Some("none") => Flow::None,
        Some("rtscts") => Flow::RtsCts,
        Some("xonxoff") => Flow::XonXoff,
        Some(other) => return Err(invalid("flow", other, "none, rtscts or xonxoff")),
    };
    let parity = match options.get("parity") {
        None | Some("none") => Parity::None,
        Some("even") => Parity::Even,
        Some("odd") => Parity::Odd,
        Some(other) => return Err(invalid("parity", other, "none, even or odd")),
    };
    Ok(DeviceUri::Serial(SerialLine { path: device_path(path)?, baud, flow, parity }))
}

fn parse_usb(rest: &str) -> Result<DeviceUri, UriError> {
    const EXPECTED: &str = "vendor:product, four hexadecimal digits each";
    let (ids, options) = split_options(rest, &["serial", "port"])?;
    if ids.is_empty() {
        return Err(UriError::Missing { part: "vendor:product", expected: EXPECTED });
    }
    let id = |text: &str| {
        let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits.then(|| u16::from_str_radix(text, 16).ok()).flatten()
    };
    let parsed =
        ids.split_once(':').and_then(|(vendor, product)| Some((id(vendor)?, id(product)?)));
    let (vendor, product) = parsed.ok_or_else(|| invalid("vendor:product", ids, EXPECTED))?;
    let serial = options.decoded("serial", "a serial number")?;
    let port = options.decoded("port", "bus-port, such as 1-1.4")?;
    Ok(DeviceUri::Usb(UsbSelector { vendor, product, serial, port }))
}

fn absolute_path(text: &str) -> Result<String, UriError> {
    const EXPECTED: &str = "an absolute path, such as /dev/usb/lp0";
    if let Some((_, options)) = text.split_once('?') {
        return Err(UriError::UnknownOption(options.to_owned()));
    }
    let path = device_path(text)?;
    if !path.starts_with('/') {
        return Err(invalid("path", text, EXPECTED));
    }
    Ok(path)
}

fn device_path(text: &str) -> Result<String, UriError> {
    const EXPECTED: &str = "the path of the device, such as /dev/ttyUSB0";
    match percent::decode(text) {
        Some(path) if path.is_empty() => {
            Err(UriError::Missing { part: "path", expected: EXPECTED })
        }
        Some(path) if !path.contains('\0') => Ok(path),
        _ => Err(invalid("path", text, EXPECTED)),
    }
}

/// The options after `?`, still encoded. Only known names, each once.
struct Options<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Options<'a> {
    fn get(&self, wanted: &str) -> Option<&'a str> {
        self.0.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value)
    }

    fn decoded(
        &self,
        part: &'static str,
        expected: &'static str,
    ) -> Result<Option<String>, UriError> {
        let Some(text) = self.get(part) else { return Ok(None) };
        match percent::decode(text) {
            Some(value) if !value.is_empty() => Ok(Some(value)),
            _ => Err(invalid(part, text, expected)),
        }
    }
}

fn split_options<'a>(rest: &'a str, known: &[&str]) -> Result<(&'a str, Options<'a>), UriError> {
    let Some((target, query)) = rest.split_once('?') else {
        return Ok((rest, Options(Vec::new())));
    };
    let mut options = Options(Vec::new());
    for option in query.split('&').filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        if !known.contains(&name) {
            return Err(UriError::UnknownOption(name.to_owned()));
        }
        if options.get(name).is_some() {
            return Err(UriError::RepeatedOption(name.to_owned()));
        }
        options.0.push((name, value));
    }
    Ok((target, options))
}

fn invalid(part: &'static str, value: &str, expected: &'static str) -> UriError {
    UriError::Invalid { part, value: value.to_owned(), expected }
}
