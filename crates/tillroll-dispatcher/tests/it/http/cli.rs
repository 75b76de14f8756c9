//! The program itself: commands while it serves and while it does not.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

pub fn program(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tillroll-dispatcher"));
    command.env("TILLROLL_DISPATCHER_DATA", data).stdin(Stdio::null()).kill_on_drop(true);
    command
}

async fn run(program: &mut Command, words: &[&str]) -> Output {
    timeout(Duration::from_secs(60), program.args(words).output()).await.unwrap().unwrap()
}

/// What a command that succeeds prints.
async fn said(data: &Path, words: &[&str]) -> String {
    said_by(&mut program(data), words).await
}

pub async fn said_by(program: &mut Command, words: &[&str]) -> String {
    let output = run(program, words).await;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Exit code and message of a command that fails.
async fn refused(data: &Path, words: &[&str]) -> (i32, String) {
    let output = run(&mut program(data), words).await;
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

pub type Serving = (Child, BufReader<tokio::process::ChildStdout>, Value);

async fn serve(data: &Path) -> Serving {
    listening(program(data).args(["serve", "--listen", "127.0.0.1:0"])).await
}

pub async fn listening(serving: &mut Command) -> Serving {
    serving.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = serving.spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    timeout(Duration::from_secs(30), stdout.read_line(&mut line)).await.unwrap().unwrap();
    (child, stdout, serde_json::from_str(&line).unwrap())
}

/// Makes a tenant, a store and a register; the store's uid.
async fn set_up(data: &Path, tenant: &str) -> String {
    said(data, &["tenant", "add", tenant]).await;
    let store = ["store", "add", "--tenant", tenant, "--code", "S1", "--name", "Shop"];
    let uid = said(data, &store).await;
    assert!(uid.starts_with("st_"), "{uid}");
    let code = said(data, &["register", "add", "--store", &uid, "R1"]).await;
    assert_eq!(code.len(), 14, "{code}");
    uid
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_work_while_it_serves_and_while_it_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let before = set_up(&data, "Old Wang").await;
    let (mut child, mut stdout, told) = serve(&data).await;
    assert!(told["listening"].as_str().unwrap().starts_with("127.0.0.1:"), "{told}");
    let during = set_up(&data, "Chloé").await;
    let stores = said(&data, &["store", "list", "--json"]).await;
    assert!(stores.contains(&before) && stores.contains(&during), "{stores}");
    let key = ["api-key", "add", "--tenant", "Chloé", "--store", &during, "platform"];
    assert!(said(&data, &key).await.starts_with("trk_"));
    let (code, why) = refused(&data, &key).await;
    assert_eq!(code, 1, "{why}");
    let (code, why) = refused(&data, &["migrate"]).await;
    assert!(code == 1 && why.contains("another program"), "{code}: {why}");
    stop(&mut child, &mut stdout).await;
    said(&data, &["register", "revoke", "--store", &during, "R1"]).await;
    let registers = said(&data, &["register", "list", "--store", &during]).await;
    assert!(registers.contains("revoked"), "{registers}");
    assert_eq!(said(&data, &["jobs", "--store", &during]).await, "no jobs");
    assert_eq!(said(&data, &["migrate"]).await, "the database is up to date");
}

#[tokio::test]
async fn limit_of_open_files_is_raised_to_what_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -Sn 64; ulimit -Hn 512; exec \"$0\" serve --listen 127.0.0.1:0"]);
    shell.arg(env!("CARGO_BIN_EXE_tillroll-dispatcher")).env("TILLROLL_DISPATCHER_DATA", &data);
    let (mut child, mut stdout, _) = listening(&mut shell).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id().unwrap())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    assert_eq!(line.split_whitespace().nth(3), Some("512"), "{line}");
    stop(&mut child, &mut stdout).await;
}

/// SIGTERM ends it within 3 s; it said one line and no more.
pub async fn stop(child: &mut Child, stdout: &mut BufReader<tokio::process::ChildStdout>) {
    let began = Instant::now();
    let pid = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
    let status = timeout(Duration::from_secs(20), child.wait()).await.unwrap().unwrap();
    assert!(status.success(), "{status}");
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "");
}

#[tokio::test]
async fn exit_codes_say_what_kind_of_failure_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (code, why) =
        refused(&data, &["store", "add", "--tenant", "Nobody", "--code", "S1", "--name", "x"])
            .await;
    assert!(code == 1 && why.contains("Nobody"), "{code}: {why}");
    assert_eq!(refused(&data, &["no-such-command"]).await.0, 2);
    let mut nowhere = program(&data);
    let nowhere = nowhere.env_remove("TILLROLL_DISPATCHER_DATA").args(["tenant", "list"]);
    assert_eq!(nowhere.output().await.unwrap().status.code(), Some(2));
}

#[tokio::test]
async fn configuration_is_printed_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let defaults = said(folder.path(), &["print-default-config"]).await;
    let file = folder.path().join("dispatcher.toml");
    std::fs::write(&file, &defaults).unwrap();
    let check = ["check-config", "--config", file.to_str().unwrap()];
    assert_eq!(said(folder.path(), &check).await, "the configuration is sound");
    std::fs::write(&file, defaults.replace("push_cap_s = 30", "push_cap_s = 90")).unwrap();
    let (code, why) = refused(folder.path(), &check).await;
    assert!(code == 1 && why.contains("schedule.push_cap_s"), "{code}: {why}");
    std::fs::write(&file, "listn = 1\n").unwrap();
    let (code, why) = refused(folder.path(), &check).await;
    assert!(code == 1 && why.contains("listn"), "{code}: {why}");
}
