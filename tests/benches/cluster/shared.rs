//! What nodes share, and what they use of it: PostgreSQL that counts its statements, and Redis.

use std::time::Duration;

use anyhow::{Context as _, Result};
use redis::aio::MultiplexedConnection;
use tillroll_testkit::{PostgresServer, RedisServer};
use tillroll_tests::process;
use tokio_postgres::Client;

use crate::program::Program;
use crate::{bare_postgres, bare_redis};

/// What a node calls itself; what its scripts call is counted by Redis beside them.
const CALLS: [&str; 5] = ["evalsha", "publish", "set", "get", "eval"];

/// PostgreSQL and Redis.
pub struct Shared {
    postgres: PostgresServer,
    redis: RedisServer,
    statistics: Client,
    commands: MultiplexedConnection,
}

/// What was used so far, or between two looks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Used {
    /// CPU of all nodes.
    pub nodes: Duration,
    /// CPU of PostgreSQL.
    pub postgres: Duration,
    /// SQL statements.
    pub statements: u64,
    /// Calls of Redis.
    pub calls: u64,
}

impl Used {
    /// What was used since.
    pub fn since(self, before: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_sub(before.nodes),
            postgres: self.postgres.saturating_sub(before.postgres),
            statements: self.statements.saturating_sub(before.statements),
            calls: self.calls.saturating_sub(before.calls),
        }
    }
}

impl Shared {
    /// Starts both.
    pub async fn start() -> Result<Self> {
        let (postgres, redis) = (PostgresServer::durable(), RedisServer::start());
        let statistics = bare_postgres::connect(&postgres.address()).await?;
        statistics.batch_execute("CREATE EXTENSION pg_stat_statements").await?;
        let commands = bare_redis::connect(&redis.address()).await?;
        Ok(Self { postgres, redis, statistics, commands })
    }

    /// The database's address.
    pub fn database(&self) -> String {
        self.postgres.url()
    }

    /// A node's configuration.
    pub fn config(&self) -> String {
        format!("database = '{}'\nredis = '{}'\n", self.database(), self.redis.address())
    }

    /// What nodes used so far.
    pub async fn used(&mut self, nodes: &[Program]) -> Result<Used> {
        let cpus = nodes.iter().map(Program::cpu).collect::<Result<Vec<_>>>()?;
        let row = self
            .statistics
            .query_one("SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_statements", &[])
            .await?;
        Ok(Used {
            nodes: cpus.iter().sum(),
            postgres: process::family(self.postgres.pid())?,
            statements: u64::try_from(row.get::<_, i64>(0))?,
            calls: self.calls().await?,
        })
    }

    /// Statements that are called most, each with its calls.
    pub async fn statements(&self, limit: i64) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 90), calls
                   FROM pg_stat_statements ORDER BY calls DESC LIMIT $1";
        let rows = self.statistics.query(sql, &[&limit]).await?;
        rows.iter().map(|row| Ok((row.get(0), u64::try_from(row.get::<_, i64>(1))?))).collect()
    }

    /// Forgets the statements so far.
    pub async fn forget(&self) -> Result<()> {
        Ok(self.statistics.batch_execute("SELECT pg_stat_statements_reset()").await?)
    }

    async fn calls(&mut self) -> Result<u64> {
        let mut info = redis::cmd("INFO");
        let told: String = info.arg("commandstats").query_async(&mut self.commands).await?;
        let mut calls = 0;
        for line in told.lines() {
            let Some((name, rest)) = line.strip_prefix("cmdstat_").and_then(|l| l.split_once(':'))
            else {
                continue;
            };
            if CALLS.contains(&name) {
                let count = rest.strip_prefix("calls=").and_then(|rest| rest.split(',').next());
                calls += count.context("no calls")?.parse::<u64>()?;
            }
        }
        Ok(calls)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
pub fn count(figure: u64) -> f64 {
    figure as f64
}
