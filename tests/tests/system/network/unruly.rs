//! Messages that are late, come twice and out of order, while a register sells and gets orders.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result};
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use tillroll_domain::outbox::RecordKind;
use tillroll_testkit::Attack;
use tillroll_wire::pairing::Paired;
use tillroll_wire::record::{Batch, Record, RecordVerdict, Verdict, Verdicts};
use tokio::net::TcpListener;

use super::relay::Relay;
use super::shop::{Office, Till};

const SALES: usize = 60;
const ORDERS: usize = 40;
const SEED: u64 = 20_261_201;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_that_are_late_doubled_and_overtaken_count_once() -> Result<()> {
    let office = Office::open().await?;
    let at = office.program.address.parse().context("address")?;
    let (relay, address) = Relay::open(at, SEED).await?;
    let mut till = Till::open(None).await?;
    till.pair(&format!("http://{address}"), &office.code()?)?;
    till.until_told().await?;
    let mut orders = Vec::new();
    for number in 0..SALES {
        till.sell().await?;
        if number < ORDERS {
            let order = format!("MT-{number}");
            orders.push(office.platform.order(&office.store, &order).await?);
        }
    }
    for order in &orders {
        office.platform.until_printed(&office.store, order).await?;
    }
    till.until_told().await?;
    let counts = &relay.counts;
    println!("{counts:?}");
    assert!(counts.is_unruly(), "the relay is tame: {counts:?}");
    let what = format!("messages held up, doubled and overtaken on their way, seed {SEED}");
    let attack = Attack { trials: counts.messages(), ..Attack::on_all(what) };
    till.settle(&office, &orders, attack).await?.end();
    Ok(())
}

/// How often each receipt came.
type Books = Arc<Mutex<BTreeMap<String, usize>>>;

/// A head office that takes every message for news, and knows of nothing else.
async fn careless(books: &Books) -> Result<SocketAddr> {
    let paired = || async {
        let (credential, store_uid, store_name) = ("c".repeat(64), "st_1".into(), "One".into());
        Json(Paired { credential, store_uid, store_name, last: None })
    };
    let routes = Router::new().route("/v1/pair", post(paired));
    let routes = routes.route("/v1/sync/records", post(take)).with_state(Arc::clone(books));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok(address)
}

async fn take(State(books): State<Books>, Json(batch): Json<Batch>) -> Json<Verdicts> {
    let now = batch.clock.now;
    let accept = |record: Record| {
        if record.kind == RecordKind::Receipt {
            *books.lock().unwrap().entry(record.request_id.clone()).or_default() += 1;
        }
        RecordVerdict { request_id: record.request_id, verdict: Verdict::Accepted }
    };
    let verdicts = batch.records.into_iter().map(accept).collect();
    Json(Verdicts { now, verdicts, shares_orders: false })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn head_office_that_takes_every_message_for_news_has_sales_twice() -> Result<()> {
    let books = Books::default();
    let (relay, address) = Relay::open(careless(&books).await?, SEED).await?;
    let mut till = Till::open(None).await?;
    till.pair(&format!("http://{address}"), "7QK4-M2XD")?;
    for _ in 0..SALES {
        till.sell().await?;
    }
    till.until("told", |cloud| cloud["unsent"] == 0).await?;
    let twice = books.lock().unwrap().values().filter(|times| **times > 1).count();
    assert!(twice > 0, "the relay is tame: {:?}", relay.counts);
    Ok(())
}
