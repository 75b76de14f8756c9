//! A Redis Cluster of three servers for one test.

use std::process::Command;
use std::thread::sleep;
use std::time::Instant;

use super::{LOOK, RedisServer, START, ask, free_port};

/// Servers that share the slots; none has a replica.
const SERVERS: usize = 3;

/// A running cluster; each server of it ends as [`RedisServer`] does.
#[derive(Debug)]
pub struct RedisCluster {
    servers: Vec<RedisServer>,
}

impl RedisCluster {
    /// Starts a cluster whose slots are all served.
    ///
    /// # Panics
    /// When Redis is not installed or the cluster does not come about.
    #[must_use]
    pub fn start() -> Self {
        let servers: Vec<_> = (0..SERVERS).map(|_| RedisServer::with(options)).collect();
        let mut create = Command::new("redis-cli");
        create.args(["--cluster-yes", "--cluster", "create"]);
        create.args(servers.iter().map(|server| format!("127.0.0.1:{}", server.port())));
        let output = create.output().expect("redis-cli of redis-tools");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "the cluster was not created: {said}");
        let cluster = Self { servers };
        cluster.wait_until_served();
        cluster
    }

    /// Where it is reached: each server of it.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        self.servers.iter().map(RedisServer::address).collect()
    }

    /// Its servers.
    #[must_use]
    pub fn servers(&mut self) -> &mut [RedisServer] {
        &mut self.servers
    }

    /// A cluster is whole when every server of it says so.
    fn wait_until_served(&self) {
        let began = Instant::now();
        let is_served = |server: &RedisServer| {
            let said = ask(server.port(), "CLUSTER INFO", "cluster_state:");
            said.is_some_and(|said| said.contains("cluster_state:ok"))
        };
        while !self.servers.iter().all(is_served) {
            assert!(began.elapsed() < START, "the cluster's slots are not served");
            sleep(LOOK);
        }
    }
}

/// The second port of each server, over which they speak with each other, is looked for as the first is.
fn options() -> Vec<String> {
    let bus = free_port().to_string();
    ["--cluster-enabled", "yes", "--cluster-port", &bus, "--cluster-node-timeout", "2000"]
        .map(str::to_owned)
        .into()
}
