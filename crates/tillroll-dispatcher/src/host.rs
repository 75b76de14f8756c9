//! A dispatcher that runs: its database, schedule, API, webhooks and administration, started and stopped
//! in order.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock;
use tillroll_sqlite::{OpenError, Opening};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::CancellationToken;

use crate::admin::{self, Admin, Door};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::folder::{Folder, FolderError, FolderLock};
use crate::hooks::{Deliveries, HookFigures, Sender};
use crate::http::{self, Api, ApiParts};
use crate::retention::Retention;
use crate::schedule::{Scheduler, SteadyClock};
use crate::sqlite::{SqliteOptions, SqliteStore};
use crate::{Engine, config};

/// Why a dispatcher does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The data folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A value of the configuration cannot be.
    #[error(transparent)]
    Config(#[from] config::InvalidConfig),
    /// The database does not open.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// An address cannot be listened at.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address, or the socket's path.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// Webhooks cannot be sent.
    #[error("webhooks cannot be sent: {0}")]
    Webhooks(#[from] reqwest::Error),
    /// A thread ended before its work.
    #[error("the program is ending")]
    Ending,
}

/// With what a dispatcher starts.
#[derive(Clone)]
pub struct DispatcherOptions {
    /// Its data folder; made where it is missing.
    pub data: PathBuf,
    /// Its configuration.
    pub config: Config,
    /// The machine's clocks.
    pub clock: Arc<dyn Clock>,
    /// Random numbers that need not be secret.
    pub random: fn() -> u32,
    /// Bounds that are not configured; `None` takes those of the configuration.
    pub http: Option<http::HttpSettings>,
}

impl DispatcherOptions {
    /// A dispatcher of a data folder, on the machine's own clocks.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>, config: Config) -> Self {
        let clock = Arc::new(SystemClock);
        Self { data: data.into(), config, clock, random, http: None }
    }
}

/// Where no random number is to be had, zero does: nothing secret hangs on it.
fn random() -> u32 {
    getrandom::u32().unwrap_or_default()
}

/// A job is written four times on its way to paper, each time worth a commit of its own; hundreds of jobs a second
/// share commits instead, and each waits a few milliseconds on its way over a network that takes longer.
const PACE: Duration = Duration::from_millis(3);

/// The database of a folder, open, with the folder's lock.
pub struct OpenFolder {
    store: Engine,
    opening: Opening,
    lock: FolderLock,
}

impl OpenFolder {
    /// Makes the folder where it is missing, locks it, and brings its database to the newest schema.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn open(folder: &Folder) -> Result<Self, StartError> {
        folder.make()?;
        let lock = folder.lock()?;
        let path = folder.database();
        let database = tillroll_sqlite::Options { pace: PACE, ..Default::default() };
        let options = SqliteOptions { database, ..Default::default() };
        let opened = spawn_blocking(move || SqliteStore::open(&path, options));
        let (store, opening) = opened.await.map_err(|_| StartError::Ending)??;
        if let Some(rescue) = &opening.rescue {
            tracing::error!(?rescue, "the database was damaged; what could be read was saved");
        }
        Ok(Self { store, opening, lock })
    }

    /// What the opening found and did.
    #[must_use]
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Administration on the database itself: no dispatcher runs.
    #[must_use]
    pub fn admin(&self, config: &Config, clock: Arc<dyn Clock>) -> Admin {
        let counts_for = Duration::from_secs(config.pairing_code_s.into());
        Admin::new(self.store.clone(), SteadyClock::new(clock), None, counts_for)
    }

    /// Closes the database, then frees the folder.
    pub async fn close(self) {
        close(self.store).await;
        drop(self.lock);
    }
}

async fn close(store: Engine) {
    match spawn_blocking(move || store.close()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the database did not close well"),
        Err(error) => tracing::warn!(%error, "the database was not closed"),
    }
}

/// A running dispatcher. Dropping it leaves its tasks to the runtime: [`Dispatcher::stop`] ends it well.
pub struct Dispatcher {
    address: SocketAddr,
    admin: Admin,
    scheduler: Scheduler<Engine>,
    store: Engine,
    ending: CancellationToken,
    server: JoinHandle<()>,
    others: Vec<JoinHandle<()>>,
    _lock: FolderLock,
}

impl Dispatcher {
    /// Starts a dispatcher; when it returns, it listens.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(options: DispatcherOptions) -> Result<Self, StartError> {
        let config = &options.config;
        config.check()?;
        let folder = Folder::at(&options.data);
        let opened = OpenFolder::open(&folder).await?;
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(listen_failed(config.listen))?;
        let address = listener.local_addr().map_err(listen_failed(config.listen))?;
        let socket = folder.admin_socket();
        let door = Door::open(&socket).map_err(listen_failed(socket.display()))?;
        let sender = Sender::new(config.hooks().timeout)?;
        let OpenFolder { store, lock, .. } = opened;
        let clock = SteadyClock::new(Arc::clone(&options.clock));
        let steady: Arc<dyn Clock> = Arc::new(clock.clone());
        let scheduler = Scheduler::start(store.clone(), steady, config.schedule(), options.random);
        let admin = Admin::new(
            store.clone(),
            clock.clone(),
            Some(scheduler.clone()),
            Duration::from_secs(config.pairing_code_s.into()),
        );
        let figures = Arc::new(HookFigures::default());
        let api = Api::new(ApiParts {
            store: store.clone(),
            scheduler: scheduler.clone(),
            clock: clock.clone(),
            settings: http_settings(&options),
            rates: config.rates(),
            deadline: config.schedule().deadline,
            hooks: Arc::clone(&figures),
            random: options.random,
        });
        let ending = api.ending().clone();
        let deliveries = Deliveries {
            store: store.clone(),
            clock: clock.clone(),
            sender,
            settings: config.hooks(),
            figures,
        };
        let retention = Retention { store: store.clone(), clock, kept: config.kept() };
        let others = vec![
            tokio::spawn(deliveries.run(ending.clone())),
            tokio::spawn(retention.run(ending.clone())),
            tokio::spawn(admin::serve(door, admin.clone(), ending.clone())),
        ];
        let server = tokio::spawn(http::serve(api, listener));
        tracing::info!(%address, "the dispatcher listens");
        Ok(Self { address, admin, scheduler, store, ending, server, others, _lock: lock })
    }

    /// Where the API listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its administration.
    #[must_use]
    pub fn admin(&self) -> &Admin {
        &self.admin
    }

    /// Its rows, to look at.
    #[must_use]
    pub fn store(&self) -> &Engine {
        &self.store
    }

    /// Its schedule, to look at.
    #[must_use]
    pub fn scheduler(&self) -> &Scheduler<Engine> {
        &self.scheduler
    }

    /// Stops in order: no new connections, registers told to come back, open requests answered, the
    /// database closed. Takes as long as [`http::HttpSettings::end_within`] at most, and the close.
    pub async fn stop(self) {
        self.ending.cancel();
        let ((), served) = tokio::join!(self.scheduler.stop(), self.server);
        if let Err(error) = served {
            tracing::error!(%error, "the API ended before its time");
        }
        for other in self.others {
            if let Err(error) = other.await {
                tracing::error!(%error, "a task ended before its time");
            }
        }
        close(self.store).await;
        tracing::info!("the dispatcher stopped");
    }
}

fn http_settings(options: &DispatcherOptions) -> http::HttpSettings {
    let settings = options.http.clone().unwrap_or_else(|| options.config.http());
    http::HttpSettings { behind_proxy: options.config.behind_tls_proxy, ..settings }
}

fn listen_failed(address: impl ToString) -> impl Fn(io::Error) -> StartError {
    let address = address.to_string();
    move |source| StartError::Listen { address: address.clone(), source }
}
