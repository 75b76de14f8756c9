//! The rival: a script of Redis that counts a sale, answered when its log is synced.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anyhow::{Result, ensure};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::latencies::Latencies;
use crate::turns::Rival;

/// Once for each id: stock down, the register's count and sum up, the next flow number.
const SCRIPT: &str = "
    local known = redis.call('HGET', KEYS[1], ARGV[1])
    if known then return known end
    local left = redis.call('HINCRBY', KEYS[2], ARGV[2], -1)
    redis.call('HINCRBY', KEYS[3], 'count', 1)
    redis.call('HINCRBY', KEYS[3], 'sum', ARGV[3])
    local flow = redis.call('INCR', KEYS[4])
    redis.call('HSET', KEYS[1], ARGV[1], flow)
    return flow";

/// Connections that each have one sale under way.
pub struct ScriptCallers {
    runtime: Arc<Runtime>,
    connections: Vec<Arc<Mutex<BufReader<TcpStream>>>>,
    script: Arc<str>,
    next: Arc<AtomicU64>,
}

impl ScriptCallers {
    /// Connects, and loads the script.
    pub fn connect(runtime: &Arc<Runtime>, port: u16, connections: u32) -> Result<Self> {
        let mut streams = Vec::new();
        for _ in 0..connections {
            let stream = runtime.block_on(TcpStream::connect((Ipv4Addr::LOCALHOST, port)))?;
            stream.set_nodelay(true)?;
            streams.push(BufReader::new(stream));
        }
        let load = command(&["SCRIPT", "LOAD", SCRIPT]);
        let mut script = String::new();
        if let Some(stream) = streams.first_mut() {
            runtime.block_on(async {
                stream.write_all(load.as_bytes()).await?;
                stream.read_line(&mut script).await?;
                script.clear();
                stream.read_line(&mut script).await
            })?;
        }
        let connections = streams.into_iter().map(|stream| Arc::new(Mutex::new(stream))).collect();
        let next = Arc::new(AtomicU64::new(u64::from(connections_base(port)) << 32));
        Ok(Self { runtime: Arc::clone(runtime), connections, script: script.trim().into(), next })
    }
}

/// Ids of one set of connections are none of another's.
fn connections_base(port: u16) -> u16 {
    static SETS: AtomicU64 = AtomicU64::new(1);
    port.wrapping_add(u16::try_from(SETS.fetch_add(1, Relaxed)).unwrap_or_default())
}

impl Rival for ScriptCallers {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let before = self.next.load(Relaxed);
        let mut tasks = JoinSet::new();
        for connection in &self.connections {
            let (connection, script) = (Arc::clone(connection), Arc::clone(&self.script));
            let next = Arc::clone(&self.next);
            tasks.spawn_on(
                async move { sell_until(deadline, &mut *connection.lock().await, &script, &next).await },
                self.runtime.handle(),
            );
        }
        for sold in self.runtime.block_on(tasks.join_all()) {
            calls.append(&mut sold?);
        }
        Ok(self.next.load(Relaxed) - before)
    }
}

async fn sell_until(
    deadline: Instant,
    stream: &mut BufReader<TcpStream>,
    script: &str,
    next: &AtomicU64,
) -> Result<Latencies> {
    let mut calls = Latencies::default();
    let mut line = String::new();
    while Instant::now() < deadline {
        let n = next.fetch_add(1, Relaxed);
        let (id, sku) = (format!("S1:20261201-{n:09}:receipt:v1"), format!("sku-{:03}", n % 100));
        let keys = ["{S1}ids", "{S1}stock", "{S1}R1", "{S1}flow"];
        let words = ["EVALSHA", script, "4", keys[0], keys[1], keys[2], keys[3], &id, &sku, "2800"];
        let begun = Instant::now();
        stream.write_all(command(&words).as_bytes()).await?;
        line.clear();
        stream.read_line(&mut line).await?;
        ensure!(line.starts_with(':'), "Redis answers {line}");
        calls.note(begun.elapsed());
    }
    Ok(calls)
}

/// A command as it goes over the wire.
fn command(words: &[&str]) -> String {
    let each = words.iter().map(|word| format!("${}\r\n{word}\r\n", word.len()));
    format!("*{}\r\n{}", words.len(), each.collect::<String>())
}
