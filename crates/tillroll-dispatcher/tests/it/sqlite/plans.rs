//! The queries of the hot paths use their indexes, however many rows there are.

use tillroll_dispatcher::sqlite::SqliteOptions;
use tillroll_dispatcher::sqlite::plans::{ALL, Plan};
use tillroll_sqlite::rusqlite::{Connection, StatementStatus};

use super::{connect, world};

/// The steps of a query's plan. The parameters stand open: a plan must not depend on their values.
fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let mut rows = explain.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get("detail").unwrap());
    }
    steps
}

#[tokio::test]
async fn every_pinned_query_uses_its_index_and_looks_through_no_table() {
    let (_world, folder) = world(SqliteOptions::default()).await;
    let connection = connect(&folder);
    for Plan { name, sql, uses } in ALL {
        let steps = plan(&connection, sql);
        for used in *uses {
            assert!(steps.iter().any(|step| step.contains(used)), "{name}: {used}: {steps:#?}");
        }
        for step in steps.iter().filter(|step| step.starts_with("SCAN")) {
            let over_index =
                ["INDEX", "due", "CONSTANT ROW"].iter().any(|part| step.contains(part));
            assert!(over_index, "{name} looks through a table: {steps:#?}");
        }
    }
}

/// A year of printed jobs and accepted records of the first store.
fn fill(connection: &Connection, rows: i64) {
    connection
        .execute_batch(&format!(
            "BEGIN;
             CREATE TEMP TABLE n AS WITH RECURSIVE n (n) AS
                 (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {rows}) SELECT n FROM n;
             INSERT INTO jobs (store, seq, job_id, kind, fingerprint, api_key, printer, state, register,
                     after_deadline, created_at, deadline_at, changed_at)
                 SELECT 1, n, 'S1:x' || n || ':kitchen:v1', 'kitchen', zeroblob(32), 1, 'front',
                     'printed', 1, 'hold', n, n, n FROM n;
             INSERT INTO records (store, seq, register, request_id, kind, fingerprint, flow_no, epoch,
                     hour, recorded_at, judged_at, verdict, body)
                 SELECT 1, n, 1, 'x' || n, 'receipt', zeroblob(32), n, 1, n / 100, n, n, 'accepted', ''
                 FROM n;
             INSERT INTO receipts (store, register, flow_no, job_id, record, kind, day, z_no,
                     takings_minor, tenders)
                 SELECT 1, 1, n, 'x' || n, n, 'receipt', '2020-01-01', 1, 0, '{{}}' FROM n;
             INSERT INTO counter_ledger (store, flow_no, request_id, fingerprint, day, kind, register,
                     amount_minor, moved, register_count, register_net_minor, counted_at)
                 SELECT 1, n, 'x' || n, zeroblob(32), '2020-01-01', 'sale', 1, 1, 'soup,-1,1', 1, 1, n
                 FROM n;
             COMMIT"
        ))
        .unwrap();
}

/// Virtual machine steps of a query of the first store and register.
fn steps(connection: &Connection, sql: &str) -> i32 {
    let mut statement = connection.prepare(sql).unwrap();
    for number in 1..=statement.parameter_count() {
        statement.raw_bind_parameter(number, 1).unwrap();
    }
    let mut rows = statement.raw_query();
    while rows.next().unwrap().is_some() {}
    drop(rows);
    statement.get_status(StatementStatus::VmStep)
}

#[tokio::test]
async fn beside_thirty_thousand_ended_jobs_and_records_every_query_is_short() {
    const ROWS: i64 = 30_000;
    let (world, folder) = world(SqliteOptions::default()).await;
    let connection = connect(&folder);
    fill(&connection, ROWS);
    world.job(1).await;
    for plan in ALL {
        let taken = steps(&connection, plan.sql);
        assert!(taken < 2_500, "{} takes {taken} steps beside {ROWS} rows", plan.name);
    }
}
