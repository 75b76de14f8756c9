//! The engine on PostgreSQL: the suite of every engine, and what is its own.

mod counters;
mod faults;
mod leases;
mod nodes;
mod plans;
mod same_verdicts;
mod schema;
mod speed;
mod tls;

use tillroll_dispatcher::postgres::{PostgresOptions, PostgresStore};
use tillroll_testkit::PostgresServer;
use tokio_postgres::{Client, NoTls};

use crate::conformance::world::{Opened, World};

mod suite {
    crate::conformance::suite!(super::super::open);
}

/// An empty store on a server of its own.
pub async fn open() -> Opened<PostgresStore> {
    let server = PostgresServer::start();
    let store = node(&server).await;
    Opened { store, kept: Box::new(server) }
}

/// A world and its server.
pub async fn world() -> (World<PostgresStore>, PostgresServer) {
    let server = PostgresServer::start();
    let store = node(&server).await;
    (World::new(Opened { store, kept: Box::new(()) }).await, server)
}

/// A store over a server, as each node opens one.
pub async fn node(server: &PostgresServer) -> PostgresStore {
    PostgresStore::open(&server.address(), PostgresOptions::default()).await.unwrap()
}

/// A connection of its own to a server.
pub async fn connect(server: &PostgresServer) -> Client {
    let (client, connection) = tokio_postgres::connect(&server.address(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
