//! Bare Redis that answers when a write is on the disk (`appendfsync always`), each caller on a connection of its
//! own.

use anyhow::Result;
use redis::aio::MultiplexedConnection;

use crate::callers::Caller;

/// A connection.
pub async fn connect(address: &str) -> Result<MultiplexedConnection> {
    Ok(redis::Client::open(address)?.get_multiplexed_async_connection().await?)
}

/// Adds a body to a stream.
pub struct Adding {
    pub connection: MultiplexedConnection,
    pub body: String,
}

impl Caller for Adding {
    async fn call(&mut self, n: u64) -> Result<u64> {
        let mut add = redis::cmd("XADD");
        add.arg("jobs").arg("*").arg("id").arg(n).arg("body").arg(&self.body);
        let _id: String = add.query_async(&mut self.connection).await?;
        Ok(1)
    }
}
