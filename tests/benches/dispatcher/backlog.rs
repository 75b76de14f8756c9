//! A register that was away sends 2,000 records over HTTP to the real program. Beside it bare SQLite,
//! which writes the same rows in batches of the same size.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reqwest::Client;
use serde_json::{Value, json};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::outbox::RecordKind;
use tillroll_testkit::receipts;
use tillroll_tests::figures::number::{ms, whole};
use tillroll_tests::figures::{Bar, Findings, Table};
use tillroll_tests::scale;
use tillroll_wire::PROTOCOL;
use tillroll_wire::channel::ClockReading;
use tillroll_wire::record::{BATCH_RECORDS, Batch, Record, Verdicts};
use tokio::runtime::Runtime;

use crate::chain::{Chain, INSTALLATION, Shop};
use crate::floor::Floor;
use crate::latencies::Latencies;
use crate::program::Program;

/// Sales, each with the word about its paper.
const SALES: u32 = 1_000;
/// Registers that come back, one after another.
const ROUNDS: u32 = 20;
/// Lines of a receipt: 600 bytes of JSON.
const LINES: u32 = 6;

/// Measures.
pub fn measure(runtime: &Runtime, folder: &Path) -> Result<Findings> {
    runtime.block_on(async {
        let rounds = scale::count(ROUNDS);
        let chain = Chain::make(folder, "backlog", usize::try_from(rounds)?, 1).await?;
        let program = Program::start(&chain.data, "").await?;
        let (mut floor, mut client) = (Floor::beside(&chain, folder)?, Client::builder());
        client = client.no_proxy().tcp_nodelay(true);
        let url = format!("http://{}/v1/sync/records", program.address);
        let client = client.build()?;
        let (mut drains, mut floors) = (Latencies::default(), Latencies::default());
        let before = program.cpu()?;
        for shop in &chain.shops {
            drains.note(drain(&client, &url, shop).await?);
            floors.note(floor.write(shop.no)?);
        }
        let used = program.cpu()?.saturating_sub(before) / rounds;
        program.stop().await?;
        Ok(found(&drains, &floors, used))
    })
}

/// All batches of a register, each after the answer to the one before.
async fn drain(client: &Client, url: &str, shop: &Shop) -> Result<Duration> {
    let records = records(shop)?;
    let batches: Vec<_> = records.chunks(BATCH_RECORDS).map(batch).collect::<Result<_>>()?;
    let begun = Instant::now();
    for batch in batches {
        let request = client.post(url).bearer_auth(&shop.tills[0].credential);
        let request = request.header("content-type", "application/json").body(batch);
        let verdicts: Verdicts = request.send().await?.error_for_status()?.json().await?;
        let stored = verdicts.verdicts.iter().filter(|verdict| verdict.verdict.is_stored());
        ensure!(stored.count() == BATCH_RECORDS, "{verdicts:?}");
    }
    Ok(begun.elapsed())
}

fn batch(records: &[Record]) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(&Batch {
        protocol: PROTOCOL,
        installation: INSTALLATION.to_owned(),
        clock: ClockReading { now: SystemClock.now(), boot_ms: 1 },
        records: records.to_vec(),
    })?)
}

fn records(shop: &Shop) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for number in 1..=SALES {
        let id = format!("{}:L1-{number:06}:receipt:v1", shop.code);
        let printed = json!({"state": "printed", "confirmation": "token", "reason": null});
        records.push(record(&id, RecordKind::Receipt, number, sale(&id, number)?));
        records.push(record(&id, RecordKind::Print, number, printed));
    }
    Ok(records)
}

fn sale(id: &str, number: u32) -> Result<Value> {
    let day = jiff::tz::TimeZone::UTC.to_datetime(SystemClock.now()).date().to_string();
    let receipt = serde_json::to_value(receipts::long(number, LINES))?;
    let takings = LINES * 100;
    Ok(json!({
        "id": id, "kind": "receipt", "day": day, "z_no": 1, "takings_minor": takings,
        "tenders": {"card": takings}, "receipt": receipt,
    }))
}

fn record(id: &str, kind: RecordKind, number: u32, body: Value) -> Record {
    let version = if kind == RecordKind::Receipt { 1 } else { 3 };
    Record {
        request_id: format!("{id}/{}/e1/r{version}", kind.as_str()),
        kind,
        fingerprint: Fingerprint::of(body.to_string().as_bytes()),
        flow_no: Some(number.into()),
        epoch: 1,
        recorded_at: SystemClock.now(),
        body,
    }
}

fn found(drains: &Latencies, floors: &Latencies, used: Duration) -> Findings {
    let records = whole(f64::from(SALES * 2));
    let title = format!("{records} records of a register that was away, {BATCH_RECORDS} a batch");
    let row = |name: &str, times: &Latencies| {
        [name.to_owned(), ms(times.quantile(0.5)), ms(times.quantile(1.0))]
    };
    let table = Table::new(title, ["", "p50", "most"])
        .row(row("over HTTP to the dispatcher", drains))
        .row(row("bare SQLite, the same rows", floors));
    let (took, floor) = (drains.quantile(0.5), floors.quantile(0.5));
    let bar =
        Bar::at_most(format!("{records} records after an outage, s"), 1.0, took.as_secs_f64());
    let bar = bar.aim(0.3).ours(ms(took)).peer("published 10 s");
    Findings::default()
        .table(table)
        .note(format!("CPU of the dispatcher: {} a backlog.", ms(used)))
        .bars([bar.limit(format!("bare SQLite {}", ms(floor)))])
}
