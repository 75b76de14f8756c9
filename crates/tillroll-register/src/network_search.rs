//! Looking for printers in the local network, on request only: who announces the raw printing service by
//! multicast DNS, and who in this machine's own small networks takes a connection at port 9100. Nothing
//! is sent to what answers.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use if_addrs::{IfAddr, Ifv4Addr};
use mdns_sd::{ResolvedService, ServiceDaemon, ServiceEvent};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};

use crate::Register;
use crate::problem::{Code, Problem};
use crate::view::DeviceView;

/// The service of printers that take raw bytes (Bonjour Printing Specification, `pdl-datastream`).
const RAW_PRINTING: &str = "_pdl-datastream._tcp.local.";
/// The port of raw printing.
const RAW_PORT: u16 = 9100;
/// Announcements come within this.
const LISTEN_FOR: Duration = Duration::from_secs(3);
/// A printer in the same network takes a connection sooner.
const CONNECT_WITHIN: Duration = Duration::from_millis(400);
/// Connections tried at the same time.
const AT_ONCE: usize = 64;
/// A network of more addresses is not the shop's own; it is not gone through.
const NETWORK_MOST: u32 = 256;
/// Addresses gone through in all.
const ADDRESSES_MOST: usize = 1_024;
/// Printers found at most.
const FOUND_MOST: usize = 64;

impl Register {
    /// Looks for printers in the local network. Takes a few seconds.
    ///
    /// # Errors
    /// [`Code::Unavailable`] when this machine's networks cannot be listed.
    pub async fn discover_network(&self) -> Result<Vec<DeviceView>, Problem> {
        let interfaces = if_addrs::get_if_addrs().map_err(|error| Problem {
            source: Some(Box::new(error)),
            ..Problem::new(Code::Unavailable, "the networks of this machine cannot be listed")
        })?;
        let own = interfaces.into_iter().filter_map(|interface| match interface.addr {
            IfAddr::V4(address) if !address.is_loopback() => Some(address),
            IfAddr::V4(_) | IfAddr::V6(_) => None,
        });
        let mut addresses: Vec<Ipv4Addr> = own.flat_map(|own| neighbours(&own)).collect();
        addresses.truncate(ADDRESSES_MOST);
        let (answering, announced) = tokio::join!(answering(addresses), announced());
        let mut found: BTreeMap<String, Option<String>> =
            answering.into_iter().map(|address| (uri(address, RAW_PORT), None)).collect();
        // What a printer calls itself is worth more than that it answers.
        found.extend(announced);
        let found = found.into_iter().take(FOUND_MOST);
        Ok(found.map(|(uri, name)| DeviceView { uri, name }).collect())
    }
}

fn uri(address: impl Into<IpAddr>, port: u16) -> String {
    format!("tcp://{}", SocketAddr::new(address.into(), port))
}

/// The other addresses of a small network.
fn neighbours(own: &Ifv4Addr) -> Vec<Ipv4Addr> {
    let mask = u32::from(own.netmask);
    let size = (!mask).saturating_add(1);
    if !(4..=NETWORK_MOST).contains(&size) {
        return Vec::new();
    }
    let network = u32::from(own.ip) & mask;
    // The first address names the network, the last one is everybody's.
    let hosts = (1..size - 1).map(|host| Ipv4Addr::from(network + host));
    hosts.filter(|address| *address != own.ip).collect()
}

/// Who takes a connection at port 9100.
async fn answering(addresses: Vec<Ipv4Addr>) -> Vec<Ipv4Addr> {
    let knock = async |address: Ipv4Addr| {
        let connected = timeout(CONNECT_WITHIN, TcpStream::connect((address, RAW_PORT))).await;
        matches!(connected, Ok(Ok(_))).then_some(address)
    };
    let knocks = stream::iter(addresses).map(knock).buffered(AT_ONCE);
    knocks.filter_map(async |address| address).collect().await
}

/// Who announces raw printing: address and name. Without multicast there is nobody.
async fn announced() -> Vec<(String, Option<String>)> {
    let (daemon, events) = match ServiceDaemon::new().and_then(|daemon| {
        let events = daemon.browse(RAW_PRINTING)?;
        Ok((daemon, events))
    }) {
        Ok(browsing) => browsing,
        Err(error) => {
            tracing::info!(%error, "announcements of printers cannot be heard");
            return Vec::new();
        }
    };
    let until = Instant::now() + LISTEN_FOR;
    let mut found = Vec::new();
    while let Ok(Ok(event)) = timeout_at(until, events.recv_async()).await {
        if let ServiceEvent::ServiceResolved(service) = event
            && found.len() < FOUND_MOST
        {
            found.extend(told_by(&service));
        }
    }
    if let Err(error) = daemon.shutdown() {
        tracing::debug!(%error, "the search for announcements did not end in order");
    }
    found
}

fn told_by(service: &ResolvedService) -> Option<(String, Option<String>)> {
    let address = service.addresses.iter().map(|address| address.to_ip_addr());
    let address = address.filter(IpAddr::is_ipv4).min()?;
    let name = service.fullname.strip_suffix(RAW_PRINTING).unwrap_or(&service.fullname);
    let name = name.trim_end_matches('.').to_owned();
    Some((uri(address, service.port), (!name.is_empty()).then_some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(ip: [u8; 4], netmask: [u8; 4]) -> Ifv4Addr {
        Ifv4Addr { ip: ip.into(), netmask: netmask.into(), prefixlen: 0, broadcast: None }
    }

    #[test]
    fn neighbours_are_all_of_a_small_network_but_oneself() {
        let found = neighbours(&own([192, 168, 1, 20], [255, 255, 255, 0]));
        assert_eq!(found.len(), 253);
        assert!(!found.contains(&Ipv4Addr::new(192, 168, 1, 20)));
        assert_eq!(found.first(), Some(&Ipv4Addr::new(192, 168, 1, 1)));
        assert_eq!(found.last(), Some(&Ipv4Addr::new(192, 168, 1, 254)));
    }

    #[test]
    fn network_of_a_whole_company_is_left_alone() {
        assert!(neighbours(&own([10, 1, 2, 3], [255, 0, 0, 0])).is_empty());
        assert!(neighbours(&own([10, 1, 2, 3], [255, 255, 255, 255])).is_empty());
        assert!(neighbours(&own([10, 1, 2, 3], [0, 0, 0, 0])).is_empty());
    }
}
