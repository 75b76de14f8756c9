//! kill -9 of the register at random moments under load. Every receipt that was acknowledged is on
//! paper exactly once or on the to-do list; none twice without a clerk.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context as _;
use tillroll_testkit::Attack;
use tillroll_tests::api::job_id;
use tillroll_tests::asked;
use tillroll_tests::paper_program::{PaperProgram, ids};
use tillroll_tests::register_program::RegisterProgram;
use tokio::task::JoinSet;

use crate::wrong::{Served, Wrong};

/// Clients at once.
const CLIENTS: usize = 4;
/// A client's pause between two sales: about as many receipts as the printer can print.
const PAUSE: Duration = Duration::from_millis(40);
/// Kills that are enough to find a register that is wrong.
const KILLS_OF_A_CONTROL: usize = 10;
/// The printer takes its time, so that a kill meets it in the middle of a receipt: about 20 ms each.
const PRINTER: [&str; 3] = ["--no-pictures", "--speed", "20000"];

fn kills(wrong: Wrong) -> usize {
    if wrong != Wrong::Nothing {
        return KILLS_OF_A_CONTROL;
    }
    asked::number("TILLROLL_KILLS").unwrap_or(20) / 2
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
async fn sell(register: Served, books: Books) {
    loop {
        let number = books.next.fetch_add(1, Ordering::SeqCst);
        match register.submit(number).await {
            Ok((status, _)) if status.is_success() => {
                books.acknowledged.lock().unwrap().insert(number);
                tokio::time::sleep(PAUSE).await;
            }
            Ok((status, answer)) => panic!("receipt {number} was refused: {status} {answer}"),
            Err(_gone) => return,
        }
    }
}

async fn killed_under_load(level: &str, seed: u64, wrong: Wrong) -> anyhow::Result<Ended> {
    let paper = PaperProgram::start(level, &PRINTER).await?;
    let mut register = RegisterProgram::init()?;
    register.serve().await?.add_printer("front", &paper.uri(), level).await?;
    register.kill().await?;
    let (books, mut moments, kills) = (Books::default(), Moments(seed), kills(wrong));
    for _ in 0..kills {
        let served = Served::by(register.serve().await?, wrong);
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            clients.spawn(sell(served.clone(), books.clone()));
        }
        tokio::time::sleep(moments.next()).await;
        register.kill().await?;
        while let Some(ended) = clients.join_next().await {
            ended?;
        }
    }
    end(register, paper, &books, kills, wrong).await
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
    let on_paper = ids(tickets);
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
        lost: ids.filter(|id| !on_paper.contains_key(id) && !asked.contains(id)).collect(),
        doubled: doubled.map(|(id, _)| id.clone()).collect(),
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

/// What a run of kills came to.
pub struct Ended {
    kills: usize,
    judged: Judged,
    unconfirmed: Vec<String>,
    /// In doubt, and nobody is asked.
    silent: Vec<String>,
}

/// Ends a run of kills and judges it.
pub async fn end(
    mut register: RegisterProgram,
    paper: PaperProgram,
    books: &Books,
    kills: usize,
    wrong: Wrong,
) -> anyhow::Result<Ended> {
    let served = Served::by(register.serve().await?, wrong);
    served.wait_until_quiet(Duration::from_secs(120)).await?;
    let unconfirmed = served.api.ids_in("unconfirmed").await?;
    let asked: BTreeSet<_> = served.api.todo_ids().await?.into_iter().collect();
    register.kill().await?;
    let judged = judge(books, &paper.end().await?, &asked);
    let silent = unconfirmed.iter().filter(|id| !asked.contains(*id)).cloned().collect();
    Ok(Ended { kills, judged, unconfirmed, silent })
}

impl Ended {
    /// Everything acknowledged is on paper once or with a person, and each kill leaves one question at most.
    pub fn holds(&self, what: String) {
        let Self { kills, judged: Judged { lost, doubled }, unconfirmed, silent } = self;
        let attack = Attack {
            trials: *kills,
            losses: lost.len(),
            duplicates: doubled.len(),
            silent: silent.len(),
            ..Attack::on_all(what)
        };
        attack.show();
        assert!(lost.is_empty(), "acknowledged and nowhere: {lost:?}");
        assert!(doubled.is_empty(), "on paper twice without a clerk: {doubled:?}");
        assert!(silent.is_empty(), "in doubt and nobody is asked: {silent:?}");
        assert!(unconfirmed.len() <= *kills, "at most one a kill: {unconfirmed:?}");
    }

    /// Nothing was lost, and nothing came twice.
    pub fn is_clean(&self) -> bool {
        self.judged.lost.is_empty() && self.judged.doubled.is_empty()
    }

    /// One that answers first was found to lose.
    pub fn is_found_to_lose(&self) {
        let Judged { lost, doubled } = &self.judged;
        assert!(!lost.is_empty(), "{} kills and nothing is missed", self.kills);
        assert!(doubled.is_empty(), "{doubled:?}");
        println!("{} kills: {} lost", self.kills, lost.len());
    }

    /// One that prints again was found to print twice.
    pub fn is_found_to_print_twice(&self) {
        let Judged { lost, doubled } = &self.judged;
        assert!(!doubled.is_empty(), "{} kills and nothing came twice", self.kills);
        assert!(lost.is_empty(), "{lost:?}");
        println!("{} kills: {} twice", self.kills, doubled.len());
    }
}

async fn survives_kills(level: &str, seed: u64) -> anyhow::Result<()> {
    let what = format!("kill -9 at random moments, a {level} printer, seed {seed:#x}");
    let ended = killed_under_load(level, seed, Wrong::Nothing).await;
    ended.context(format!("seed {seed:#x}"))?.holds(what);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_when_the_register_is_killed_and_the_printer_answers_tokens()
-> anyhow::Result<()> {
    survives_kills("token", 0x7469_6c6c).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_when_the_register_is_killed_and_the_printer_counts()
-> anyhow::Result<()> {
    survives_kills("counter", 0x726f_6c6c).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_that_answers_before_it_records_is_found_to_lose() -> anyhow::Result<()> {
    killed_under_load("token", 0x6c6f_7374, Wrong::AnswersFirst).await?.is_found_to_lose();
    Ok(())
}

/// At a printer that tells nothing, which a kill leaves in doubt each time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_that_prints_again_unasked_is_found_to_print_twice() -> anyhow::Result<()> {
    let ended = killed_under_load("silent", 0x7477_6963, Wrong::PrintsAgain).await?;
    ended.is_found_to_print_twice();
    Ok(())
}
