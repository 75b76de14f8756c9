//! What the other side of a connection has not acknowledged, as the system's table of connections tells
//! (proc(5), `/proc/net/tcp`: `tx_queue`).

use std::fs;
use std::net::{IpAddr, SocketAddr};

use tokio::net::TcpStream;

/// Bytes given to the system that have not arrived, the half-close counted as one; `None` where that is
/// not known.
pub(super) fn unacknowledged(stream: &TcpStream) -> Option<u64> {
    let (own, peer) = (stream.local_addr().ok()?, stream.peer_addr().ok()?);
    let table = if own.is_ipv4() { "/proc/self/net/tcp" } else { "/proc/self/net/tcp6" };
    queued(&fs::read_to_string(table).ok()?, own, peer)
}

/// The send queue of a connection in the table.
fn queued(table: &str, own: SocketAddr, peer: SocketAddr) -> Option<u64> {
    let (own, peer) = (written(own), written(peer));
    table.lines().find_map(|line| {
        let mut columns = line.split_ascii_whitespace().skip(1);
        let found = columns.next()? == own && columns.next()? == peer;
        let (sending, _receiving) = columns.nth(1).filter(|_| found)?.split_once(':')?;
        u64::from_str_radix(sending, 16).ok()
    })
}

/// An address as the table writes it: words of 32 bits in the byte order of the machine.
fn written(address: SocketAddr) -> String {
    let octets = match address.ip() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let words = octets.as_chunks::<4>().0.iter().map(|word| u32::from_ne_bytes(*word));
    let host: String = words.map(|word| format!("{word:08X}")).collect();
    format!("{host}:{:04X}", address.port())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;
    use tokio::time::timeout;

    use super::*;

    #[cfg(target_endian = "little")]
    #[test]
    fn connection_is_found_by_both_its_ends() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when
   0: 0100007F:9C40 0100007F:238C 01 00000010:00000000 01:00000014
   1: 0100007F:9C41 0100007F:238C 04 00000A00:00000002 01:00000014";
        let at = |port| SocketAddr::from(([127, 0, 0, 1], port));
        assert_eq!(queued(table, at(0x9c41), at(0x238c)), Some(0xa00));
        assert_eq!(queued(table, at(0x9c42), at(0x238c)), None);
        let loopback = SocketAddr::from(([0, 0, 0, 0, 0, 0, 0, 1], 80));
        assert_eq!(written(loopback), "00000000000000000000000001000000:0050");
    }

    #[tokio::test]
    async fn bytes_nobody_reads_are_unacknowledged_once_the_other_side_is_full() {
        for host in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(host).await else { continue };
            let address = listener.local_addr().expect("an address");
            let mut stream = TcpStream::connect(address).await.expect("connected");
            let (_printer, _) = listener.accept().await.expect("accepted");
            assert_eq!(unacknowledged(&stream), Some(0), "{host}");
            let part = vec![0; 1 << 16];
            let full = Duration::from_millis(100);
            while timeout(full, stream.write_all(&part)).await.is_ok() {}
            assert!(unacknowledged(&stream).is_some_and(|bytes| bytes > 0), "{host}");
        }
    }
}
