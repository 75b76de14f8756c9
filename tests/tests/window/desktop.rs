//! A desktop without a person: a display, a message bus, a WebDriver, and folders of its own.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use fantoccini::ClientBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};
use tempfile::TempDir;
use tillroll_tests::api::Api;

use crate::page::Page;

/// Longer than anything takes that is right, on a slow machine that draws without a graphics card.
pub const PATIENCE: Duration = Duration::from_secs(90);
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The program under test: the one in the target folder of this suite, or the one `TILLROLL_WINDOW` names.
pub fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("TILLROLL_WINDOW") {
        return named.into();
    }
    let suite = std::env::current_exe().expect("a running program has a path");
    let profile = suite.parent().and_then(Path::parent).expect("suites lie in `deps`");
    profile.join("tillroll")
}

/// A display with a bus and a driver on it.
pub struct Desktop {
    folder: TempDir,
    display: Child,
    display_name: String,
    driver: Child,
    driver_port: u16,
    bus: String,
}

impl Desktop {
    pub async fn start() -> Result<Self> {
        ensure!(program().is_file(), "{} is not built: make window-test", program().display());
        let folder = tempfile::tempdir()?;
        let (display, display_name) = start_display()?;
        let (driver_port, native_port) = (free_port()?, free_port()?);
        let bus_file = folder.path().join("bus");
        let script = format!(
            "echo $DBUS_SESSION_BUS_ADDRESS >{}; exec tauri-driver --port {driver_port} --native-port {native_port}",
            bus_file.display()
        );
        let driver = Command::new("dbus-run-session")
            .args(["--", "sh", "-c", &script])
            .envs(surroundings(&folder, &display_name))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .context("dbus-run-session")?;
        let mut desktop =
            Self { folder, display, display_name, driver, driver_port, bus: String::new() };
        wait_until("the driver", || {
            let listens = |port| std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
            Ok((listens(driver_port) && listens(native_port)).then_some(()))
        })
        .await?;
        desktop.bus = std::fs::read_to_string(bus_file)?.trim().to_owned();
        Ok(desktop)
    }

    /// The data folder of the register on this desktop.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("till")
    }

    /// Opens the program's window.
    pub async fn open(&self, more: &[&str]) -> Result<Page> {
        let data = self.data().display().to_string();
        let arguments: Vec<&str> =
            ["--data", &data].into_iter().chain(more.iter().copied()).collect();
        let options = json!({"application": program(), "args": arguments});
        let capabilities = json!({"browserName": "wry", "tauri:options": options});
        let Value::Object(capabilities) = capabilities else { unreachable!("it is an object") };
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{}", self.driver_port))
            .await?;
        Ok(Page::of(client))
    }

    /// Starts the program once more, as a double click does; its exit code.
    pub async fn start_again(&self) -> Result<Option<i32>> {
        let mut again = Command::new(program())
            .arg("--data")
            .arg(self.data())
            .envs(surroundings(&self.folder, &self.display_name))
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        wait_until("the second start", || Ok(again.try_wait()?.map(|status| status.code()))).await
    }

    /// Kills the program as a power cut does.
    pub async fn kill_program(&self) -> Result<()> {
        let pids = self.program_pids()?;
        ensure!(!pids.is_empty(), "the program does not run");
        for pid in pids {
            kill_process(pid, Signal::KILL)?;
        }
        self.program_ends().await
    }

    /// Waits until the program is gone.
    pub async fn program_ends(&self) -> Result<()> {
        wait_until("the end of the program", || Ok(self.program_pids()?.is_empty().then_some(())))
            .await
    }

    /// The processes of the program that work on this desktop's folder.
    fn program_pids(&self) -> Result<Vec<Pid>> {
        let (program, data) = (program(), self.data());
        let mut pids = Vec::new();
        for entry in std::fs::read_dir("/proc")? {
            let path = entry?.path();
            let Ok(command) = std::fs::read_to_string(path.join("cmdline")) else { continue };
            let mut words = command.split('\0');
            let is_ours =
                words.next() == program.to_str() && words.any(|word| Some(word) == data.to_str());
            let pid = path.file_name().and_then(|name| name.to_str()?.parse().ok());
            if is_ours && let Some(pid) = pid.and_then(Pid::from_raw) {
                pids.push(pid);
            }
        }
        Ok(pids)
    }

    /// The register's API, as a POS finds it.
    pub async fn api(&self) -> Result<Api> {
        let data = self.data();
        wait_until("the API", || {
            let Ok(text) = std::fs::read(data.join("endpoint.json")) else { return Ok(None) };
            let endpoint: Value = serde_json::from_slice(&text)?;
            let address = endpoint["address"].as_str().context("no address")?.to_owned();
            if std::net::TcpStream::connect(&address).is_err() {
                return Ok(None);
            }
            let token = std::fs::read_to_string(data.join("token"))?;
            Ok(Some(Api::of(&address, token.trim())?))
        })
        .await
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        for child in [&mut self.driver, &mut self.display] {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            let _ = child.wait();
        }
        for pid in self.program_pids().unwrap_or_default() {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Looks until there is what is waited for.
pub async fn wait_until<T>(what: &str, mut look: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let begun = Instant::now();
    loop {
        if let Some(found) = look()? {
            return Ok(found);
        }
        ensure!(begun.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

fn start_display() -> Result<(Child, String)> {
    let mut display = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1366x768x24", "-nolisten", "tcp"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .context("Xvfb")?;
    let mut number = String::new();
    let stdout = display.stdout.take().context("no standard output")?;
    BufReader::new(stdout).read_line(&mut number)?;
    Ok((display, format!(":{}", number.trim())))
}

fn surroundings(folder: &TempDir, display: &str) -> Vec<(&'static str, String)> {
    let own = |name: &str| folder.path().join(name).display().to_string();
    vec![
        ("DISPLAY", display.to_owned()),
        ("GDK_BACKEND", "x11".to_owned()),
        ("LIBGL_ALWAYS_SOFTWARE", "1".to_owned()),
        ("XDG_DATA_HOME", own("data")),
        ("XDG_CONFIG_HOME", own("config")),
        ("XDG_CACHE_HOME", own("cache")),
        // The sandbox of WebKit needs namespaces that a container does not give.
        ("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1".to_owned()),
    ]
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
