//! One register's connection, without its socket.
//!
//! Invariants:
//! - A register has one connection: a second one ends the first.
//! - Who it is comes from its credential; what it says of itself is only compared.
//! - A printer's name belongs to one register of the store.
//! - Dropping a connection is its end.

use std::collections::{BTreeMap, BTreeSet};

use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::{JobKind, Part};
use tillroll_wire::channel::{Down, Hello, PrinterReport, Up};
use tillroll_wire::{Code, PROTOCOL, Problem};
use tokio::sync::mpsc;

use crate::job::RegisterNo;
use crate::schedule::{Arrival, Greeting, SteadyClock};
use crate::store::{Credential, DispatcherStore, StoreError};

/// Most printers of one register.
pub const PRINTERS: usize = 64;

/// The channel has ended; the socket is to be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the channel has ended")]
pub struct Closed;

/// The message that tells a register why its connection ends.
#[must_use]
pub fn bye(problem: &Problem) -> Down {
    Down::Bye {
        code: problem.code,
        detail: problem.detail.clone(),
        retry_after_ms: problem.retry_after_ms,
    }
}

type Doors = (mpsc::Sender<Arrival>, mpsc::UnboundedSender<(RegisterNo, u64)>);

/// A register's connection. Dropping it ends it: the jobs pushed to it and not accepted are parked.
#[derive(Debug)]
pub struct Connection<S> {
    store: S,
    clock: SteadyClock,
    register: RegisterNo,
    no: u64,
    printers: BTreeSet<Part>,
    routes: BTreeMap<JobKind, Part>,
    down: mpsc::WeakSender<Down>,
    arrivals: mpsc::Sender<Arrival>,
    gone: mpsc::UnboundedSender<(RegisterNo, u64)>,
}

/// Checks a hello and announces its printers.
pub(crate) async fn greet<S: DispatcherStore>(
    store: S,
    clock: SteadyClock,
    credential: Credential,
    hello: Hello,
    no: u64,
    down: mpsc::Sender<Down>,
    (arrivals, gone): Doors,
) -> Result<(Greeting, Connection<S>), Problem> {
    check(&credential, &hello)?;
    let incarnation = format!("{}/{}", hello.installation, hello.epoch);
    let mut connection = Connection {
        store,
        clock,
        register: credential.register.no,
        no,
        printers: hello.printers.iter().map(|printer| printer.name.clone()).collect(),
        routes: hello.routes,
        down: down.downgrade(),
        arrivals,
        gone,
    };
    let taken = connection.announce().await.map_err(|error| unavailable(&error))?;
    let free = |report: &PrinterReport| !taken.contains(&report.name);
    let greeting = Greeting {
        register: connection.register,
        no,
        incarnation,
        printers: hello.printers.into_iter().filter(free).collect(),
        taken,
        store_uid: credential.store.uid,
        shares_orders: credential.shares_orders,
        down,
        lease: None,
    };
    Ok((greeting, connection))
}

fn check(credential: &Credential, hello: &Hello) -> Result<(), Problem> {
    if hello.protocol != PROTOCOL {
        let detail = format!("protocol {} is not spoken here, {PROTOCOL} is", hello.protocol);
        return Err(Problem::new(Code::UnknownProtocol, detail));
    }
    if credential.register.installation.as_ref() != Some(&hello.installation) {
        return Err(Problem::new(
            Code::Replaced,
            "another installation is paired as this register",
        ));
    }
    if hello.printers.len() > PRINTERS {
        let detail = format!("printers: at most {PRINTERS} of one register");
        return Err(Problem::new(Code::InvalidValue, detail));
    }
    Ok(())
}

fn unavailable(error: &StoreError) -> Problem {
    tracing::warn!(%error, "printers of a register were not stored");
    let problem = Problem::new(Code::Unavailable, "nothing can be stored now");
    Problem { retry_after_ms: Some(2_000), ..problem }
}

impl<S: DispatcherStore> Connection<S> {
    /// Takes in what the register says. Waits while the schedule is busy.
    ///
    /// # Errors
    /// [`Closed`] when the channel has ended.
    pub async fn receive(&mut self, message: Up) -> Result<(), Closed> {
        match message {
            Up::Printer(report) => self.take_report(report).await,
            Up::PrinterRemoved { name } => self.take_removal(name).await,
            Up::Routes { routes } => {
                self.routes = routes;
                self.announce().await.map(drop).map_err(|_| Closed)
            }
            said @ (Up::Accepted { .. }
            | Up::Refused { .. }
            | Up::Result(_)
            | Up::Unknown { .. }) => self.pass_on(said).await,
            // Said once, at the beginning.
            Up::Hello(_) => Ok(()),
        }
    }

    /// The register.
    #[must_use]
    pub fn register(&self) -> RegisterNo {
        self.register
    }

    async fn take_report(&mut self, report: PrinterReport) -> Result<(), Closed> {
        if !self.printers.contains(&report.name) {
            if self.printers.len() >= PRINTERS {
                return Err(Closed);
            }
            self.printers.insert(report.name.clone());
            let taken = self.announce().await.map_err(|_| Closed)?;
            if taken.contains(&report.name) {
                return self.tell(Down::PrinterNameTaken { name: report.name });
            }
        }
        self.pass_on(Up::Printer(report)).await
    }

    async fn take_removal(&mut self, name: Part) -> Result<(), Closed> {
        if self.printers.remove(&name) {
            self.announce().await.map_err(|_| Closed)?;
        }
        self.pass_on(Up::PrinterRemoved { name }).await
    }

    /// Stores the printers and routes; gives back the names that belong to another register, which
    /// this one does not have.
    async fn announce(&mut self) -> Result<Vec<Part>, StoreError> {
        let printers = self.printers.iter().cloned().collect();
        let routes = self.routes.clone().into_iter().collect();
        let now = self.clock.now();
        let taken = self.store.announce(self.register, printers, routes, now).await?;
        for name in &taken {
            self.printers.remove(name);
        }
        Ok(taken)
    }

    async fn pass_on(&self, said: Up) -> Result<(), Closed> {
        let arrival = Arrival::Said(self.register, self.no, said);
        self.arrivals.send(arrival).await.map_err(|_| Closed)
    }

    fn tell(&self, message: Down) -> Result<(), Closed> {
        let down = self.down.upgrade().ok_or(Closed)?;
        // What does not fit is said again at the next report.
        let _ = down.try_send(message);
        Ok(())
    }
}

impl<S> Drop for Connection<S> {
    fn drop(&mut self) {
        // A task that has ended has no connections.
        let _ = self.gone.send((self.register, self.no));
    }
}
