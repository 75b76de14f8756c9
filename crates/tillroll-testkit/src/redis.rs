//! A Redis server for one test: its own, on a free port, gone when the test is. It keeps nothing, unless it is
//! started as [`RedisServer::durable`]: what lies only in Redis is lost with it, and that is what is tested.

#![expect(clippy::expect_used, reason = "what fails here fails a test, with the reason")]

mod cluster;

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

pub use self::cluster::RedisCluster;

/// How long a server may take to start.
const START: Duration = Duration::from_secs(20);
/// How often is looked whether it has.
const LOOK: Duration = Duration::from_millis(2);
/// How many ports are tried.
const TRIES: u32 = 20;
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(2);
/// Ports are looked for from here on: below those that the system gives to outgoing connections.
const PORTS: std::ops::Range<u16> = 12_000..32_000;

/// A running server. It also ends with the thread that started it, however that ends.
#[derive(Debug)]
pub struct RedisServer {
    folder: TempDir,
    port: u16,
    options: Vec<String>,
    server: Child,
}

impl RedisServer {
    /// Starts an empty server.
    ///
    /// # Panics
    /// When Redis is not installed or does not start.
    #[must_use]
    pub fn start() -> Self {
        Self::with(Vec::new)
    }

    /// Starts an empty server that answers after its log was synced to the disk: for measurements.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    #[must_use]
    pub fn durable() -> Self {
        let options = ["--appendonly", "yes", "--appendfsync", "always"];
        Self::with(|| options.map(str::to_owned).to_vec())
    }

    /// Starts an empty server with more options, made anew for each try: somebody may take a port that was
    /// free.
    fn with(options: impl Fn() -> Vec<String>) -> Self {
        for _ in 0..TRIES {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let (port, options) = (free_port(), options());
            let server = launch(folder.path(), port, &options);
            let mut started = Self { folder, port, options, server };
            if started.becomes_ready() {
                return started;
            }
        }
        panic!("Redis does not start on any port");
    }

    /// Where it is reached.
    #[must_use]
    pub fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The port it listens at.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Kills it. All it had is lost.
    pub fn kill(&mut self) {
        let _gone_already = self.server.kill();
        let _ended = self.server.wait();
    }

    /// Starts it again after [`kill`](Self::kill), at the same port, empty.
    ///
    /// # Panics
    /// When it does not start.
    pub fn restart(&mut self) {
        self.server = launch(self.folder.path(), self.port, &self.options);
        assert!(self.becomes_ready(), "port {} was taken meanwhile", self.port);
    }

    /// Makes it silent: connections stand, and nothing is answered.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    /// Ends [`freeze`](Self::freeze).
    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    /// What it answers to a command of one line: the answer as it goes over the wire, up to a text that
    /// stands in it.
    ///
    /// # Panics
    /// When it does not answer so.
    #[must_use]
    pub fn ask(&self, command: &str, until: &str) -> String {
        let answer = ask(self.port, command, until);
        answer.unwrap_or_else(|| panic!("Redis does not answer {command:?} with {until:?}"))
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = i32::try_from(self.server.id()).ok().and_then(Pid::from_raw) {
            let _gone_already = kill_process(pid, signal);
        }
    }

    /// Waits until it answers; false when somebody else took the port.
    fn becomes_ready(&mut self) -> bool {
        let began = Instant::now();
        let own = format!("process_id:{}\r", self.server.id());
        loop {
            if ask(self.port, "INFO server", "process_id:").is_some_and(|said| said.contains(&own))
            {
                return true;
            }
            if self.server.try_wait().expect("a child can be asked for").is_some() {
                return false;
            }
            assert!(began.elapsed() < START, "Redis does not start: {}", self.log());
            sleep(LOOK);
        }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that nobody listens at.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let (count, own) = (PORTS.end - PORTS.start, std::process::id() % 19_997);
    loop {
        let step = u32::from(NEXT.fetch_add(1, Relaxed));
        // Programs of tests that run at the same time begin at places of their own.
        let place = (own * 31 + step) % u32::from(count);
        let port = PORTS.start + u16::try_from(place).unwrap_or_default();
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
}

fn launch(folder: &Path, port: u16, options: &[String]) -> Child {
    let folder = folder.display().to_string();
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig=SIGKILL", "redis-server", "--bind", "127.0.0.1"]);
    command.args(["--port", &port.to_string(), "--dir", &folder, "--logfile", "log"]);
    // Nothing on the disk, if the options do not say otherwise.
    command.args(["--save", "", "--appendonly", "no", "--daemonize", "no"]).args(options);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(is_installed(), "redis-server is not installed: `make tools` installs it");
    command.spawn().expect("setpriv of util-linux starts Redis")
}

fn is_installed() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("redis-server").exists())
}

/// Says one line and reads until a text stands in what is answered; no answer in time is none.
fn ask(port: u16, command: &str, until: &str) -> Option<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    stream.set_read_timeout(Some(ANSWER)).ok()?;
    stream.write_all(format!("{command}\r\n").as_bytes()).ok()?;
    let mut heard = Vec::new();
    let mut piece = [0; 4_096];
    loop {
        let read = stream.read(&mut piece).ok().filter(|read| *read > 0)?;
        heard.extend_from_slice(&piece[..read]);
        let said = String::from_utf8_lossy(&heard);
        if let Some(at) = said.find(until)
            && said[at..].contains("\r\n")
        {
            return Some(said.into_owned());
        }
    }
}
