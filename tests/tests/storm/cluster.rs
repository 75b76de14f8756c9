//! The storm on several nodes: processes of the dispatcher on one PostgreSQL and one Redis behind a load balancer,
//! and registers that come back to whichever answers. Nodes are killed, frozen and ended, Redis and PostgreSQL
//! go and come back, and one node loses Redis alone.

mod balancer;
mod chain;
mod fault;
mod node;
mod run;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::path::Path;

use anyhow::Result;
use tempfile::TempDir;
use tillroll_testkit::{PostgresServer, RedisServer};

use self::balancer::Balancer;
pub use self::fault::Fault;
use self::node::Node;
pub use self::run::run;
use crate::folder::in_memory;

/// Nodes, what they share, and what stands before them. All of it ends when it is dropped.
pub struct Cluster {
    nodes: Vec<Node>,
    balancer: Balancer,
    postgres: PostgresServer,
    redis: RedisServer,
    folder: TempDir,
}

impl Cluster {
    /// Starts so many nodes. The thread that calls has to outlive them.
    pub async fn start(count: usize) -> Result<Self> {
        let (postgres, redis) = (PostgresServer::start(), RedisServer::start());
        let (folder, mut nodes) = (in_memory(), Vec::new());
        for no in 0..count {
            nodes.push(Node::start(no, folder.path(), &postgres.url(), redis.port()).await?);
        }
        let addresses: Vec<SocketAddr> = nodes.iter().map(Node::address).collect();
        let balancer = Balancer::before(&addresses, folder.path()).await?;
        Ok(Self { nodes, balancer, postgres, redis, folder })
    }

    /// Where registers and business systems reach it.
    pub fn url(&self) -> String {
        format!("http://{}", self.balancer.address())
    }

    /// Where its database is.
    pub fn database(&self) -> String {
        self.postgres.url()
    }

    /// A place for the registers' files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Something goes wrong, or is right again.
    pub async fn suffer(&mut self, fault: Fault) -> Result<()> {
        match fault {
            Fault::Kill(node) => self.nodes[node].kill().await?,
            Fault::End(node) => self.nodes[node].end().await?,
            Fault::Start(node) => self.nodes[node].run().await?,
            Fault::Freeze(node) => self.nodes[node].freeze()?,
            Fault::Thaw(node) => self.nodes[node].thaw()?,
            Fault::CutFromRedis(node) => self.nodes[node].cut_from_redis().await,
            Fault::BackToRedis(node) => self.nodes[node].back_to_redis().await,
            Fault::KillRedis => self.redis.kill(),
            Fault::StartRedis => self.redis.restart(),
            Fault::StopPostgres => self.postgres.stop(),
            Fault::StartPostgres => self.postgres.restart(),
        }
        Ok(())
    }
}
