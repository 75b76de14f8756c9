//! Pairing: a one-time code becomes a credential.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use tillroll_wire::Problem;
use tillroll_wire::pairing::{PairBody, Paired};
use tokio::time::timeout;

use crate::LinkError;
use crate::http::{ask, client};

/// A person waits for the answer.
const LIMIT: Duration = Duration::from_secs(10);

/// Why an address cannot be that of a dispatcher.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// It is no address.
    #[error("url must be an address such as https://dispatch.example.com")]
    Unreadable,
    /// The credential would cross the network in the clear.
    #[error("url must begin with https:// unless the dispatcher runs on this machine")]
    Insecure,
}

/// Why there is no pairing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PairError {
    /// The address cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The dispatcher said no; the code may be used up.
    #[error("the head office refused, {}: {}", .0.code, .0.detail)]
    Refused(Problem),
    /// It was not reached or did not answer. The code may be used up all the same.
    #[error(transparent)]
    Link(LinkError),
}

/// Whether an address may be a dispatcher's: the credential crosses the network by TLS alone.
///
/// # Errors
/// [`UrlError`], for people.
pub fn check_url(url: &str) -> Result<(), UrlError> {
    let url = Url::parse(url).map_err(|_| UrlError::Unreadable)?;
    let host = url.host_str().ok_or(UrlError::Unreadable)?;
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_this_machine(host) => Ok(()),
        "http" => Err(UrlError::Insecure),
        _ => Err(UrlError::Unreadable),
    }
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Trades a one-time code for a credential. The credential is issued once: save it before anything else.
///
/// # Errors
/// [`PairError`].
pub async fn pair(url: &str, body: &PairBody) -> Result<Paired, PairError> {
    check_url(url)?;
    let unreachable = |error| PairError::Link(crate::http::unreachable(error));
    let client = client(HeaderMap::new()).map_err(unreachable)?;
    let request = client.post(format!("{}/v1/pair", url.trim_end_matches('/'))).json(body);
    match timeout(LIMIT, ask(request)).await {
        Ok(Ok(paired)) => Ok(paired),
        Ok(Err(LinkError::Refused(problem))) => Err(PairError::Refused(problem)),
        Ok(Err(error)) => Err(PairError::Link(error)),
        Err(_) => Err(PairError::Link(LinkError::TimedOut(LIMIT))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credential_crosses_no_network_in_the_clear() {
        for fine in [
            "https://d.example.com",
            "http://127.0.0.1:8080",
            "http://[::1]:1/",
            "http://localhost",
        ] {
            assert_eq!(check_url(fine), Ok(()), "{fine}");
        }
        assert_eq!(check_url("http://d.example.com"), Err(UrlError::Insecure));
        assert_eq!(check_url("http://10.0.0.1"), Err(UrlError::Insecure));
        assert_eq!(check_url("ftp://localhost"), Err(UrlError::Unreadable));
        assert_eq!(check_url("dispatch"), Err(UrlError::Unreadable));
    }
}
