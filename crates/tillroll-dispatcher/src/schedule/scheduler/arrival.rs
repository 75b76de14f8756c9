//! What reaches the schedule's task from outside.

use tillroll_domain::ids::{JobId, Part};
use tillroll_wire::channel::{Down, PrinterReport, Up};
use tokio::sync::{mpsc, oneshot};

use super::CancelError;
use crate::job::{Job, RegisterNo};
use crate::nodes::{Lease, LostLease};

/// Something to be scheduled, from the API or a connection.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// A job was stored; its body saves a look.
    Submitted(Box<Job>, String),
    /// A sender takes a job back; its row as it was read.
    Cancel(Box<Job>, oneshot::Sender<Result<Job, CancelError>>),
    /// A register connects.
    Connect(Box<Greeting>),
    /// A register says something on one of its connections.
    Said(RegisterNo, u64, Up),
    /// A register's credential no longer counts.
    Evict(RegisterNo),
    /// Rows of this node's registers that another node took in or changed.
    Look(Vec<Job>),
    /// Registers that another node took over, or whose credentials no longer count.
    Lost(Vec<LostLease>),
}

/// A register that connects.
#[derive(Debug)]
pub(crate) struct Greeting {
    /// The register.
    pub register: RegisterNo,
    /// Number of the connection.
    pub no: u64,
    /// Installation and epoch.
    pub incarnation: String,
    /// Its printers, without those whose names are taken.
    pub printers: Vec<PrinterReport>,
    /// Names that belong to another register.
    pub taken: Vec<Part>,
    /// The store's uid.
    pub store_uid: String,
    /// The store's registers share its orders.
    pub shares_orders: bool,
    /// Where messages to it go.
    pub down: mpsc::Sender<Down>,
    /// This node's hold on it, where there are other nodes.
    pub lease: Option<Lease>,
}

impl Arrival {
    /// The connection it came on and the job it is about, where its row is needed.
    pub(super) fn names_job(&self) -> Option<(RegisterNo, u64, &JobId)> {
        match self {
            Self::Said(register, no, message) => {
                let id = match message {
                    Up::Accepted { id, .. } | Up::Refused { id, .. } | Up::Unknown { id } => id,
                    Up::Result(result) => &result.id,
                    Up::Hello(_)
                    | Up::Printer(_)
                    | Up::PrinterRemoved { .. }
                    | Up::Routes { .. } => return None,
                };
                Some((*register, *no, id))
            }
            Self::Submitted(..)
            | Self::Cancel(..)
            | Self::Connect(_)
            | Self::Evict(_)
            | Self::Look(_)
            | Self::Lost(_) => None,
        }
    }
}
