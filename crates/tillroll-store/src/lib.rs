//! The register's tables, one file each, and the few transactions that span them.
//!
//! Invariants:
//! - `record_receipt` writes receipt, print job and outbox row in one transaction, with the flow number.
//! - A row of `print_jobs` changes only through [`tillroll_domain::print_job::transition`], and the
//!   update repeats the expected state and row version.
//! - An attempt is committed before its first byte goes out.
//! - Numbers given out (flow, attempt, answer) are noted outside the database, so that an older copy
//!   of it is recognised (see [`mark`]).
#![warn(missing_docs)]

mod acknowledged_day;
mod answers;
mod attempts;
mod cash;
mod clients;
mod cloud;
mod cloud_credential;
mod cloud_hours;
mod cloud_only;
mod columns;
mod day;
mod drawer_openings;
mod error;
mod feed;
mod hours;
mod installation;
mod known_printers;
mod manager_pin;
pub mod mark;
mod notices;
mod open;
mod outbox;
mod outbox_batch;
mod outbox_parked;
mod outbox_verdicts;
#[doc(hidden)]
pub mod plans;
mod preferences;
mod print_jobs;
mod printers;
mod private_file;
mod pushed;
mod pushed_expiry;
mod receipts;
mod record;
mod recovery;
mod register;
mod rejected;
mod retention;
mod routes;
mod search;
mod sessions;
mod sharing;
mod split_days;
mod spool;
mod story;
mod todo;
mod unreadable;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use tillroll_sqlite::Database;
use tillroll_sqlite::rusqlite::Connection;

pub use self::acknowledged_day::AcknowledgedDay;
pub use self::answers::{Answer, Answered, Answering};
pub use self::attempts::{Attempt, AttemptId, Outcome, PlannedAttempt};
pub use self::cash::{CashMovement, MovementKind};
pub use self::clients::{Client, ClientId, NewClient};
pub use self::cloud::{CLOUD_CLIENT, CloudRow, NewCloud};
pub use self::cloud_credential::CloudCredential;
pub use self::cloud_hours::SettledHours;
pub use self::cloud_only::CloudOnly;
pub use self::day::{Closing, Correction, DayView, SessionView};
pub use self::drawer_openings::{DrawerOpening, NewDrawerOpening, OpeningId, OpeningOutcome};
pub use self::error::StoreError;
pub use self::feed::{Feed, Hint};
pub use self::hours::Quarter;
pub use self::manager_pin::PinTry;
pub use self::notices::Notice;
pub use self::open::{Opened, StoreOptions};
pub use self::outbox::OutboxCounts;
pub use self::outbox_batch::{DueRecord, RecordId};
pub use self::outbox_parked::ParkedRecord;
pub use self::outbox_verdicts::{Judged, SentRecord};
pub use self::preferences::Preferences;
pub use self::print_jobs::{DrawerState, JobRow, JobRowId};
pub use self::printers::{NewPrinter, Printer, PrinterId};
pub use self::pushed::Pushed;
pub use self::pushed_expiry::{Expiry, StoredExpiry};
pub use self::receipts::{Body, BodyFormat};
pub use self::record::{Claiming, NewReceipt, Recorded};
pub use self::recovery::Interrupted;
pub use self::register::RegisterSettings;
pub use self::rejected::{NewRejection, RefusedAs, Rejection};
pub use self::retention::{Dropped, Portion};
pub use self::search::Sought;
pub use self::split_days::SplitDay;
pub use self::spool::{Claim, Claimed, DueJob, Settlement};
pub use self::story::{Story, StoryAnswer, StoryRecord};
pub use self::todo::{TodoRow, Waiting};

/// The register's durable state. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    database: Database,
    feed: Feed,
    mark: mark::Mark,
    known_printers: known_printers::KnownPrinters,
    preferences: Mutex<Preferences>,
    shares_orders: AtomicBool,
    installation: String,
    epoch: u32,
}

impl Store {
    /// Hints about what changed, and the wake-ups of the printers' workers.
    #[must_use]
    pub fn feed(&self) -> &Feed {
        &self.inner.feed
    }

    /// The id of this installation: 128 random bits in hex, made at set-up.
    #[must_use]
    pub fn installation(&self) -> &str {
        &self.inner.installation
    }

    /// The epoch of this installation: one more each time the database was found to be older than
    /// what happened.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.inner.epoch
    }

    /// Health of the database: condition, commits, size of the WAL.
    #[must_use]
    pub fn health(&self) -> tillroll_sqlite::Health {
        self.inner.database.health()
    }

    /// Closes the database; bounded by its close limit.
    ///
    /// # Errors
    /// When the close was not clean; the next start checks the database.
    pub fn close(self) -> Result<(), tillroll_sqlite::CloseError> {
        self.inner.database.clone().close()
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.inner.database.write_async(work).await.map_err(StoreError::from_write)
    }

    /// A write that may change printers or routes, whatever comes of it.
    async fn write_printers<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let written = self.write(work).await;
        self.inner.known_printers.forget();
        written
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.inner.database.read_async(work).await
    }
}
