//! How the register stands with the head office, for whoever shows it.

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::ids::Part;
use tillroll_wire::{Code, Problem};
use tokio::sync::watch;

/// How the register stands with the head office.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CloudStatus {
    /// The connection.
    pub connection: Connectivity,
    /// The dispatcher's clock less this register's, when they last spoke.
    pub drift: Option<SignedDuration>,
    /// When they last spoke, by this register's clock.
    pub contact_at: Option<Timestamp>,
    /// Printers whose name belongs to another register of the store.
    pub names_taken: Vec<Part>,
    /// Why the last upload failed; none when it did not.
    pub upload_error: Option<String>,
}

/// The connection to the head office.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Connectivity {
    /// This register is not paired.
    #[default]
    NotSetUp,
    /// The first connection is being made.
    Connecting,
    /// Jobs can come.
    Online {
        /// Since when.
        since: Timestamp,
    },
    /// No connection; it is tried again by itself.
    Offline {
        /// Since when.
        since: Timestamp,
        /// Why the last try failed.
        cause: String,
    },
    /// The dispatcher refuses this register; a person must do something.
    Refused {
        /// Since when.
        since: Timestamp,
        /// Why: `unauthorized`, `replaced` or `unknown_protocol`.
        code: Code,
        /// Why, for people.
        detail: String,
    },
}

/// The status as the workers write it.
pub(crate) struct Board(watch::Sender<CloudStatus>);

impl Board {
    pub(crate) fn new() -> Self {
        let connection = Connectivity::Connecting;
        Self(watch::Sender::new(CloudStatus { connection, ..CloudStatus::default() }))
    }

    pub(crate) fn watch(&self) -> watch::Receiver<CloudStatus> {
        self.0.subscribe()
    }

    pub(crate) fn status(&self) -> CloudStatus {
        self.0.borrow().clone()
    }

    /// Shows a change; nobody is woken by none.
    pub(crate) fn show(&self, change: impl FnOnce(&mut CloudStatus)) {
        self.0.send_if_modified(|status| {
            let before = status.clone();
            change(status);
            *status != before
        });
    }

    /// Whether the channel stands.
    pub(crate) fn is_online(&self) -> bool {
        matches!(self.0.borrow().connection, Connectivity::Online { .. })
    }

    pub(crate) fn online(&self, since: Timestamp) {
        self.show(|status| status.connection = Connectivity::Online { since });
    }

    /// No connection, and why: the time counts from the first failure in a row.
    pub(crate) fn offline(&self, now: Timestamp, cause: String) {
        self.show(|status| {
            let since = match status.connection {
                Connectivity::Refused { .. } => return,
                Connectivity::Offline { since, .. } => since,
                Connectivity::NotSetUp | Connectivity::Connecting | Connectivity::Online { .. } => {
                    now
                }
            };
            status.connection = Connectivity::Offline { since, cause };
        });
    }

    /// The dispatcher refuses this register until a person does something.
    pub(crate) fn refuse(&self, now: Timestamp, problem: &Problem) {
        tracing::error!(code = %problem.code, detail = problem.detail, "the head office refuses this register");
        let (code, detail) = (problem.code, problem.detail.clone());
        self.show(|status| {
            status.connection = Connectivity::Refused { since: now, code, detail };
        });
    }

    /// Asks the dispatcher anew.
    pub(crate) fn allow(&self) {
        self.show(|status| {
            if matches!(status.connection, Connectivity::Refused { .. }) {
                status.connection = Connectivity::Connecting;
            }
        });
    }

    /// Waits while the dispatcher refuses this register.
    pub(crate) async fn until_allowed(&self) {
        let mut watch = self.0.subscribe();
        let allowed =
            |status: &CloudStatus| !matches!(status.connection, Connectivity::Refused { .. });
        // The sender lives as long as this board.
        let _ = watch.wait_for(allowed).await;
    }
}
