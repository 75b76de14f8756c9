//! Where webhooks may go.

use std::net::IpAddr;

use reqwest::Url;

/// Why an address is no place for webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidAddress {
    /// It cannot be read.
    #[error("must be an address such as https://platform.example/tillroll")]
    Unreadable,
    /// It would go over the net in the clear.
    #[error("must be https, or http on the loopback")]
    InTheClear,
    /// It carries a password.
    #[error("must hold no user or password")]
    WithPassword,
}

/// Reads an address that webhooks may go to.
///
/// # Errors
/// [`InvalidAddress`].
pub fn check_address(text: &str) -> Result<Url, InvalidAddress> {
    let url = Url::parse(text).map_err(|_| InvalidAddress::Unreadable)?;
    let host = url.host_str().ok_or(InvalidAddress::Unreadable)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(InvalidAddress::WithPassword);
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(host) => Ok(url),
        _ => Err(InvalidAddress::InTheClear),
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webhooks_never_leave_the_machine_in_the_clear() {
        for good in
            ["https://x.test/h", "http://127.0.0.1:9/h", "http://[::1]/h", "http://localhost"]
        {
            assert!(check_address(good).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("http://x.test/h", InvalidAddress::InTheClear),
            ("http://127.0.0.1.evil.test/", InvalidAddress::InTheClear),
            ("ftp://127.0.0.1/", InvalidAddress::InTheClear),
            ("https://me:secret@x.test/", InvalidAddress::WithPassword),
            ("x.test", InvalidAddress::Unreadable),
        ] {
            assert_eq!(check_address(bad).unwrap_err(), why, "{bad}");
        }
    }
}
