//! What else makes a receipt durable over a socket: PostgreSQL, and Redis that answers when a write is on the
//! disk. Both keep its id and its body, and look at neither.

use std::rc::Rc;

use anyhow::Result;
use tillroll_testkit::{PostgresServer, RedisServer};
use tokio::runtime::Runtime;

use crate::bare_postgres::{self, Rows};
use crate::bare_redis::{self, Adding};
use crate::callers::Callers;
use crate::receipt_rows;
use crate::turns::Lane;

pub const POSTGRES: &str = "PostgreSQL, a row, 32 connections";
pub const REDIS: &str = "Redis, appendfsync always, 32 connections";
const CONNECTIONS: usize = 32;

const SCHEMA: &str = "
    CREATE TABLE receipts (request TEXT PRIMARY KEY, printer TEXT NOT NULL, state TEXT NOT NULL,
        due_at BIGINT, body TEXT NOT NULL);
    CREATE INDEX receipts_due ON receipts (printer, due_at) WHERE state = 'pending'";

/// Both servers, for as long as their lanes work.
pub struct Servers {
    postgres: PostgresServer,
    redis: RedisServer,
}

impl Servers {
    /// Starts both.
    pub fn start() -> Self {
        Self { postgres: PostgresServer::durable(), redis: RedisServer::durable() }
    }

    /// A lane for each.
    pub fn lanes(&self, runtime: &Rc<Runtime>) -> Result<[Lane; 2]> {
        let rows = Callers::new(runtime, runtime.block_on(self.rows())?);
        let adding = Callers::new(runtime, runtime.block_on(self.adding())?);
        Ok([Lane::new(POSTGRES, rows), Lane::new(REDIS, adding)])
    }

    async fn rows(&self) -> Result<Vec<Rows>> {
        let address = self.postgres.address();
        bare_postgres::connect(&address).await?.batch_execute(SCHEMA).await?;
        let body = receipt_rows::body()?;
        let insert = format!("INSERT INTO receipts VALUES ($1, 'front', 'pending', 0, '{body}')");
        let mut rows = Vec::new();
        for _ in 0..CONNECTIONS {
            rows.push(Rows::new(&address, &[&insert], 1).await?);
        }
        Ok(rows)
    }

    async fn adding(&self) -> Result<Vec<Adding>> {
        let body = receipt_rows::body()?;
        let mut adding = Vec::new();
        for _ in 0..CONNECTIONS {
            let connection = bare_redis::connect(&self.redis.address()).await?;
            adding.push(Adding { connection, body: body.clone() });
        }
        Ok(adding)
    }
}
