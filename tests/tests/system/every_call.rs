//! kill -9 of the register at every call that leaves a mark outside of it: at the n-th write to a file, sync and
//! send of a thread, for every n from the start on until a start and three receipts pass without it.

use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tillroll_testkit::Attack;
use tillroll_tests::paper_program::PaperProgram;
use tillroll_tests::register_program::RegisterProgram;

use crate::kills::{Books, Ended, end};
use crate::wrong::{Served, Wrong};

/// Writes and syncs of files; sends to the printer; answers to the POS.
const CALLS: [&str; 4] = ["pwrite64", "fdatasync", "sendto", "writev"];
const RECEIPTS: usize = 3;
/// More than any thread makes of one call.
const MOST: usize = 500;
/// Of a register that is wrong.
const ROUNDS: usize = 5;

fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-D", "-qq", "-o", "/dev/null", "true"]).status();
    traced.is_ok_and(|status| status.success())
}

/// Sells until the register is gone; false when it is not, and everything is on paper.
async fn sold_until_killed(register: &Served, books: &Books) -> bool {
    for _ in 0..RECEIPTS {
        let number = books.next.fetch_add(1, Ordering::SeqCst);
        let Ok((status, answer)) = register.submit(number).await else {
            return true;
        };
        assert!(status.is_success(), "receipt {number} was refused: {status} {answer}");
        books.acknowledged.lock().unwrap().insert(number);
    }
    register.wait_until_quiet(Duration::from_secs(30)).await.is_err()
}

/// Starts the register on its files and kills it at its n-th call of a kind; false when it made no n calls.
async fn killed_at(
    register: &mut RegisterProgram,
    call: &str,
    n: usize,
    books: &Books,
    wrong: Wrong,
) -> anyhow::Result<bool> {
    let trace = format!("trace={call}");
    let inject = format!("inject={call}:signal=SIGKILL:when={n}");
    let options = ["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject];
    let tracer = [&["strace", "-D"][..], &options].concat();
    // Killed before it listens is an error of the start.
    let killed = match register.serve_under(&tracer).await {
        Ok(api) => sold_until_killed(&Served::by(api, wrong), books).await,
        Err(_) => true,
    };
    register.kill().await?;
    Ok(killed)
}

/// Kills at every n-th call until there is none; how many kills that were.
async fn killed_at_each(
    register: &mut RegisterProgram,
    call: &str,
    books: &Books,
    wrong: Wrong,
) -> anyhow::Result<usize> {
    for n in 1..MOST {
        if !killed_at(register, call, n, books, wrong).await? {
            println!("{call}: killed at each of {} calls", n - 1);
            return Ok(n - 1);
        }
    }
    anyhow::bail!("{call}: the register never lives")
}

/// A register at a printer of that level, killed at every one of those calls.
async fn killed_at_all(level: &str, calls: &[&str], wrong: Wrong) -> anyhow::Result<Ended> {
    let paper = PaperProgram::start(level, &["--no-pictures"]).await?;
    let mut register = RegisterProgram::init()?;
    register.serve().await?.add_printer("front", &paper.uri(), level).await?;
    register.kill().await?;
    let books = Books::default();
    let mut kills = 0;
    for call in calls {
        kills += killed_at_each(&mut register, call, &books, wrong).await?;
    }
    assert!(kills > 0, "nothing was killed");
    end(register, paper, &books, kills, wrong).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_whichever_call_the_register_is_killed_at() -> anyhow::Result<()>
{
    let what = format!("kill -9 at every {}", CALLS.join(", "));
    if !can_trace() {
        Attack::on_all(what).skip("strace cannot be used here");
        return Ok(());
    }
    killed_at_all("token", &CALLS, Wrong::Nothing).await?.holds(what);
    Ok(())
}

/// A register that is wrong, killed at each of its calls until something is found, a few times over: how many of
/// its calls lie where a kill shows it depends on what shares a commit.
async fn found_wrong(level: &str, call: &str, wrong: Wrong) -> anyhow::Result<Ended> {
    let mut ended = killed_at_all(level, &[call], wrong).await?;
    for _ in 1..ROUNDS {
        if !ended.is_clean() {
            break;
        }
        ended = killed_at_all(level, &[call], wrong).await?;
    }
    Ok(ended)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_that_answers_before_it_records_is_found_to_lose() -> anyhow::Result<()> {
    if can_trace() {
        found_wrong("token", "fdatasync", Wrong::AnswersFirst).await?.is_found_to_lose();
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_that_prints_again_unasked_is_found_to_print_twice() -> anyhow::Result<()> {
    if can_trace() {
        found_wrong("silent", "pwrite64", Wrong::PrintsAgain).await?.is_found_to_print_twice();
    }
    Ok(())
}
