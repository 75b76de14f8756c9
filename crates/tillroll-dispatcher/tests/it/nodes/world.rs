//! Nodes that are started, killed and stopped, and the people and programs that ask them.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tillroll_dispatcher::admin::Admin;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::config::{Config, Database, Schedule};
use tillroll_dispatcher::nodes::NodeSettings;
use tillroll_dispatcher::{Dispatcher, DispatcherOptions, OpenDatabase};
use tillroll_testkit::PostgresServer;
use tokio::runtime::Runtime;

use crate::http::support::{Answer, Shop, answer, id, installation};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Nodes that look after each other ten times as often as in earnest.
pub fn quick() -> NodeSettings {
    NodeSettings {
        beat_every: Duration::from_millis(100),
        lease: Duration::from_millis(800),
        look_every: Duration::from_millis(100),
        look_told_every: Duration::from_millis(500),
        sweep_every: Duration::from_millis(100),
        grace: Duration::from_millis(300),
    }
}

/// One database, a shop in it, and everybody's client.
pub struct World {
    pub server: PostgresServer,
    pub config: Config,
    pub nodes: NodeSettings,
    database: OpenDatabase,
    client: Client,
}

impl World {
    pub async fn new() -> Self {
        let server = PostgresServer::start();
        let config = config(&server.url());
        let Database::Postgres(address) = &config.database else { unreachable!() };
        let database = OpenDatabase::at(address).await.unwrap();
        let client = Client::builder().no_proxy().timeout(PATIENCE).build().unwrap();
        Self { server, config, nodes: quick(), database, client }
    }

    /// Administration beside the nodes, as the command line does it.
    pub fn admin(&self) -> Admin {
        self.database.admin(&self.config, Arc::new(SystemClock))
    }

    pub async fn node(&self) -> Node {
        self.node_at(self.config.clone()).await
    }

    /// A node whose database is reached at another address.
    pub async fn node_over(&self, url: &str) -> Node {
        self.node_at(Config { database: url.parse().unwrap(), ..self.config.clone() }).await
    }

    async fn node_at(&self, config: Config) -> Node {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let options = DispatcherOptions::new(folder.path().join("data"), config);
        let options = DispatcherOptions { nodes: self.nodes, ..options };
        let started = runtime.spawn(Dispatcher::start(options));
        let dispatcher = started.await.unwrap().unwrap();
        let address = dispatcher.address();
        Node { address, dispatcher: Some(dispatcher), runtime: Some(runtime), _folder: folder }
    }

    /// A tenant with a store and a key to it.
    pub async fn shop(&self) -> Shop {
        let admin = self.admin();
        admin.add_tenant("Old Wang").await.unwrap();
        let uid = admin.add_store("Old Wang", "S1", "Shop").await.unwrap().uid;
        let stores = std::slice::from_ref(&uid);
        let made = admin.add_api_key("Old Wang", "platform", stores, None).await.unwrap();
        Shop { uid, token: made.token, key: made.id }
    }

    /// Pairs a register at a node; its credential.
    pub async fn pair(&self, node: &Node, shop: &Shop, register: &str) -> String {
        let code = self.admin().add_register(&shop.uid, register).await.unwrap().code;
        let body = json!({"protocol": 1, "code": code, "store": "S1", "register": register,
            "installation": installation(register)});
        let url = format!("http://{}/v1/pair", node.address);
        let (status, paired) = answer(self.client.post(url).json(&body)).await;
        assert_eq!(status, StatusCode::OK, "{paired}");
        paired["credential"].as_str().unwrap().to_owned()
    }

    /// Sends order `n` for a printer to a node; it must be taken.
    pub async fn send(&self, node: &Node, shop: &Shop, n: u32, printer: &str) {
        self.send_within(node, shop, n, printer, 90).await;
    }

    pub async fn send_within(&self, node: &Node, shop: &Shop, n: u32, printer: &str, seconds: u32) {
        let (status, taken) = self.try_send(node.address, shop, n, printer, seconds).await.unwrap();
        assert_eq!(status, StatusCode::CREATED, "{taken}");
    }

    /// As [`Self::send`], whatever comes of it; `None` when no answer does.
    pub async fn try_send(
        &self,
        node: SocketAddr,
        shop: &Shop,
        n: u32,
        printer: &str,
        seconds: u32,
    ) -> Option<Answer> {
        let body = json!({"order_no": format!("{n:06}"), "kind": "kitchen", "printer": printer,
            "lines": [{"name": "Soup", "quantity": "2"}], "deadline_s": seconds});
        let url = format!("http://{node}/v1/stores/{}/print-jobs", shop.uid);
        let sent = self.client.post(url).bearer_auth(&shop.token).json(&body).send().await.ok()?;
        let status = sent.status();
        Some((status, sent.json().await.ok()?))
    }

    pub async fn cancel(&self, node: &Node, shop: &Shop, n: u32) -> Answer {
        let jobs = format!("http://{}/v1/stores/{}/print-jobs", node.address, shop.uid);
        let url = format!("{jobs}/{}/cancel", id(n));
        answer(self.client.post(url).bearer_auth(&shop.token)).await
    }

    /// Every job of the shop by its id, read from the database.
    pub async fn jobs(&self, shop: &Shop) -> Vec<Value> {
        let list = self.admin().jobs(&shop.uid, None, 500).await.unwrap();
        list.jobs.iter().map(|job| serde_json::to_value(job).unwrap()).collect()
    }

    pub async fn job(&self, shop: &Shop, n: u32) -> Value {
        let wanted = id(n);
        let jobs = self.jobs(shop).await;
        jobs.into_iter().find(|job| job["id"] == wanted.as_str()).unwrap_or(Value::Null)
    }

    /// Looks until a job is in a state.
    pub async fn until(&self, shop: &Shop, n: u32, state: &str) -> Value {
        let holds = async || Some(self.job(shop, n).await).filter(|job| job["state"] == state);
        within(PATIENCE, &format!("job {n} is {state}"), holds).await
    }

    pub async fn is_healthy(&self, node: &Node) -> bool {
        let health = self.client.get(format!("http://{}/healthz", node.address));
        answer(health).await.0 == StatusCode::OK
    }
}

fn config(url: &str) -> Config {
    let database = url.parse().unwrap();
    // Jobs that were parked come back as fast as they are printed.
    let schedule = Schedule { recovery_every_ms: 0, ..Schedule::default() };
    Config { listen: ([127, 0, 0, 1], 0).into(), database, schedule, ..Config::default() }
}

/// Looks until there is something.
pub async fn until<T, F: Future<Output = Option<T>>>(what: &str, look: impl FnMut() -> F) -> T {
    within(PATIENCE, what, look).await
}

pub async fn within<T, F: Future<Output = Option<T>>>(
    time: Duration,
    what: &str,
    mut look: impl FnMut() -> F,
) -> T {
    let began = Instant::now();
    while began.elapsed() < time {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("not within {time:?}: {what}")
}

/// A node in a runtime of its own, so that it can be killed.
pub struct Node {
    pub address: SocketAddr,
    dispatcher: Option<Dispatcher>,
    runtime: Option<Runtime>,
    _folder: TempDir,
}

impl Node {
    /// Ends it as `kill -9` would: nothing is said, its connections drop.
    pub fn kill(mut self) {
        self.end();
    }

    /// Stops it in order.
    pub async fn stop(mut self) {
        let (Some(runtime), Some(dispatcher)) = (&self.runtime, self.dispatcher.take()) else {
            unreachable!()
        };
        runtime.spawn(dispatcher.stop()).await.unwrap();
    }

    /// Registers connected to it, as of its last figures.
    pub fn connected(&self) -> usize {
        let dispatcher = self.dispatcher.as_ref();
        dispatcher.map_or(0, |dispatcher| dispatcher.scheduler().snapshot().connected)
    }

    pub fn is_on_duty(&self) -> bool {
        self.dispatcher.as_ref().is_some_and(Dispatcher::is_on_duty)
    }

    fn end(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.end();
    }
}
