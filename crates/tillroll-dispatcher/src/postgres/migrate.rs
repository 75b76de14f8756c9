//! Brings the schema up: forward only, numbered as in the other engine, all steps in one transaction.

use deadpool_postgres::{Client, Transaction};
use tokio_postgres::Error;

use super::connections::OpenError;

struct Migration {
    number: i64,
    name: &'static str,
    sql: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 1,
        name: "initial",
        sql: include_str!("../../../../migrations/dispatcher/postgres/0001_initial.sql"),
    },
    // The other engine has one node and no number 2.
    Migration {
        number: 2,
        name: "nodes",
        sql: include_str!("../../../../migrations/dispatcher/postgres/0002_nodes.sql"),
    },
    Migration {
        number: 3,
        name: "pay_tokens",
        sql: include_str!("../../../../migrations/dispatcher/postgres/0003_pay_tokens.sql"),
    },
    Migration {
        number: 4,
        name: "counters",
        sql: include_str!("../../../../migrations/dispatcher/postgres/0004_counters.sql"),
    },
    Migration {
        number: 5,
        name: "splits",
        sql: include_str!("../../../../migrations/dispatcher/postgres/0005_splits.sql"),
    },
    Migration {
        number: 6,
        name: "sharing",
        sql: include_str!("../../../../migrations/dispatcher/postgres/0006_sharing.sql"),
    },
];

/// One node at a time; a large step may take its time, but not for ever.
const BEGIN: &str = "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = '1h';
    SELECT pg_advisory_xact_lock(hashtext('tillroll migrations'));
    CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL)";

/// Runs the steps that the database has not had yet; the number it was at, if there were any.
pub(super) async fn to_newest(client: &mut Client) -> Result<Option<i64>, OpenError> {
    let transaction = client.transaction().await.map_err(OpenError::Schema)?;
    let found = number(&transaction).await.map_err(OpenError::Schema)?;
    let known = MIGRATIONS.last().map_or(0, |newest| newest.number);
    if found > known {
        return Err(OpenError::Newer { found, known });
    }
    for migration in MIGRATIONS.iter().filter(|migration| migration.number > found) {
        run(&transaction, migration).await.map_err(OpenError::Schema)?;
    }
    transaction.commit().await.map_err(OpenError::Schema)?;
    Ok((found < known).then_some(found))
}

async fn number(transaction: &Transaction<'_>) -> Result<i64, Error> {
    transaction.batch_execute(BEGIN).await?;
    let sql = "SELECT coalesce(max(number), 0) FROM migrations";
    transaction.query_one(sql, &[]).await?.try_get(0)
}

async fn run(transaction: &Transaction<'_>, migration: &Migration) -> Result<(), Error> {
    transaction.batch_execute(migration.sql).await?;
    let sql = "INSERT INTO migrations (number, name) VALUES ($1, $2)";
    transaction.execute(sql, &[&migration.number, &migration.name]).await.map(drop)
}
