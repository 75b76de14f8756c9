//! A disk whose sync fails, by a system call that really returns EIO: this test program runs itself
//! under strace.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use tillroll_sqlite::{Database, Options, WriteError};

use crate::support::{numbers, options, sell};

/// Set for the child: the database it works on.
const DATABASE: &str = "TILLROLL_FAILING_SYNC_DATABASE";

/// Set for the child: how many sales, 30 if unset.
const SALES: &str = "TILLROLL_FAILING_SYNC_SALES";

/// Sells from 1 on and prints what it was told, one line a sale.
#[test]
#[ignore = "runs as a child of the tests below"]
fn child() {
    let Some(path) = std::env::var_os(DATABASE) else { return };
    let idle_after = std::time::Duration::from_secs(60);
    let opened = Database::open(Path::new(&path), Options { idle_after, ..options() });
    let Ok((database, _)) = opened else {
        println!("\nover 0");
        return;
    };
    let sales = std::env::var(SALES).map_or(30, |sales| sales.parse().unwrap());
    for number in 1..=sales {
        let answer = match sell(&database, number) {
            Ok(_) => "stored",
            Err(WriteError::OutcomeUnknown) => "unknown",
            Err(_) => "refused",
        };
        println!("\nsale {number} {answer}");
    }
    println!("\nover {}", database.health().rewrites);
}

/// What the child was told.
#[derive(Default)]
struct Story {
    stored: Vec<i64>,
    unknown: Vec<i64>,
    rewrites: u64,
}

fn can_trace() -> bool {
    Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "true"])
        .status()
        .is_ok_and(|s| s.success())
}

/// Runs the child with a fault injected into its system calls.
fn run_under_strace(database: &Path, inject: &str) -> Story {
    let mut child = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", inject])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "failing_sync::child", "--ignored", "--nocapture"])
        .env(DATABASE, database)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut story = Story::default();
    let mut is_over = false;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        match line.unwrap().split(' ').collect::<Vec<_>>()[..] {
            ["sale", number, "stored"] => story.stored.push(number.parse().unwrap()),
            ["sale", number, "unknown"] => story.unknown.push(number.parse().unwrap()),
            ["over", rewrites] => {
                story.rewrites = rewrites.parse().unwrap();
                is_over = true;
            }
            _ => {}
        }
    }
    child.wait().unwrap();
    assert!(is_over, "{inject}: the child broke off");
    story
}

/// Runs the child and compares what it was told with what the next start finds.
fn check(inject: &str) -> Story {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("till.db");
    let story = run_under_strace(&path, inject);
    let (database, opening) = Database::open(&path, options()).unwrap();
    assert!(opening.rescue.is_none(), "{inject}: {opening:?}");
    let found = numbers(&database);
    for number in &story.stored {
        assert!(found.contains(number), "{inject}: sale {number} was acknowledged and is gone");
    }
    for number in &found {
        let known = story.stored.contains(number) || story.unknown.contains(number);
        assert!(known, "{inject}: sale {number} was refused and is there");
    }
    story
}

#[test]
fn failed_sync_is_reported_and_the_database_rewritten() {
    if !can_trace() {
        println!("skipped: strace cannot be used here");
        return;
    }
    // The open needs fewer than 20 syncs, so this one belongs to one of the 30 commits.
    let story = check("inject=fdatasync:error=EIO:when=25");
    assert_eq!(story.unknown.len(), 1, "one commit's outcome is unknown");
    assert_eq!(story.stored.len(), 29, "all others were stored");
    assert_eq!(story.rewrites, 1);
}

#[test]
fn nothing_is_falsely_acknowledged_whichever_call_fails() {
    if !can_trace() {
        println!("skipped: strace cannot be used here");
        return;
    }
    for when in (1..=55).step_by(18) {
        check(&format!("inject=fdatasync:error=EIO:when={when}"));
        check(&format!("inject=fdatasync:error=EIO:when={when}+"));
        check(&format!("inject=pwrite64:error=ENOSPC:when={}", when * 3));
        check(&format!("inject=pwrite64:error=EIO:when={}+7", when * 3));
    }
}

/// Lines of a trace that has the names of open files, from the rewrite of the database on.
fn calls_since_rewrite(database: &Path) -> Vec<String> {
    let trace = database.with_extension("trace");
    let traced = Command::new("strace")
        .args(["-f", "-qq", "-y", "-e", "trace=rename,openat,fsync,fdatasync,write"])
        .args(["-e", "inject=fdatasync:error=EIO:when=25", "-o"])
        .arg(&trace)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "failing_sync::child", "--ignored", "--nocapture"])
        .env(DATABASE, database)
        .stdout(Stdio::null())
        .status();
    assert!(traced.unwrap().success());
    let trace = std::fs::read_to_string(trace).unwrap();
    let lines = trace.lines().skip_while(|line| !line.contains(".rewritten\", \"")).skip(1);
    lines.map(str::to_owned).collect()
}

/// SQLite itself goes on when the folder of a new log cannot be synced.
#[test]
fn new_log_has_its_name_on_the_disk_before_a_sale_is_stored() {
    if !can_trace() {
        println!("skipped: strace cannot be used here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let calls = calls_since_rewrite(&folder.path().join("till.db"));
    let place = |what: &str, from: usize, is_it: &dyn Fn(&str) -> bool| {
        let found = calls[from..].iter().position(|call| is_it(call));
        from + found.unwrap_or_else(|| panic!("no {what} in {calls:#?}"))
    };
    let made = place("log", 0, &|call| call.contains("-wal\"") && call.contains("O_CREAT"));
    let of_folder = format!("<{}>)", folder.path().display());
    let is_synced = |call: &str| {
        call.contains(" fsync(") && call.contains(&of_folder) && call.ends_with(" = 0")
    };
    let durable = place("sync of the folder", made, &is_synced);
    let stored = place("sale", made, &|call| call.contains("sale ") && call.contains("stored"));
    assert!(durable < stored, "{calls:#?}");
}

fn syncs_of(sales: u32) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let traced = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=fsync,fdatasync", "-o"])
        .arg(&trace)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "failing_sync::child", "--ignored"])
        .env(DATABASE, folder.path().join("till.db"))
        .env(SALES, sales.to_string())
        .stdout(Stdio::null())
        .status();
    assert!(traced.unwrap().success());
    std::fs::read_to_string(trace).unwrap().matches("sync(").count()
}

#[test]
fn commit_costs_one_sync() {
    if !can_trace() {
        println!("skipped: strace cannot be used here");
        return;
    }
    assert_eq!(syncs_of(80) - syncs_of(30), 50);
}
