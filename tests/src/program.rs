//! Where the built programs are, and how one is started.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;

/// The `tillctl` of this build; built first when it is not there yet. One that is there is not built
/// anew: run these suites with the whole workspace, which does that.
///
/// # Errors
/// When it cannot be built.
pub fn tillctl() -> anyhow::Result<PathBuf> {
    built("tillroll-register", "tillctl")
}

/// The `tillroll-dispatcher` of this build, as [`tillctl`].
///
/// # Errors
/// When it cannot be built.
pub fn dispatcher() -> anyhow::Result<PathBuf> {
    built("tillroll-dispatcher", "tillroll-dispatcher")
}

fn built(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    let test = std::env::current_exe()?;
    let profile = test.parent().and_then(|deps| deps.parent()).context("no target folder")?;
    let path = profile.join(name);
    if !path.is_file() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "-p", package, "--bin", name])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()?;
        ensure!(built.success(), "{name} could not be built");
    }
    Ok(path)
}

/// Runs a command of `tillctl` to its end.
///
/// # Errors
/// When it fails; with what it said.
pub fn run(arguments: &[&str]) -> anyhow::Result<String> {
    run_of(&tillctl()?, arguments)
}

/// Runs a command of a program to its end.
///
/// # Errors
/// When it fails; with what it said.
pub fn run_of(program: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} {arguments:?}: {said}", program.display());
    Ok(String::from_utf8(output.stdout)?)
}

/// Makes the register that the suites sell at: store S1, register R1.
///
/// # Errors
/// When it cannot be made.
pub fn init(folder: &Path) -> anyhow::Result<()> {
    init_in(folder, "S1")
}

/// Makes register R1 of a store.
///
/// # Errors
/// When it cannot be made.
pub fn init_in(folder: &Path, store: &str) -> anyhow::Result<()> {
    let data = folder.display().to_string();
    let place = ["init", "--data", &data, "--store", store, "--register", "R1"];
    let day = ["--zone", "Asia/Shanghai", "--cutoff", "04:00"];
    let paper = ["--currency", "CNY", "--locale", "en"];
    run(&[&place[..], &day, &paper].concat()).map(drop)
}

/// Starts a program of `tillctl` that tells on its first line where it listens.
///
/// # Errors
/// When it ends before that.
pub async fn start(arguments: &[&str]) -> anyhow::Result<(Child, String)> {
    start_of(&tillctl()?, arguments).await
}

/// Starts a program that tells on its first line where it listens.
///
/// # Errors
/// When it ends before that.
pub async fn start_of(program: &Path, arguments: &[&str]) -> anyhow::Result<(Child, String)> {
    let mut child = tokio::process::Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let listening = listening(&mut child).await;
    let listening = listening.with_context(|| format!("{} {arguments:?}", program.display()))?;
    Ok((child, listening))
}

/// Waits until a program tells on its first line, to a standard output that is a pipe, where it listens.
///
/// # Errors
/// When it ends before that.
pub async fn listening(child: &mut Child) -> anyhow::Result<String> {
    let stdout = child.stdout.take().context("no standard output")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).await?;
    let told: Value = serde_json::from_str(&line).with_context(|| format!("its line: {line:?}"))?;
    Ok(told["listening"].as_str().context("it does not say where it listens")?.to_owned())
}
