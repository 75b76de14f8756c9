//! What every handler works with.

use std::sync::Arc;

use tillroll_http::RequestIds;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::HttpSettings;
use super::metrics::Metrics;
use crate::Register;

/// The state of the API. Cheap to clone.
#[derive(Clone)]
pub(super) struct Api {
    inner: Arc<Inner>,
}

struct Inner {
    register: Register,
    settings: HttpSettings,
    port: Option<u16>,
    metrics: Metrics,
    requests: RequestIds,
    ending: CancellationToken,
    running: TaskTracker,
    listeners: Arc<Semaphore>,
    large_receipts: Semaphore,
}

impl Api {
    /// `port` is where the API is reached; without it any port in a Host header is right.
    pub fn new(register: Register, settings: HttpSettings, port: Option<u16>) -> Self {
        let random = register.spooler().context().random;
        let inner = Inner {
            port,
            metrics: Metrics::new(),
            requests: RequestIds::new(random()),
            ending: CancellationToken::new(),
            running: TaskTracker::new(),
            listeners: Arc::new(Semaphore::new(settings.listeners)),
            large_receipts: Semaphore::new(settings.large_receipts),
            register,
            settings,
        };
        Self { inner: Arc::new(inner) }
    }

    pub fn register(&self) -> &Register {
        &self.inner.register
    }

    pub fn settings(&self) -> &HttpSettings {
        &self.inner.settings
    }

    pub fn port(&self) -> Option<u16> {
        self.inner.port
    }

    pub fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    pub fn next_request_id(&self) -> String {
        self.inner.requests.next()
    }

    /// Fires when the server ends.
    pub fn ending(&self) -> &CancellationToken {
        &self.inner.ending
    }

    /// Requests that change something and still run.
    pub fn running(&self) -> &TaskTracker {
        &self.inner.running
    }

    /// Free places for listeners to events.
    pub fn listeners(&self) -> &Arc<Semaphore> {
        &self.inner.listeners
    }

    /// Free places for large receipts.
    pub fn large_receipts(&self) -> &Semaphore {
        &self.inner.large_receipts
    }
}
