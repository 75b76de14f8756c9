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
    INSERT INTO printers (store, name, register, announced_at)
        SELECT store, 'front', 1, 0 FROM registers WHERE store > 1;
    INSERT INTO register_leases (store, register, node, generation, former, taken_at)
        SELECT store, 1, store % 50, 1,
            CASE WHEN store % 100 = 0 THEN 2 END, 0
        FROM registers WHERE store > 1;
    INSERT INTO nodes (name, started_at, until) VALUES ('a', 0, 0), ('b', 0, 0);
    INSERT INTO register_credentials (hash, store, register)
        SELECT decode(md5(store::text), 'hex'), store, 1 FROM registers WHERE store > 1;
    INSERT INTO pay_tokens (store, token, request_id, fingerprint, register, amount_minor, issued_at,
            expires_at)
        SELECT 1, 't' || n, 'r' || n, decode(repeat('00', 32), 'hex'), 1, 1, n, n
        FROM generate_series(1, 3000) AS n;
    INSERT INTO counter_numbers (store, flow_no) VALUES (1, 30000);
    INSERT INTO counter_ledger (store, flow_no, request_id, fingerprint, day, kind, register,
            amount_minor, moved, register_count, register_net_minor, counted_at)
        SELECT 1, n, 'x' || n, decode(repeat('00', 32), 'hex'), '2026-01-' || (10 + n % 20), 'sale', 1,
            1, 'soup,-1,1', 1, 1, n FROM generate_series(1, 30000) AS n;
    INSERT INTO counter_days (store, day, register, sales, refunds, gross_minor, refunded_minor)
        SELECT 1, 'd' || n, 1, 1, 1, 1, 1 FROM generate_series(1, 3000) AS n;
    INSERT INTO counter_hours (store, day, register, hour, sales, refunds, gross_minor, refunded_minor)
        SELECT 1, 'd' || n, 1, n, 1, 1, 1, 1 FROM generate_series(1, 3000) AS n;
    INSERT INTO stock (store, sku, quantity) SELECT 1, 's' || n, n FROM generate_series(1, 3000) AS n;
    INSERT INTO stock_days (store, sku, day, sold, refunded, adjusted)
        SELECT 1, 's' || n % 300, 'd' || n / 300, 1, 1, 1 FROM generate_series(1, 9000) AS n;
    INSERT INTO splits (store, split_id, fingerprint, of_split, day, amount_minor, currency, parts,
            table_version, pace, state, confirmed, tries, doubtful, by_hand, due_at, created_at,
            changed_at, version)
        SELECT 1, 's' || n, decode(repeat('00', 32), 'hex'), CASE WHEN n % 50 = 0 THEN 's' || n / 50 END,
            'd' || n / 300, 1, 'CNY', '[]', 1, 'background',
            CASE WHEN n % 500 = 0 THEN 'manual' WHEN n % 300 = 1 THEN 'retryable_failed'
                ELSE 'succeeded' END,
            TRUE, 1, FALSE, FALSE, CASE WHEN n % 300 = 1 AND n % 500 <> 0 THEN n END, n, n, 1
        FROM generate_series(1, 30000) AS n;
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
        // Of hooks and nodes there are a few.
        let few = |step: &String| step.contains("on hooks") || step.contains("on nodes");
        let scans = |step: &&String| step.contains("Seq Scan") && !few(step);
        let unused: Vec<_> = uses.iter().filter(|index| !has(index)).collect();
        if !unused.is_empty() || steps.iter().any(|step| scans(&step)) {
            complaints.push(format!("{name} without {unused:?}: {steps:#?}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
