//! The queries of the hot paths use their indexes, however many rows there are.

use tillroll_dispatcher::postgres::plans::{ALL, Plan};
use tokio_postgres::Client;

use super::{connect, world};

/// A year of printed jobs, told ends and accepted records of the first store, beside a few open ones.
const FILL: &str = "
    INSERT INTO jobs (store, seq, job_id, kind, fingerprint, api_key, printer, state, register,
            after_deadline, created_at, deadline_at, changed_at)
        SELECT 1, n, 'S1:x' || n || ':kitchen:v1', 'kitchen', decode(repeat('00', 32), 'hex'), 1,
            'front', CASE WHEN n % 1000 = 0 THEN 'pushed' ELSE 'printed' END, 1, 'hold', n, n, n
        FROM generate_series(1, 30000) AS n;
    INSERT INTO job_bodies (store, seq, body, created_at) SELECT 1, seq, '', created_at FROM jobs;
    INSERT INTO hooks (api_key, url, secret) VALUES (1, '', '');
    INSERT INTO hook_deliveries (store, seq, state, late, api_key, body, created_at, settled_at, outcome)
        SELECT 1, seq, 'printed', FALSE, 1, '', created_at, created_at,
            CASE WHEN seq % 10 = 0 THEN 'given_up' ELSE 'delivered' END FROM jobs;
    INSERT INTO hook_deliveries (store, seq, state, late, api_key, body, created_at, due_at)
        SELECT 1, seq, 'printed', TRUE, 1, '', created_at, created_at FROM jobs WHERE seq <= 3000;
    INSERT INTO records (store, seq, register, request_id, kind, fingerprint, flow_no, epoch, hour,
            recorded_at, judged_at, verdict, body)
        SELECT 1, n, 1, 'x' || n, 'receipt', decode(repeat('00', 32), 'hex'), n, 1, n / 100, n, n,
            'accepted', ''
        FROM generate_series(1, 30000) AS n;
    INSERT INTO records (store, seq, register, request_id, kind, fingerprint, flow_no, epoch, hour,
            recorded_at, judged_at, verdict, code, body)
        SELECT 1, n, 1, 'y' || n, 'receipt', decode(repeat('00', 32), 'hex'), n, 1, n / 100, n, n,
            'rejected', 'conflict', ''
        FROM generate_series(30001, 33000) AS n;
    INSERT INTO receipts (store, register, flow_no, job_id, record, kind, day, z_no, takings_minor,
            tenders)
        SELECT 1, 1, n, 'x' || n, n, 'receipt', '2020-01-01', 1, 0, '{}'
        FROM generate_series(1, 30000) AS n;
    INSERT INTO papers (store, register, flow_no, epoch, row_version, state)
        SELECT 1, 1, n, 1, 1, 'printed' FROM generate_series(1, 30000) AS n;
    INSERT INTO record_hours (store, register, hour, records, digest)
        SELECT 1, 1, n, 1, '' FROM generate_series(1, 3000) AS n;
    INSERT INTO stores (tenant, uid, code, name, created_at)
        SELECT 1, 'u' || n, 'X' || n, '', 0 FROM generate_series(1, 3000) AS n;
    INSERT INTO store_numbers (store) SELECT store FROM stores WHERE store > 1;
    INSERT INTO registers (store, register, name) SELECT store, 1, 'R1' FROM stores WHERE store > 1;
    INSERT INTO register_credentials (hash, store, register)
        SELECT decode(md5(store::text), 'hex'), store, 1 FROM registers WHERE store > 1;
    ANALYZE; SET plan_cache_mode = force_generic_plan";

/// The plan that serves a query whatever its parameters.
async fn plan(client: &Client, sql: &str) -> Vec<String> {
    let prepared = client.prepare(sql).await.unwrap();
    let types: Vec<_> = prepared.params().iter().map(|of| of.name().to_owned()).collect();
    let typed = if types.is_empty() { String::new() } else { format!("({})", types.join(", ")) };
    client.batch_execute(&format!("PREPARE pinned {typed} AS {sql}")).await.unwrap();
    let nothing = vec!["NULL"; types.len()].join(", ");
    let given = if types.is_empty() { String::new() } else { format!("({nothing})") };
    let steps = client.query(&format!("EXPLAIN EXECUTE pinned {given}"), &[]).await.unwrap();
    client.batch_execute("DEALLOCATE pinned").await.unwrap();
    steps.iter().map(|step| step.get(0)).collect()
}

#[tokio::test]
async fn every_pinned_query_uses_its_index_and_looks_through_no_table() {
    let (_world, server) = world().await;
    let client = connect(&server).await;
    client.batch_execute(FILL).await.unwrap();
    let mut complaints = Vec::new();
    for Plan { name, sql, uses } in ALL {
        let steps = plan(&client, sql).await;
        let has = |part: &str| steps.iter().any(|step| step.contains(part));
        let scans = |step: &&String| step.contains("Seq Scan") && !step.contains("hooks");
        let unused: Vec<_> = uses.iter().filter(|index| !has(index)).collect();
        if !unused.is_empty() || steps.iter().any(|step| scans(&step)) {
            complaints.push(format!("{name} without {unused:?}: {steps:#?}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
