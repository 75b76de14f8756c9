//! A server or a cluster, and a connection to it.

use std::time::Duration;

use redis::aio::{ConnectionLike, MultiplexedConnection, PubSub};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::io::tcp::TcpSettings;
use redis::{AsyncConnectionConfig, Client, Cmd, Pipeline, RedisFuture, RedisResult, Value};

use super::{InvalidRedisAddress, RedisAddresses, RedisSettings};

/// Tries of one call in a cluster: a key may have moved to another server.
const CLUSTER_TRIES: u32 = 2;
/// Pause between them at most, in milliseconds.
const CLUSTER_PAUSE_MS: u64 = 20;

/// What is connected to.
pub(super) enum Server {
    One(Client),
    Cluster {
        cluster: Box<ClusterClient>,
        /// Any of them repeats what is published at another.
        members: Vec<Client>,
    },
}

/// A connection that all callers share.
#[derive(Clone)]
pub(super) enum Link {
    One(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Server {
    /// What the addresses name; nothing is connected yet. `None` for no address.
    pub(super) fn at(
        addresses: &RedisAddresses,
        settings: RedisSettings,
    ) -> Result<Option<Self>, InvalidRedisAddress> {
        // A call is one small packet and waits for no other.
        let prompt = || TcpSettings::default().set_nodelay(true);
        let infos = addresses.read()?.into_iter().map(|info| info.set_tcp_settings(prompt()));
        let infos: Vec<_> = infos.collect();
        let together = |error: redis::RedisError| InvalidRedisAddress {
            place: infos.len(),
            detail: error.to_string(),
        };
        let clients: RedisResult<Vec<_>> = infos.iter().cloned().map(Client::open).collect();
        let mut clients = clients.map_err(together)?;
        if clients.len() <= 1 {
            return Ok(clients.pop().map(Self::One));
        }
        let builder = ClusterClient::builder(infos.clone())
            .tcp_settings(prompt())
            .connection_timeout(settings.connect)
            .response_timeout(settings.call)
            .retries(CLUSTER_TRIES)
            .min_retry_wait(1)
            .max_retry_wait(CLUSTER_PAUSE_MS);
        let cluster = Box::new(builder.build().map_err(together)?);
        Ok(Some(Self::Cluster { cluster, members: clients }))
    }

    /// Connects. The caller sets the limit of time.
    pub(super) async fn connect(&self) -> RedisResult<Link> {
        match self {
            Self::One(client) => {
                // Limits of time are the callers'.
                let unlimited = AsyncConnectionConfig::new()
                    .set_connection_timeout(None)
                    .set_response_timeout(None);
                let connected = client.get_multiplexed_async_connection_with_config(&unlimited);
                connected.await.map(Link::One)
            }
            Self::Cluster { cluster, .. } => {
                cluster.get_async_connection().await.map(Link::Cluster)
            }
        }
    }

    /// Connects for hearing what is published; of a cluster to one of its members, another one with each
    /// try. The caller sets the limit of time.
    pub(super) async fn listen(&self, tries: usize) -> RedisResult<PubSub> {
        let client = match self {
            Self::One(client) => client,
            Self::Cluster { members, .. } => &members[tries % members.len()],
        };
        client.get_async_pubsub().await
    }
}

impl Link {
    /// Whether it answers and takes writes: a server that is loading, read-only or without its cluster does
    /// not.
    pub(super) async fn probe(&self) -> RedisResult<()> {
        const LASTS: Duration = Duration::from_secs(60);
        let mut write = redis::cmd("SET");
        write.arg("tillroll:probe").arg(1).arg("PX").arg(LASTS.as_millis().to_string());
        write.query_async(&mut self.clone()).await
    }
}

impl ConnectionLike for Link {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::One(one) => one.req_packed_command(cmd),
            Self::Cluster(cluster) => cluster.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::One(one) => one.req_packed_commands(pipeline, offset, count),
            Self::Cluster(cluster) => cluster.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::One(one) => one.get_db(),
            Self::Cluster(cluster) => cluster.get_db(),
        }
    }
}
