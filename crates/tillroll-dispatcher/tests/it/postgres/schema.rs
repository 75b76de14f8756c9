//! The schema: whether its tables distribute by store under Citus.

use std::collections::BTreeSet;

use tillroll_testkit::PostgresServer;
use tokio_postgres::Client;

use super::{connect, node};

/// Whole on every node, or never distributed.
const NOT_DISTRIBUTED: [&str; 11] = [
    "api_key_stores",
    "api_keys",
    "duties",
    "hooks",
    "migrations",
    "nodes",
    "probe",
    "register_codes",
    "register_credentials",
    "stores",
    "tenants",
];

/// The first column of a query.
async fn names(client: &Client, sql: &str) -> Vec<String> {
    client.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

fn is_distributed(table: &str) -> bool {
    !NOT_DISTRIBUTED.contains(&table)
}

const TABLES: &str = "SELECT relname::text FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1";

/// Table, index, and whether it holds the distribution column.
const UNIQUE_KEYS: &str = "SELECT t.relname::text, i.relname::text, EXISTS (
        SELECT 1 FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'store'
            AND a.attnum = ANY (x.indkey::smallint[]))
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace ORDER BY 1, 2";

/// Referring table, key, table referred to, and whether both sides hold the distribution column in one place.
const FOREIGN_KEYS: &str = "SELECT t.relname::text, c.conname::text, r.relname::text, EXISTS (
        SELECT 1 FROM unnest(c.conkey, c.confkey) AS k (own, other)
            JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own
            JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.other
        WHERE a.attname = 'store' AND b.attname = 'store')
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class r ON r.oid = c.confrelid
    WHERE c.contype = 'f' ORDER BY 1, 2";

#[tokio::test]
async fn every_table_is_either_whole_on_each_node_or_begins_with_the_store() {
    let server = PostgresServer::start();
    node(&server).await;
    let client = connect(&server).await;
    let tables: BTreeSet<_> = names(&client, TABLES).await.into_iter().collect();
    assert!(NOT_DISTRIBUTED.iter().all(|table| tables.contains(*table)), "{tables:?}");
    let first_columns = "SELECT t.relname::text FROM pg_index x
        JOIN pg_class t ON t.oid = x.indrelid
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
        WHERE x.indisprimary AND a.attname = 'store'";
    let by_store: BTreeSet<_> = names(&client, first_columns).await.into_iter().collect();
    for table in tables.iter().filter(|table| is_distributed(table)) {
        assert!(by_store.contains(table), "the primary key of {table} does not begin with store");
    }
}

#[tokio::test]
async fn unique_keys_of_distributed_tables_hold_the_distribution_column() {
    let server = PostgresServer::start();
    node(&server).await;
    let keys = connect(&server).await.query(UNIQUE_KEYS, &[]).await.unwrap();
    assert!(keys.len() > 20, "{keys:?}");
    for key in keys {
        let (table, index, holds): (String, String, bool) = (key.get(0), key.get(1), key.get(2));
        assert!(holds || !is_distributed(&table), "{table}: {index}");
    }
}

#[tokio::test]
async fn foreign_keys_between_distributed_tables_hold_the_distribution_column() {
    let server = PostgresServer::start();
    node(&server).await;
    let keys = connect(&server).await.query(FOREIGN_KEYS, &[]).await.unwrap();
    assert!(keys.len() > 10, "{keys:?}");
    for key in keys {
        let (from, name, to): (String, String, String) = (key.get(0), key.get(1), key.get(2));
        match (is_distributed(&from), is_distributed(&to)) {
            (true, true) => assert!(key.get::<_, bool>(3), "{from}: {name}"),
            // Citus has no key from a table on every node to one that is spread over them.
            (false, true) => panic!("{from}: {name} refers to the distributed {to}"),
            (_, false) => {}
        }
    }
}
