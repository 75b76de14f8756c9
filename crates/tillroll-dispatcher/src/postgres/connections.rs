//! The pool of connections, and what is set on each.

use std::time::Duration;

use deadpool_postgres::{
    Client, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime,
};
use tokio_postgres::config::SslMode;
use tokio_postgres::{Config, NoTls};

use super::tls;

/// How the store works with its database.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PostgresOptions {
    /// Connections of this node, at most.
    pub connections: usize,
    /// How long a caller waits for a free connection, and for a new one to be made.
    pub wait: Duration,
    /// How long a statement may take.
    pub statement: Duration,
    /// How long a statement may wait for a lock.
    pub lock: Duration,
    /// How long a transaction may take as seen from here, the network included.
    pub transaction: Duration,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            connections: 16,
            wait: Duration::from_secs(5),
            statement: Duration::from_secs(10),
            lock: Duration::from_secs(5),
            transaction: Duration::from_secs(15),
        }
    }
}

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The address cannot be read.
    #[error("the address of the database: {0}")]
    Address(#[source] tokio_postgres::Error),
    /// The pool cannot be made.
    #[error("the pool of connections: {0}")]
    Pool(#[from] deadpool_postgres::BuildError),
    /// TLS cannot be spoken.
    #[error("TLS to the database: {0}")]
    Tls(#[from] rustls::Error),
    /// No connection can be made.
    #[error("the database cannot be reached: {0}")]
    Unreachable(#[from] PoolError),
    /// The database answers before a commit is durable.
    #[error("the database has synchronous_commit = off: it would lose what it acknowledged")]
    NotDurable,
    /// A newer program wrote the schema.
    #[error("the schema is number {found}, this program knows up to {known}")]
    Newer {
        /// The schema of the database.
        found: i64,
        /// The newest one known here.
        known: i64,
    },
    /// The schema cannot be read or brought up.
    #[error("the schema cannot be brought up: {0}")]
    Schema(#[source] tokio_postgres::Error),
}

/// A peer that is silent for this long is asked whether it lives.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);
/// How often it is asked again.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
/// A peer that takes nothing for this long is given up.
const UNANSWERED: Duration = Duration::from_secs(10);

pub(super) fn pool(
    address: &str,
    connections: usize,
    options: &PostgresOptions,
) -> Result<Pool, OpenError> {
    let mut config = read_address(address).map_err(OpenError::Address)?;
    prepare(&mut config, options);
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = if config.get_ssl_mode() == SslMode::Require {
        Manager::from_config(config, tls::verified()?, recycling)
    } else {
        Manager::from_config(config, NoTls, recycling)
    };
    let pool = Pool::builder(manager)
        .max_size(connections)
        .wait_timeout(Some(options.wait))
        .create_timeout(Some(options.wait))
        .recycle_timeout(Some(options.wait))
        .runtime(Runtime::Tokio1)
        .build()?;
    Ok(pool)
}

/// Reads a connection string. Where TLS is asked for it is always verified in full, so the words of libpq for more
/// and less of that mean the same here.
pub(crate) fn read_address(address: &str) -> Result<Config, tokio_postgres::Error> {
    let plain = |address: &str, word: &str| address.replace(word, "sslmode=require");
    ["sslmode=verify-full", "sslmode=verify-ca"]
        .into_iter()
        .fold(address.to_owned(), |address, word| plain(&address, word))
        .parse()
}

/// Limits of a session, after whatever options the address names. A node that is cut off leaves its
/// transaction open: the server ends it, so that its locks do not stay.
fn prepare(config: &mut Config, options: &PostgresOptions) {
    let (statement, lock) = (options.statement.as_millis(), options.lock.as_millis());
    let limits = format!(
        "{} -c statement_timeout={statement} -c lock_timeout={lock} \
         -c idle_in_transaction_session_timeout={statement}",
        config.get_options().unwrap_or_default()
    );
    config.options(limits.trim());
    config.connect_timeout(options.wait);
    config.keepalives_idle(KEEPALIVE_IDLE);
    config.keepalives_interval(KEEPALIVE_INTERVAL);
    config.tcp_user_timeout(UNANSWERED);
    if config.get_application_name().is_none() {
        config.application_name("tillroll-dispatcher");
    }
}

/// What is answered with 2xx is durable: a database that commits later cannot keep that.
pub(super) async fn check_durability(client: &Client) -> Result<(), OpenError> {
    let shown =
        client.query_one("SHOW synchronous_commit", &[]).await.map_err(OpenError::Schema)?;
    let setting: &str = shown.try_get(0).map_err(OpenError::Schema)?;
    if setting == "off" { Err(OpenError::NotDurable) } else { Ok(()) }
}
