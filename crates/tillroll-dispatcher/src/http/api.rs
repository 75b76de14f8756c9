//! What every handler works with.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tillroll_http::RequestIds;
use tokio::sync::{Mutex, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::HttpSettings;
use super::day_views::DayViews;
use super::metrics::Metrics;
use super::results::Results;
use crate::Engine;
use crate::counters::{AuditFigures, Lanes};
use crate::hooks::HookFigures;
use crate::limits::{Limits, Now};
use crate::payments::PaymentFigures;
use crate::schedule::{Scheduler, SteadyClock};
use crate::store::DispatcherStore as _;

/// A probe of the store is believed for so long.
const HEALTH_IS_NEW_FOR: Duration = Duration::from_secs(1);

/// What the API is made of.
pub(crate) struct ApiParts {
    pub store: Engine,
    pub scheduler: Scheduler<Engine>,
    pub clock: SteadyClock,
    pub settings: HttpSettings,
    pub limits: Limits<Engine>,
    pub results: Results,
    pub day_views: DayViews,
    /// A job's time where its sender named none.
    pub deadline: Duration,
    pub counters: Lanes<Engine>,
    pub audit: Arc<AuditFigures>,
    pub hooks: Arc<HookFigures>,
    pub payments: Arc<PaymentFigures>,
    pub random: fn() -> u32,
}

/// The state of the API. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Api {
    inner: Arc<Inner>,
}

struct Inner {
    parts: ApiParts,
    metrics: Metrics,
    requests: RequestIds,
    ending: CancellationToken,
    running: TaskTracker,
    channels: Arc<Semaphore>,
    large_bodies: Semaphore,
    health: Mutex<Option<(Duration, bool)>>,
}

impl Api {
    pub fn new(parts: ApiParts) -> Self {
        let inner = Inner {
            metrics: Metrics::new(),
            requests: RequestIds::new((parts.random)()),
            ending: CancellationToken::new(),
            running: TaskTracker::new(),
            channels: Arc::new(Semaphore::new(parts.settings.channels)),
            large_bodies: Semaphore::new(parts.settings.large_bodies),
            health: Mutex::default(),
            parts,
        };
        Self { inner: Arc::new(inner) }
    }

    pub fn store(&self) -> &Engine {
        &self.inner.parts.store
    }

    pub fn scheduler(&self) -> &Scheduler<Engine> {
        &self.inner.parts.scheduler
    }

    pub fn settings(&self) -> &HttpSettings {
        &self.inner.parts.settings
    }

    /// A job's time where its sender named none.
    pub fn deadline(&self) -> Duration {
        self.inner.parts.deadline
    }

    pub fn hooks(&self) -> &HookFigures {
        &self.inner.parts.hooks
    }

    /// What became of calls that pay splits.
    pub fn payments(&self) -> &PaymentFigures {
        &self.inner.parts.payments
    }

    pub fn limits(&self) -> &Limits<Engine> {
        &self.inner.parts.limits
    }

    /// Results of pay tokens.
    pub fn results(&self) -> &Results {
        &self.inner.parts.results
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    /// Days of counters that were asked for.
    pub fn day_views(&self) -> &DayViews {
        &self.inner.parts.day_views
    }

    /// The counters, with those who ask at the same time.
    pub fn counters(&self) -> &Lanes<Engine> {
        &self.inner.parts.counters
    }

    /// What the last comparison of counters found.
    pub fn audit(&self) -> &AuditFigures {
        &self.inner.parts.audit
    }

    /// The steady clock of all stored times.
    pub fn now(&self) -> Timestamp {
        self.inner.parts.clock.now()
    }

    /// Time passed, suspend included.
    pub fn boot(&self) -> Duration {
        self.inner.parts.clock.boot()
    }

    /// Both clocks.
    pub fn clocks(&self) -> Now {
        Now { boot: self.boot(), at: self.now() }
    }

    pub fn next_request_id(&self) -> String {
        self.inner.requests.next()
    }

    /// Fires when the server ends.
    pub fn ending(&self) -> &CancellationToken {
        &self.inner.ending
    }

    /// Requests that change something, and channels, that still run.
    pub fn running(&self) -> &TaskTracker {
        &self.inner.running
    }

    /// Free places for registers.
    pub fn channels(&self) -> &Arc<Semaphore> {
        &self.inner.channels
    }

    /// Free places for large bodies.
    pub fn large_bodies(&self) -> &Semaphore {
        &self.inner.large_bodies
    }

    /// Whether the store can be written. However many ask, one write a second finds out.
    pub async fn is_healthy(&self) -> bool {
        if self.scheduler().is_cut_off() {
            return false;
        }
        let mut known = self.inner.health.lock().await;
        let now = self.boot();
        if let Some((at, healthy)) = *known
            && now.saturating_sub(at) < HEALTH_IS_NEW_FOR
        {
            return healthy;
        }
        let checked = self.store().check().await;
        if let Err(error) = &checked {
            tracing::warn!(%error, "the store cannot be written");
        }
        *known = Some((now, checked.is_ok()));
        checked.is_ok()
    }
}
