//! Several nodes over one database: who lives, and which register is connected to whom.
//!
//! A node holds a lease on every register that is connected to it, and decides about their jobs alone. The leases
//! live as long as their node, which prolongs its life in one row; its registers cost nothing meanwhile.
//!
//! Invariants:
//! - Leases are for liveness and cost. That nothing prints twice hangs on the versions of rows, and on the
//!   registers, which know the ids they took.
//! - A node that could not prolong its life lets its registers go no later than the database says it has ended.
//! - Only who still holds a register's lease parks its jobs.
//! - A row that a node changed and whose register is another's is told to that one. What is told may be lost:
//!   each node looks for such rows by itself, and one node for those that belong to nobody.

mod duty;
mod member;
mod settings;
mod sweep;
mod wake;

pub(crate) use self::duty::Duty;
pub use self::member::Member;
pub use self::settings::NodeSettings;
pub use self::wake::{Message, RedisWakes, Silent, Wake};
use crate::job::{Job, RegisterNo};

/// Number of a node: one run of the program.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct NodeNo(pub i64);

/// A register's connection to a node, as the other nodes know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The node that has it.
    pub node: NodeNo,
    /// The how manieth lease on this register it is.
    pub generation: i64,
}

/// A lease that went to another node, or ended with its register's credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostLease {
    /// The register.
    pub register: RegisterNo,
    /// The generation of the lease that came after it.
    pub generation: i64,
    /// Nobody has it: its credential no longer counts.
    pub is_revoked: bool,
}

/// What a node learns when it prolongs its life.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beat {
    /// It lives. A node that has ended stays so.
    pub lives: bool,
    /// It does what one node does for all.
    pub on_duty: bool,
    /// Leases it lost lately.
    pub lost: Vec<LostLease>,
}

/// A job whose push is overdue, and the node it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overdue {
    /// The job.
    pub job: Job,
    /// The node, if one has its register.
    pub node: Option<NodeNo>,
}
