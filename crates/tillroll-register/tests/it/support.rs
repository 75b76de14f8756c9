//! A shop: a register in a folder of its own behind its API, and somebody who asks it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use tillroll_domain::clock::Clock;
use tillroll_paper::VirtualPrinter;
use tillroll_register::http::{HttpSettings, serve};
use tillroll_register::{Register, RegisterOptions, SystemClock};
use tillroll_store::{RegisterSettings, StoreOptions};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Longer than anything takes that is right.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct Shop {
    pub register: Register,
    pub port: u16,
    pub token: String,
    pub folder: TempDir,
    http: reqwest::Client,
    shutdown: oneshot::Sender<()>,
    server: JoinHandle<std::io::Result<()>>,
}

/// How a shop is set up.
pub struct Plan {
    pub clock: Arc<dyn Clock>,
    pub http: HttpSettings,
    pub store: StoreOptions,
    pub zone: &'static str,
    pub cutoff: &'static str,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            http: HttpSettings::default(),
            store: StoreOptions::default(),
            zone: "Asia/Shanghai",
            cutoff: "04:00",
        }
    }
}

impl Shop {
    /// A shop without a printer.
    pub async fn open(plan: Plan) -> Self {
        let folder = tempfile::tempdir().unwrap();
        init(folder.path(), plan.zone, plan.cutoff).await;
        let token = std::fs::read_to_string(folder.path().join("token")).unwrap();
        let options = RegisterOptions { store: plan.store, ..options(plan.clock) };
        let register = Register::start(folder.path(), options).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (shutdown, asked) = oneshot::channel();
        let until = async { asked.await.unwrap_or(()) };
        let server = tokio::spawn(serve(register.clone(), listener, plan.http, until));
        let http = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap();
        Self { register, port, token, folder, http, shutdown, server }
    }

    /// A shop with a virtual printer that proves each job, `front`.
    pub async fn with_printer() -> (Self, VirtualPrinter) {
        let shop = Self::open(Plan::default()).await;
        let printer = shop.add_virtual("front").await;
        (shop, printer)
    }

    pub async fn add_virtual(&self, name: &str) -> VirtualPrinter {
        let body = json!({"name": name, "uri": format!("virtual:{name}"), "level": "token"});
        let added = self.post("/v1/printers", &body).await;
        assert_eq!(added.status(), 201);
        self.register.virtual_printer(name).unwrap()
    }

    /// A printer nobody answers for.
    pub async fn add_dead(&self, name: &str) {
        let uri = format!("tcp://127.0.0.1:{}", free_port().await);
        let body = json!({"name": name, "uri": uri, "level": "token"});
        assert_eq!(self.post("/v1/printers", &body).await.status(), 201);
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// A request without a token.
    pub fn bare(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, self.url(path))
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.bare(method, path).bearer_auth(&self.token)
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path).json(body).send().await.unwrap()
    }

    pub async fn put(&self, path: &str, body: &Value) -> Response {
        self.request(Method::PUT, path).json(body).send().await.unwrap()
    }

    /// A POST without a body.
    pub async fn poke(&self, path: &str) -> Response {
        self.request(Method::POST, path).send().await.unwrap()
    }

    pub async fn submit(&self, receipt: &Value) -> Response {
        self.post("/v1/receipts", receipt).await
    }

    /// The JSON of a GET that must be right.
    pub async fn read(&self, path: &str) -> Value {
        let answered = self.get(path).await;
        assert_eq!(answered.status(), 200, "{path}");
        answered.json().await.unwrap()
    }

    /// Waits until a job is in that state; its story then.
    pub async fn wait_for_state(&self, id: &str, state: &str) -> Value {
        let path = format!("/v1/jobs/{id}");
        self.wait_for(&path, |story| story["state"] == state).await
    }

    /// Waits, with a limit, until what a path answers is as wished.
    pub async fn wait_for(&self, path: &str, wished: impl Fn(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        let polled = tokio::time::timeout(PATIENCE, async {
            loop {
                last = self.read(path).await;
                if wished(&last) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        assert!(polled.await.is_ok(), "{path} still answers {last}");
        last
    }

    /// A client program with its own token.
    pub async fn make_client(&self, body: Value) -> String {
        let made = self.post("/v1/clients", &body).await;
        assert_eq!(made.status(), 201);
        made.json::<Value>().await.unwrap()["token"].as_str().unwrap().to_owned()
    }

    /// Ends the server; the register goes on.
    pub async fn end_server(self) -> (Register, TempDir) {
        self.shutdown.send(()).unwrap();
        tokio::time::timeout(PATIENCE, self.server).await.unwrap().unwrap().unwrap();
        (self.register, self.folder)
    }
}

/// Makes a register of store S1.
pub async fn init(folder: &Path, zone: &str, cutoff: &str) {
    let settings = RegisterSettings {
        store: "S1".parse().unwrap(),
        register: "R1".parse().unwrap(),
        zone: zone.to_owned(),
        cutoff: cutoff.to_owned(),
        currency: "CNY".parse().unwrap(),
        locale: "en".to_owned(),
    };
    Register::init(folder, settings).await.unwrap();
}

pub async fn start(
    folder: &Path,
    clock: Arc<dyn Clock>,
) -> Result<Register, tillroll_register::BootError> {
    Register::start(folder, options(clock)).await
}

fn options(clock: Arc<dyn Clock>) -> RegisterOptions {
    RegisterOptions { clock, fonts: Vec::new(), ..RegisterOptions::default() }
}

/// A port nobody listens on.
async fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

/// Receipt number `n` of 12.50 in cash, 20.00 handed over.
pub fn receipt(n: u32) -> Value {
    serde_json::to_value(tillroll_testkit::receipts::simple(n)).unwrap()
}

/// The text of a ticket without spaces: enlarged letters stand apart.
pub fn squeezed(ticket: &tillroll_paper::Ticket) -> String {
    ticket.text().replace(' ', "")
}

/// The same sale with that order number.
pub fn receipt_no(order_no: &str) -> Value {
    let mut receipt = receipt(1);
    receipt["order_no"] = order_no.into();
    receipt
}

/// A problem document, checked for what all of them have.
pub async fn problem(response: Response) -> Value {
    let status = response.status().as_u16();
    let header =
        |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-type").as_deref(), Some("application/problem+json"));
    let request_id = header("x-request-id");
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["status"], status, "{problem}");
    let code = problem["code"].as_str().unwrap();
    assert_eq!(problem["type"], format!("urn:tillroll:problem:{code}"));
    assert_eq!(problem["request_id"].as_str(), request_id.as_deref());
    for text in ["title", "detail"] {
        assert!(!problem[text].as_str().unwrap().is_empty(), "{problem}");
    }
    problem
}

/// Asserts a refusal by status and code; the problem then.
pub async fn refused(response: Response, status: u16, code: &str) -> Value {
    assert_eq!(response.status(), status);
    let problem = problem(response).await;
    assert_eq!(problem["code"], code, "{problem}");
    problem
}
