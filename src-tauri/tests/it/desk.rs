//! A desk with the commands on it, and somebody who calls them as a page does.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tauri::test::{INVOKE_KEY, MockRuntime, mock_builder, mock_context, noop_assets};
use tauri::webview::InvokeRequest;
use tauri::{App, Manager as _, WebviewWindow, WebviewWindowBuilder};
use tempfile::TempDir;
use tillroll_register::problem::Problem;
use tillroll_register::{HostSettings, Register, RegisterOptions};
use tillroll_window::{Desk, DeskOptions, commands};

pub const PIN: &str = "2468";

/// Longer than anything takes that is right.
pub const PATIENCE: Duration = Duration::from_secs(20);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

pub struct Page {
    pub app: App<MockRuntime>,
    pub folder: TempDir,
    window: WebviewWindow<MockRuntime>,
}

impl Page {
    /// A page before set-up.
    pub fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("till");
        Self::on(folder, &data)
    }

    /// A page over the register of `data`.
    pub fn on(folder: TempDir, data: &Path) -> Self {
        Self::with(folder, data, options())
    }

    /// A page over the register of `data`, run so.
    pub fn with(folder: TempDir, data: &Path, options: DeskOptions) -> Self {
        let app = commands::on(mock_builder()).build(mock_context(noop_assets())).unwrap();
        app.manage(Desk::on(data.to_owned(), options));
        tauri::async_runtime::block_on(app.state::<Desk>().start());
        let window = WebviewWindowBuilder::new(&app, "main", Default::default()).build().unwrap();
        Self { app, folder, window }
    }

    /// A page over a register that was set up; a manager is unlocked.
    pub fn set_up() -> Self {
        let page = Self::open();
        page.call("set_up", json!({"body": answers()})).unwrap();
        page
    }

    /// A page with a printer that proves every job; a cashier sits at it.
    pub fn with_printer() -> Self {
        let page = Self::set_up();
        let body = json!({"uri": "virtual:front", "level": "token"});
        page.call("add_printer", json!({"name": "front", "body": body})).unwrap();
        page.call("lock_manager", json!({})).unwrap();
        page
    }

    /// What a command answers, or the problem.
    pub fn call(&self, command: &str, arguments: Value) -> Result<Value, Value> {
        let request = InvokeRequest {
            cmd: command.into(),
            callback: tauri::ipc::CallbackFn(0),
            error: tauri::ipc::CallbackFn(1),
            url: "tauri://localhost".parse().unwrap(),
            body: arguments.into(),
            headers: Default::default(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        let answered = tauri::test::get_ipc_response(&self.window, request);
        answered.map(|body| body.deserialize().unwrap())
    }

    /// The code of the problem a command answers.
    pub fn code_of(&self, command: &str, arguments: Value) -> String {
        let problem = self.call(command, arguments).unwrap_err();
        problem["code"].as_str().unwrap_or_else(|| panic!("no problem: {problem}")).to_owned()
    }

    pub fn unlock(&self) {
        self.call("unlock_manager", json!({"pin": PIN})).unwrap();
    }

    /// Hands a receipt over as a POS does, and waits for its paper.
    pub fn sell(&self, order: &str) -> String {
        let id = self.submit(order);
        self.wait_for(&id, "printed");
        id
    }

    /// Hands a receipt over; its id.
    pub fn submit(&self, order: &str) -> String {
        self.hand_over(order, 5400).unwrap()
    }

    /// Hands a receipt over whose lines say 54.00; its id, or why it is refused.
    pub fn hand_over(&self, order: &str, total_minor: i64) -> Result<String, Problem> {
        let receipt = json!({"order_no": order, "kind": "receipt", "total_minor": total_minor,
            "lines": [{"name": "红烧牛肉面", "amount_minor": 5400}],
            "tenders": [{"type": "card", "amount_minor": total_minor}]});
        let token = std::fs::read_to_string(self.data().join("token")).unwrap();
        let register = self.register();
        tauri::async_runtime::block_on(async {
            let access = register.authenticate(&token).await?;
            Ok(register.submit(&access, receipt.to_string().as_bytes()).await?.id)
        })
    }

    /// The register behind the commands.
    pub fn register(&self) -> Register {
        let desk = self.app.state::<Desk>();
        tauri::async_runtime::block_on(desk.register_for_tests()).unwrap()
    }

    /// Waits until a job is in that state; the job.
    pub fn wait_for(&self, id: &str, state: &str) -> Value {
        self.wait_until(|| {
            let job = self.call("job", json!({"id": id})).unwrap();
            (job["state"] == state).then_some(job)
        })
    }

    pub fn wait_until<T>(&self, look: impl Fn() -> Option<T>) -> T {
        let begun = std::time::Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(found) = look() {
                return found;
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        panic!("it took longer than {PATIENCE:?}");
    }

    pub fn today(&self) -> String {
        self.call("app_state", json!({})).unwrap()["today"].as_str().unwrap().to_owned()
    }

    pub fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("till")
    }

    /// Ends the register in order; the page stays.
    pub fn stop(&self) {
        tauri::async_runtime::block_on(self.app.state::<Desk>().stop(PATIENCE));
    }

    /// Ends the register in order; the folder stays.
    pub fn close(self) -> TempDir {
        self.stop();
        self.folder
    }
}

pub fn answers() -> Value {
    json!({"store": "S1", "register": "R1", "zone": "Asia/Shanghai", "cutoff": "04:00",
        "currency": "CNY", "locale": "zh-CN", "manager_pin": PIN})
}

/// A register with an API at any port, and without fonts.
pub fn options() -> DeskOptions {
    let address = "127.0.0.1:0".parse().unwrap();
    DeskOptions {
        register: RegisterOptions { fonts: Vec::new(), ..RegisterOptions::default() },
        host: HostSettings { address, ..HostSettings::default() },
        ..DeskOptions::default()
    }
}
