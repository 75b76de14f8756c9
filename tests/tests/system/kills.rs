//! kill -9 of the register at random moments under load. Every receipt that was acknowledged is on
//! paper exactly once or on the to-do list; none twice without a clerk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context as _;
use tillroll_tests::api::{Api, job_id, receipt};
use tillroll_tests::attacks::Attack;
use tillroll_tests::paper_program::PaperProgram;
use tillroll_tests::register_program::RegisterProgram;
use tokio::task::JoinSet;

/// Clients at once.
const CLIENTS: usize = 4;
/// A client's pause between two sales: about as many receipts as the printer can print.
const PAUSE: Duration = Duration::from_millis(40);
/// The printer takes its time, so that a kill meets it in the middle of a receipt: about 20 ms each.
const PRINTER: [&str; 3] = ["--no-pictures", "--speed", "20000"];

fn kills() -> usize {
    let asked = std::env::var("TILLROLL_KILLS").ok().and_then(|kills| kills.parse().ok());
    asked.unwrap_or(20) / 2
}

/// A small generator, so that a failing run can be repeated by its seed.
struct Moments(u64);

impl Moments {
    fn next(&mut self) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_millis(30 + self.0 % 400)
    }
}

/// What the clients know: the numbers they were answered for.
#[derive(Clone, Default)]
pub struct Books {
    pub next: Arc<AtomicUsize>,
    pub acknowledged: Arc<Mutex<BTreeSet<usize>>>,
}

/// A client sells until the register is gone.
async fn sell(api: Api, books: Books) {
    loop {
        let number = books.next.fetch_add(1, Ordering::SeqCst);
        match api.post("/v1/receipts", &receipt(number)).await {
            Ok((status, _)) if status.is_success() => {
                books.acknowledged.lock().unwrap().insert(number);
                tokio::time::sleep(PAUSE).await;
            }
            Ok((status, answer)) => panic!("receipt {number} was refused: {status} {answer}"),
            Err(_gone) => return,
        }
    }
}

async fn killed_under_load(level: &str, seed: u64) -> anyhow::Result<()> {
    let paper = PaperProgram::start(level, &PRINTER).await?;
    let mut register = RegisterProgram::init()?;
    register.serve().await?.add_printer("front", &paper.uri(), level).await?;
    register.kill().await?;
    let (books, mut moments) = (Books::default(), Moments(seed));
    for _ in 0..kills() {
        let api = register.serve().await?;
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            clients.spawn(sell(api.clone(), books.clone()));
        }
        tokio::time::sleep(moments.next()).await;
        register.kill().await?;
        while let Some(ended) = clients.join_next().await {
            ended?;
        }
    }
    let what = format!("kill -9 at random moments, a {level} printer, seed {seed:#x}");
    settle(register, paper, &books, kills(), what).await
}

/// What the paper says of what was acknowledged.
struct Judged {
    /// Acknowledged, and neither on paper nor with a person.
    lost: Vec<String>,
    /// On paper more than once without a clerk.
    doubled: Vec<String>,
}

/// Counts the paper, not the records.
fn judge(books: &Books, tickets: &[String], asked: &BTreeSet<String>) -> Judged {
    let mut on_paper: BTreeMap<&str, usize> = BTreeMap::new();
    for ticket in tickets {
        let ids = ticket.split_whitespace().filter(|word| word.starts_with("S1:"));
        ids.for_each(|id| *on_paper.entry(id).or_default() += 1);
    }
    let acknowledged = books.acknowledged.lock().unwrap();
    assert!(!acknowledged.is_empty(), "nothing was sold");
    println!(
        "{} acknowledged, {} on paper, {} on the to-do list",
        acknowledged.len(),
        on_paper.len(),
        asked.len()
    );
    let doubled = on_paper.iter().filter(|(_, count)| **count > 1);
    let ids = acknowledged.iter().map(|number| job_id(*number));
    Judged {
        lost: ids.filter(|id| !on_paper.contains_key(id.as_str()) && !asked.contains(id)).collect(),
        doubled: doubled.map(|(id, _)| (*id).to_owned()).collect(),
    }
}

#[test]
fn judge_sees_paper_that_came_twice_and_a_sale_that_is_nowhere() {
    let books = Books::default();
    books.acknowledged.lock().unwrap().extend([1, 2, 3]);
    let tickets = [job_id(1), format!("{} {}", job_id(1), job_id(4))];
    let Judged { lost, doubled } = judge(&books, &tickets, &BTreeSet::from([job_id(3)]));
    assert_eq!((lost, doubled), (vec![job_id(2)], vec![job_id(1)]));
}

/// Ends a run of kills: everything acknowledged is on paper once or with a person, and each kill leaves one
/// question at most.
pub async fn settle(
    mut register: RegisterProgram,
    paper: PaperProgram,
    books: &Books,
    kills: usize,
    what: String,
) -> anyhow::Result<()> {
    let api = register.serve().await?;
    api.wait_until_quiet(Duration::from_secs(120)).await?;
    let unconfirmed = api.ids_in("unconfirmed").await?;
    let asked: BTreeSet<_> = api.todo_ids().await?.into_iter().collect();
    register.kill().await?;
    let Judged { lost, doubled } = judge(books, &paper.end().await?, &asked);
    let silent: Vec<_> = unconfirmed.iter().filter(|id| !asked.contains(*id)).collect();
    let attack = Attack {
        promise: "all three",
        what,
        trials: kills,
        losses: lost.len(),
        duplicates: doubled.len(),
        silent: silent.len(),
    };
    println!("{attack}");
    assert!(lost.is_empty(), "acknowledged and nowhere: {lost:?}");
    assert!(doubled.is_empty(), "on paper twice without a clerk: {doubled:?}");
    assert!(silent.is_empty(), "in doubt and nobody is asked: {silent:?}");
    assert!(unconfirmed.len() <= kills, "at most one a kill: {unconfirmed:?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_when_the_register_is_killed_and_the_printer_answers_tokens()
-> anyhow::Result<()> {
    killed_under_load("token", 0x7469_6c6c).await.context("seed 0x74696c6c")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_when_the_register_is_killed_and_the_printer_counts()
-> anyhow::Result<()> {
    killed_under_load("counter", 0x726f_6c6c).await.context("seed 0x726f6c6c")
}
