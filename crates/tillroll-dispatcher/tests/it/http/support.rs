//! A dispatcher in a folder of its own, with the people and programs that ask it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::config::Config;
use tillroll_dispatcher::http::HttpSettings;
use tillroll_dispatcher::redis::RedisSettings;
use tillroll_dispatcher::store::DispatcherStore as _;
use tillroll_dispatcher::{Dispatcher, DispatcherOptions};
use tillroll_domain::clock::Clock;
use tillroll_testkit::PostgresServer;
use tillroll_wire::channel::Hello;

use super::line::hello;

/// How a dispatcher is started.
#[derive(Clone)]
pub struct Plan {
    pub config: Config,
    pub http: HttpSettings,
    pub clock: Arc<dyn Clock>,
    pub redis: RedisSettings,
}

impl Default for Plan {
    fn default() -> Self {
        let config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        let http = config.http();
        // A machine that is busy with other tests is no Redis that is gone.
        let redis = RedisSettings { call: Duration::from_secs(5), ..RedisSettings::default() };
        Self { config, http, clock: Arc::new(SystemClock), redis }
    }
}

pub struct Cloud {
    folder: Option<TempDir>,
    data: PathBuf,
    plan: Plan,
    pub dispatcher: Dispatcher,
    client: Client,
    server: Option<PostgresServer>,
}

/// A store and a business system's key to it.
pub struct Shop {
    pub uid: String,
    pub token: String,
    pub key: i64,
}

/// Status and JSON of an answer.
pub type Answer = (StatusCode, Value);

impl Cloud {
    pub async fn start() -> Self {
        Self::with(Plan::default()).await
    }

    /// On PostgreSQL, as one node of perhaps several.
    pub async fn on_postgres() -> Self {
        let server = PostgresServer::start();
        let mut plan = Plan::default();
        plan.config.database = server.url().parse().unwrap();
        Self { server: Some(server), ..Self::with(plan).await }
    }

    /// The database it is on.
    pub fn engine(&self) -> &'static str {
        if self.server.is_some() { "PostgreSQL" } else { "SQLite" }
    }

    pub async fn with(plan: Plan) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        Self { folder: Some(folder), ..Self::at(&data, plan).await }
    }

    pub async fn at(data: &Path, plan: Plan) -> Self {
        let dispatcher = begin(data, &plan).await;
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap();
        Self { folder: None, data: data.to_owned(), plan, dispatcher, client, server: None }
    }

    /// The program ends and starts again on the same folder, at another port.
    pub async fn restart(self) -> Self {
        let Self { folder, data, plan, dispatcher, client, server } = self;
        dispatcher.stop().await;
        let dispatcher = begin(&data, &plan).await;
        Self { folder, data, plan, dispatcher, client, server }
    }

    /// Makes a tenant of that name with a store of that code, and a key to the store.
    pub async fn shop(&self, tenant: &str, code: &str) -> Shop {
        let admin = self.dispatcher.admin();
        admin.add_tenant(tenant).await.unwrap();
        let uid = admin.add_store(tenant, code, "Shop").await.unwrap().uid;
        let stores = std::slice::from_ref(&uid);
        let made = admin.add_api_key(tenant, "platform", stores, None).await.unwrap();
        Shop { uid, token: made.token, key: made.id }
    }

    /// Pairs an installation as a register; its credential.
    pub async fn pair(&self, shop: &Shop, register: &str) -> String {
        let code = self.dispatcher.admin().add_register(&shop.uid, register).await.unwrap().code;
        let (status, paired) = self.use_code(&code, register).await;
        assert_eq!(status, StatusCode::OK, "{paired}");
        assert_eq!(paired["store_uid"], shop.uid);
        paired["credential"].as_str().unwrap().to_owned()
    }

    /// A register that said once that it has printer `front`, and is away.
    pub async fn announce(&self, shop: &Shop, register: &str) {
        let store = self.dispatcher.store();
        let no = store.store_of(shop.uid.clone()).await.unwrap().unwrap().no;
        let registers = store.registers(no).await.unwrap();
        let of = registers.iter().find(|known| known.name.as_str() == register).unwrap().no;
        let Hello { printers, routes, .. } = hello(register, "front");
        let names = printers.into_iter().map(|printer| printer.name).collect();
        let routes = routes.into_iter().collect();
        store.announce(of, names, routes, SystemClock.now()).await.unwrap();
    }

    pub async fn use_code(&self, code: &str, register: &str) -> Answer {
        let body = json!({"protocol": 1, "code": code, "store": "S1", "register": register,
            "installation": installation(register)});
        answer(self.request(Method::POST, "/v1/pair").json(&body)).await
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("http://{}{path}", self.dispatcher.address()))
    }

    pub async fn get(&self, secret: &str, path: &str) -> Answer {
        answer(self.request(Method::GET, path).bearer_auth(secret)).await
    }

    pub async fn post(&self, secret: &str, path: &str, body: &Value) -> Answer {
        answer(self.request(Method::POST, path).bearer_auth(secret).json(body)).await
    }

    pub async fn send(&self, shop: &Shop, body: &Value) -> Answer {
        self.post(&shop.token, &jobs_of(shop), body).await
    }

    pub async fn job(&self, shop: &Shop, n: u32) -> Answer {
        self.get(&shop.token, &format!("{}/{}", jobs_of(shop), id(n))).await
    }

    /// Looks until a job is in a state.
    pub async fn until(&self, shop: &Shop, n: u32, state: &str) -> Value {
        for _ in 0..1_000 {
            let (_, job) = self.job(shop, n).await;
            if job["state"] == state {
                return job;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("job {n} is not {state}: {:?}", self.job(shop, n).await)
    }

    /// Looks until a figure stands so in the metrics.
    pub async fn until_figure(&self, figure: &str) {
        let mut figures = String::new();
        for _ in 0..500 {
            let asked = self.request(Method::GET, "/metrics").send().await.unwrap();
            figures = asked.text().await.unwrap();
            if figures.contains(figure) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{figure}: {figures}")
    }

    /// Looks until so many registers are connected.
    pub async fn until_connected(&self, count: usize) {
        for _ in 0..1_000 {
            if self.dispatcher.scheduler().snapshot().connected == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{:?}", self.dispatcher.scheduler().snapshot())
    }
}

async fn begin(data: &Path, plan: &Plan) -> Dispatcher {
    let Plan { config, http, clock, redis } = plan.clone();
    let options = DispatcherOptions::new(data, config);
    let options = DispatcherOptions { clock, http: Some(http), redis, ..options };
    Dispatcher::start(options).await.unwrap()
}

pub async fn answer(request: RequestBuilder) -> Answer {
    let answer = request.send().await.unwrap();
    let status = answer.status();
    (status, answer.json().await.unwrap_or(Value::Null))
}

pub fn jobs_of(shop: &Shop) -> String {
    format!("/v1/stores/{}/print-jobs", shop.uid)
}

/// Kitchen order `n` for the printer `front`.
pub fn order(n: u32) -> Value {
    json!({"order_no": format!("{n:06}"), "kind": "kitchen", "printer": "front",
        "lines": [{"name": "Soup", "quantity": "2"}]})
}

pub fn id(n: u32) -> String {
    format!("S1:{n:06}:kitchen:v1")
}

pub fn installation(register: &str) -> String {
    format!("machine-{register}")
}
