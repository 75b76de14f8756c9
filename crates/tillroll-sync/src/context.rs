//! What the workers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::time::Duration;

use jiff::SignedDuration;
use tillroll_domain::clock::Clock;
use tillroll_store::Store;
use tillroll_wire::channel::ClockReading;
use tokio::sync::Notify;

use crate::drift;
use crate::status::Board;
use crate::timings::Timings;

/// The least time between two notes of a contact in the database, in milliseconds.
const NOTE_EVERY_MS: i64 = 60_000;

pub(crate) struct Context<L, P> {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) link: L,
    pub(crate) printers: P,
    pub(crate) random: fn() -> u32,
    pub(crate) program: String,
    pub(crate) timings: Timings,
    pub(crate) board: Board,
    /// The channel is open again: what waits is sent at once.
    pub(crate) reconnected: Notify,
    /// Everything that waited was sent: there is something to compare.
    pub(crate) drained: Notify,
    /// A person wants a connection now.
    pub(crate) poked: Notify,
    noted_boot_ms: AtomicI64,
    drift_told: AtomicBool,
}

impl<L, P> Context<L, P> {
    pub(crate) fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        link: L,
        printers: P,
        random: fn() -> u32,
        program: String,
        timings: Timings,
    ) -> Self {
        Self {
            store,
            clock,
            link,
            printers,
            random,
            program,
            timings,
            board: Board::new(),
            reconnected: Notify::new(),
            drained: Notify::new(),
            poked: Notify::new(),
            noted_boot_ms: AtomicI64::new(i64::MIN),
            drift_told: AtomicBool::new(false),
        }
    }

    pub(crate) fn reading(&self) -> ClockReading {
        drift::reading(self.clock.as_ref())
    }

    pub(crate) async fn pause(&self, time: Duration) {
        crate::wait::pause(self.clock.as_ref(), time).await;
    }

    /// The dispatcher told its clock in answer to a question asked at that reading.
    pub(crate) async fn heard(&self, asked: ClockReading, theirs: jiff::Timestamp) {
        let answered = self.reading();
        let drift = drift::measure(asked, answered, theirs);
        self.board.show(|status| {
            status.drift = Some(drift);
            status.contact_at = Some(answered.now);
        });
        self.tell_drift(drift).await;
        let boot_ms = i64::try_from(answered.boot_ms).unwrap_or(i64::MAX);
        if boot_ms.saturating_sub(self.noted_boot_ms.load(Relaxed)) < NOTE_EVERY_MS {
            return;
        }
        self.noted_boot_ms.store(boot_ms, Relaxed);
        if let Err(error) = self.store.note_contact(drift, answered.now).await {
            tracing::warn!(%error, "the contact with the head office was not noted");
        }
    }

    /// The dispatcher told whether the store shares its orders.
    pub(crate) async fn heard_sharing(&self, shares_orders: bool) {
        if let Err(error) = self.store.set_sharing(shares_orders).await {
            tracing::warn!(%error, "whether this store shares its orders was not noted");
        }
    }

    /// Told once when the clock goes wrong, and put away when it is right again.
    async fn tell_drift(&self, drift: SignedDuration) {
        let detail = drift::told(drift);
        if self.drift_told.swap(detail.is_some(), Relaxed) == detail.is_some() {
            return;
        }
        if let Some(detail) = &detail {
            tracing::warn!(detail, "the clock is wrong");
        }
        let now = self.clock.now();
        if let Err(error) = self.store.keep_notice("clock_drift", detail, now).await {
            tracing::warn!(%error, "a notice could not be kept");
        }
    }
}
