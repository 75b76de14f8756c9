//! The queries of the hot paths use their indexes, however many rows there are.

use tillroll_domain::print_job::JobState;
use tillroll_sqlite::rusqlite::{Connection, StatementStatus};
use tillroll_store::NewReceipt;
use tillroll_store::plans;

use crate::support::{Till, printer};

/// The steps of a query's plan.
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
    let till = Till::new().await;
    let connection = till.connection();
    for plans::Plan { name, sql, index } in plans::all() {
        // The parameters stand open: a plan must not depend on their values.
        let steps = plan(&connection, &sql);
        assert!(steps.iter().any(|step| step.contains(index)), "{name}: {steps:#?}");
        for step in steps.iter().filter(|step| step.starts_with("SCAN")) {
            let over_index =
                ["INDEX", "subquery", "CONSTANT ROW"].iter().any(|part| step.contains(part));
            assert!(over_index, "{name} looks through a table: {steps:#?}");
        }
    }
}

/// Years of printed receipts.
fn fill(connection: &Connection, rows: i64) {
    connection
        .execute_batch(&format!(
            "BEGIN;
             CREATE TEMP TABLE n AS WITH RECURSIVE n (n) AS
                 (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {rows}) SELECT n FROM n;
             INSERT INTO sessions (z_no, business_day, opened_at) VALUES (1, '2020-01-01', 0);
             INSERT INTO receipts (flow_no, kind, format, fingerprint, session, epoch, recorded_at,
                     recorded_boot_ms, takings_minor, tenders)
                 SELECT n, 'receipt', 'receipt', x'00', 1, 1, 0, 0, 0, '{{}}' FROM n;
             INSERT INTO print_jobs (id, job_id, flow_no, printer, priority, state, confirmation,
                     accepted_at, changed_at)
                 SELECT n, 'S0:' || n || ':receipt:v1', n, 1, 0, 'printed', 'token', 0, 0 FROM n;
             INSERT INTO attempts (id, job, number, printer, started_at, cuts, byte_count, sha256)
                 SELECT n, n, 1, 1, 0, 1, 1, x'00' FROM n;
             COMMIT"
        ))
        .unwrap();
}

/// Virtual machine steps of a query, for the second printer (or two rows, or from the second row on) at the end of
/// time; a third parameter is a limit.
fn steps(connection: &Connection, sql: &str) -> i32 {
    let mut statement = connection.prepare(sql).unwrap();
    for (number, value) in (1..=statement.parameter_count()).zip([2, i64::MAX, 20]) {
        statement.raw_bind_parameter(number, value).unwrap();
    }
    let mut rows = statement.raw_query();
    while rows.next().unwrap().is_some() {}
    drop(rows);
    statement.get_status(StatementStatus::VmStep)
}

#[tokio::test]
async fn beside_a_hundred_thousand_printed_jobs_the_few_open_ones_are_found_at_once() {
    const ROWS: i64 = 100_000;
    let till = Till::new().await;
    let connection = till.connection();
    let spare = till.store.add_printer(printer("spare")).await.unwrap();
    fill(&connection, ROWS);
    for n in 1..=3 {
        till.record(NewReceipt { printer: spare, ..till.sale(n) }).await;
    }
    assert_eq!(till.store.jobs(Some(JobState::Pending), 10).await.unwrap()[0].flow_no, ROWS + 3);
    // All but the two that read a whole session's receipts, which were all recorded in one here.
    let of_session = ["receipts of a session", "copies of a session"];
    for plan in plans::all() {
        if of_session.contains(&plan.name.as_str()) {
            continue;
        }
        let taken = steps(&connection, &plan.sql);
        assert!(taken < 1_000, "{} takes {taken} steps beside {ROWS} rows", plan.name);
    }
}
