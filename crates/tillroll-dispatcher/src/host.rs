//! A dispatcher that runs: its database, schedule, API, webhooks and administration, started and stopped
//! in order.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock;
use tillroll_sqlite::OpenError;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::admin::{self, Admin, Door};
use crate::clock::SystemClock;
use crate::config::{self, Config};
use crate::counters::audit::Audit;
use crate::counters::{AuditFigures, LaneSettings, Lanes};
use crate::database::OpenDatabase;
use crate::engine::Engine;
use crate::folder::{Folder, FolderError, FolderLock};
use crate::hooks::{Deliveries, HookFigures, Sender};
use crate::http::{self, Api, ApiParts, DayViews, Results};
use crate::limits::{Limits, Nodes};
use crate::nodes::{Duty, Member, NodeSettings, RedisWakes, Silent, Wake};
use crate::payments::{NoChannel, PaymentFigures, PaymentParts, PaymentSettings, channel_of};
use crate::postgres;
use crate::redis::{InvalidRedisAddress, Redis, RedisSettings};
use crate::retention::Retention;
use crate::schedule::{Scheduler, SteadyClock};
use crate::store::StoreError;

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
    /// The database of the folder does not open.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The database that nodes share cannot be used.
    #[error(transparent)]
    Postgres(#[from] postgres::OpenError),
    /// This node is not taken among those that share the database.
    #[error("this node cannot join the others: {0}")]
    Join(#[from] StoreError),
    /// An address of Redis cannot be used.
    #[error(transparent)]
    Redis(#[from] InvalidRedisAddress),
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
    /// Splits cannot be paid.
    #[error(transparent)]
    Channel(#[from] NoChannel),
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
    /// How splits are paid; `None` takes what is configured.
    pub payments: Option<PaymentSettings>,
    /// How nodes that share a database look after each other.
    pub nodes: NodeSettings,
    /// How long Redis is waited for.
    pub redis: RedisSettings,
}

impl DispatcherOptions {
    /// A dispatcher of a data folder, on the machine's own clocks.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>, config: Config) -> Self {
        let clock = Arc::new(SystemClock);
        let nodes = NodeSettings::default();
        let redis = RedisSettings::default();
        Self { data: data.into(), config, clock, random, http: None, payments: None, nodes, redis }
    }
}

/// Where no random number is to be had, zero does: nothing secret hangs on it.
fn random() -> u32 {
    getrandom::u32().unwrap_or_default()
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
    member: Option<Member>,
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
        let OpenDatabase { store, lock, .. } = OpenDatabase::open(config, &folder).await?;
        let lock = lock.map_or_else(|| folder.make_and_lock(), Ok)?;
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(listen_failed(config.listen))?;
        let address = listener.local_addr().map_err(listen_failed(config.listen))?;
        let socket = folder.admin_socket();
        let door = Door::open(&socket).map_err(listen_failed(socket.display()))?;
        let sender = Sender::new(config.hooks().timeout)?;
        let clock = SteadyClock::new(Arc::clone(&options.clock));
        let redis = Redis::connect(&config.redis, options.redis)?;
        let member = join(&store, &clock, options.nodes, address, redis.as_ref()).await?;
        let scheduler = Scheduler::start_as(
            member.clone(),
            store.clone(),
            clock.clone(),
            config.schedule(),
            options.random,
        );
        let payments = Arc::new(PaymentFigures::default());
        let paying = PaymentParts {
            store: store.clone(),
            clock: clock.clone(),
            settings: options.payments.clone().unwrap_or_else(|| config.splits.settings()),
            figures: Arc::clone(&payments),
            duty: Duty::of(member.clone()),
            random: options.random,
        };
        let channel = channel_of(&config.splits, &clock)?;
        let reconciler = channel.clone().map(|channel| paying.reconciler(channel));
        let admin = Admin::new(
            store.clone(),
            clock.clone(),
            Some(scheduler.clone()),
            Duration::from_secs(config.pairing_code_s.into()),
        )
        .comparing(reconciler.clone());
        let audited = Arc::new(AuditFigures::default());
        let figures = Arc::new(HookFigures::default());
        let api = Api::new(ApiParts {
            store: store.clone(),
            scheduler: scheduler.clone(),
            clock: clock.clone(),
            settings: http_settings(&options),
            limits: Limits::new(store.clone(), config.rates(), nodes(&store), redis.clone()),
            day_views: DayViews::new(redis.clone()),
            results: Results::new(redis),
            deadline: config.schedule().deadline,
            counters: Lanes::new(store.clone(), LaneSettings::default()),
            audit: Arc::clone(&audited),
            hooks: Arc::clone(&figures),
            payments,
            random: options.random,
        });
        let ending = api.ending().clone();
        let deliveries = Deliveries {
            store: store.clone(),
            clock: clock.clone(),
            sender,
            settings: config.hooks(),
            figures,
            duty: Duty::of(member.clone()),
        };
        let (duty, kept) = (Duty::of(member.clone()), config.kept());
        let audit = Audit {
            store: store.clone(),
            clock: clock.clone(),
            figures: audited,
            duty: Duty::of(member.clone()),
        };
        let retention = Retention { store: store.clone(), clock, kept, duty };
        let mut others = vec![
            tokio::spawn(deliveries.run(ending.clone())),
            tokio::spawn(retention.run(ending.clone())),
            tokio::spawn(audit.run(ending.clone())),
            tokio::spawn(admin::serve(door, admin.clone(), ending.clone())),
        ];
        if let Some((channel, reconciler)) = channel.zip(reconciler) {
            others.extend(paying.start(channel, reconciler, &ending));
        }
        if let Some(member) = member.clone() {
            others.push(tokio::spawn(member.sweep(ending.clone())));
        }
        let server = tokio::spawn(http::serve(api, listener));
        tracing::info!(%address, "the dispatcher listens");
        Ok(Self { address, admin, scheduler, store, ending, server, others, member, _lock: lock })
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

    /// Whether it does what one node does for all that share a database. Alone it always does.
    #[must_use]
    pub fn is_on_duty(&self) -> bool {
        Duty::of(self.member.clone()).is_ours()
    }

    /// Stops in order: no new connections, registers told to come back, open requests answered, the
    /// database closed. Takes as long as [`http::HttpSettings::end_within`] at most, and the close.
    pub async fn stop(self) {
        self.ending.cancel();
        let leaving = async {
            self.scheduler.stop().await;
            if let Some(member) = &self.member {
                member.leave().await;
            }
        };
        let ((), served) = tokio::join!(leaving, self.server);
        if let Err(error) = served {
            tracing::error!(%error, "the API ended before its time");
        }
        for other in self.others {
            if let Err(error) = other.await {
                tracing::error!(%error, "a task ended before its time");
            }
        }
        self.store.close().await;
        tracing::info!("the dispatcher stopped");
    }
}

/// Joins the nodes that share a database; a database in a folder is one program's.
async fn join(
    store: &Engine,
    clock: &SteadyClock,
    settings: NodeSettings,
    address: SocketAddr,
    redis: Option<&Redis>,
) -> Result<Option<Member>, StartError> {
    let Engine::Postgres(store) = store else { return Ok(None) };
    let wakes: Arc<dyn Wake> = match redis {
        Some(redis) => RedisWakes::over(redis.clone()),
        None => Arc::new(Silent),
    };
    let name = address.to_string();
    Ok(Some(Member::join(store.clone(), clock.clone(), settings, name, wakes).await?))
}

/// A database that nodes share has perhaps several.
fn nodes(store: &Engine) -> Nodes {
    match store {
        Engine::Sqlite(_) => Nodes::One,
        Engine::Postgres(_) => Nodes::Several,
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
