//! Virtual printers at the spooler's end of a link, and what came out of them.

use std::net::SocketAddr;

use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_escpos::profile::Profile;
use tillroll_paper::{Behaviour, Personality, VirtualPrinter};
use tillroll_store::Printer;
use tokio::net::TcpListener;

use super::{Bench, LIMIT};

/// How the mark of a second stream looks: large, two cells a character.
pub const REPRINT: &str = "R E P R I N T";

/// A printer of the register and the device behind it.
pub struct Device {
    pub printer: Printer,
    pub paper: VirtualPrinter,
}

impl Bench {
    /// A virtual printer inside the process, set up as what it is.
    pub async fn device(&self, personality: Personality) -> Device {
        self.behaving(Behaviour::new(personality)).await
    }

    /// One with that behaviour.
    pub async fn behaving(&self, behaviour: Behaviour) -> Device {
        let level = level_of(behaviour.personality);
        let paper = virtual_printer(behaviour);
        let name = self.name();
        self.virtuals.insert(&name, paper.clone());
        let printer = self.printer(&format!("virtual:{name}"), level, Unproven::Ask).await;
        Device { printer, paper }
    }

    /// A virtual printer behind a TCP port of this machine.
    pub async fn tcp_device(&self, behaviour: Behaviour) -> Device {
        let level = level_of(behaviour.personality);
        let (paper, address) = listening(behaviour).await;
        let printer = self.printer(&format!("tcp://{address}"), level, Unproven::Ask).await;
        Device { printer, paper }
    }
}

pub fn virtual_printer(behaviour: Behaviour) -> VirtualPrinter {
    let profile = Profile::named("virtual").expect("the profile of virtual printers");
    VirtualPrinter::new(Behaviour { device: profile.into(), ..behaviour })
}

/// A virtual printer at a port.
pub async fn listening(behaviour: Behaviour) -> (VirtualPrinter, SocketAddr) {
    let paper = virtual_printer(behaviour);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let served = paper.clone();
    tokio::spawn(async move { served.serve_tcp(listener, std::future::pending()).await });
    (paper, address)
}

pub fn level_of(personality: Personality) -> ConfirmationLevel {
    personality.name().parse().expect("personalities are called like levels")
}

impl Device {
    /// Everything on the paper, cut off or hanging.
    pub fn text(&self) -> String {
        self.paper.tickets().iter().map(|ticket| ticket.text()).collect()
    }

    /// How often the text is on the paper.
    pub fn count(&self, text: &str) -> usize {
        self.text().matches(text).count()
    }

    /// Waits until the device has worked everything off.
    pub async fn at_rest(&self) {
        self.paper.wait_until(LIMIT, VirtualPrinter::is_idle).await.expect("a device at rest");
    }

    /// All bytes it received, by connection.
    pub fn received(&self) -> Vec<(u64, Vec<u8>)> {
        let mut connections: Vec<(u64, Vec<u8>)> = Vec::new();
        for part in self.paper.received() {
            match connections.last_mut() {
                Some((number, bytes)) if *number == part.connection => bytes.extend(part.bytes),
                _ => connections.push((part.connection, part.bytes)),
            }
        }
        connections
    }
}
