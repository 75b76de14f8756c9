//! The built `tillctl`, run to its end or kept running.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// Whatever is waited for happens within this, on a busy machine too.
pub const LIMIT: Duration = Duration::from_secs(30);

/// What a command said.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Said {
    /// Its standard output, after making sure that it did what was asked.
    #[track_caller]
    pub fn done(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.stdout
    }

    /// Its standard output as JSON.
    #[track_caller]
    pub fn json(self) -> Value {
        let stdout = self.done();
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
    }
}

/// The program, in an environment without anything of the caller's that changes it.
pub fn tillctl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tillctl"));
    command.env_remove("TILLROLL_DATA").env_remove("TILLROLL_LOG").env_remove("NO_COLOR");
    command
}

/// Runs a command to its end.
pub fn run<const N: usize>(arguments: [&str; N]) -> Said {
    run_with(tillctl().args(arguments), "")
}

/// Runs a command to its end with that on standard input.
pub fn run_with(command: &mut Command, input: &str) -> Said {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A command that does not read its input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Looks until there is what is waited for.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < LIMIT, "not within {LIMIT:?}: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A program that goes on running; killed when dropped.
pub struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// The first line on its standard output.
    pub first_line: Value,
}

impl Running {
    pub fn start(command: &mut Command) -> Self {
        Self::spawn(command.stdin(Stdio::piped()))
    }

    /// With `/dev/null` as its standard input.
    pub fn without_input(command: &mut Command) -> Self {
        Self::spawn(command.stdin(Stdio::null()))
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let first_line = read_json(&mut stdout);
        Self { child, stdout, first_line }
    }

    pub fn address(&self) -> &str {
        self.first_line["listening"].as_str().unwrap()
    }

    /// Writes a line to its standard input and reads the line it answers.
    pub fn tell(&mut self, line: &str) -> Value {
        writeln!(self.child.stdin.as_ref().unwrap(), "{line}").unwrap();
        read_json(&mut self.stdout)
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Closes its standard input.
    pub fn close_input(&mut self) {
        self.child.stdin.take();
    }

    /// Waits until it has ended.
    pub fn wait(&mut self) -> ExitStatus {
        eventually("the program ends", || self.child.try_wait().unwrap())
    }

    /// How it ended, and what else it wrote to standard output.
    pub fn ended(mut self) -> (ExitStatus, String) {
        let status = self.wait();
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (status, rest)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_json(stdout: &mut BufReader<ChildStdout>) -> Value {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
}

/// A data folder with a register.
pub struct Till {
    folder: TempDir,
}

impl Till {
    pub fn init() -> Self {
        let till = Self { folder: tempfile::tempdir().unwrap() };
        let data = till.data();
        let arguments = ["init", "--data", &data, "--store", "S1", "--register", "R1", "--zone"];
        let more = ["Asia/Shanghai", "--cutoff", "04:00", "--currency", "CNY", "--locale", "en"];
        run_with(tillctl().args(arguments).args(more), "").done();
        till
    }

    pub fn data(&self) -> String {
        self.path().display().to_string()
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn serve(&self) -> Running {
        Running::start(tillctl().args(["serve", "--data", &self.data(), "--listen", "127.0.0.1:0"]))
    }

    /// Runs a command on this register.
    pub fn run<const N: usize>(&self, arguments: [&str; N]) -> Said {
        self.run_with(arguments, "")
    }

    pub fn run_with<const N: usize>(&self, arguments: [&str; N], input: &str) -> Said {
        run_with(tillctl().args(arguments).args(["--data", &self.data()]), input)
    }

    /// Waits until a job is in that state.
    pub fn wait_for(&self, id: &str, state: &str) -> Value {
        eventually(&format!("{id} is {state}"), || {
            let job = self.run(["job", id, "--json"]).json();
            (job["state"] == state).then_some(job)
        })
    }
}

/// A virtual printer as a program, with its folder of paper.
pub struct Printer {
    folder: TempDir,
    pub running: Running,
}

impl Printer {
    pub fn start<const N: usize>(more: [&str; N]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().display().to_string();
        let arguments = ["paper", "--listen", "127.0.0.1:0", "--out", &out];
        let running = Running::start(tillctl().args(arguments).args(more));
        Self { folder, running }
    }

    pub fn uri(&self) -> String {
        format!("tcp://{}", self.running.address())
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The lines of the journal for paper with anything on it.
    pub fn journal(&self) -> Vec<Value> {
        journal(self.folder())
    }

    /// Waits for that many tickets with anything on them, and reads the last of them.
    pub fn wait_for_paper(&self, tickets: usize) -> String {
        let entries = eventually("paper", || {
            let entries = self.journal();
            (entries.len() >= tickets).then_some(entries)
        });
        assert_eq!(entries.len(), tickets, "more came out than was sold");
        let number = entries.last().unwrap()["number"].as_u64().unwrap();
        fs::read_to_string(self.folder().join(format!("{number:04}.txt"))).unwrap()
    }
}

pub fn journal(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default();
    let entries = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    entries.filter(|entry| entry["blank"] == false).collect()
}
