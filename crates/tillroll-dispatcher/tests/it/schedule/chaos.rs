//! Registers that come and go at random, a dispatcher that dies, answers that are lost: at the end every
//! job is final and the dispatcher's word agrees with the paper. The registers keep what they took and drop
//! what they know, as real ones do.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use tillroll_dispatcher::store::Credential;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::JobState;
use tillroll_wire::channel::{Down, Push, Up};
use tillroll_wire::job::{AfterDeadline, CloudState};
use tokio::time::Instant;

use super::world::{Register, World, hello, ms, result, s};

/// A small generator, so that a seed is a course of events.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// What one register has durably: it survives its connections.
#[derive(Default)]
struct Machine {
    jobs: BTreeMap<JobId, Local>,
}

struct Local {
    state: JobState,
    version: i64,
    prints_at: Option<Instant>,
    papers: u32,
    is_told: bool,
}

impl Machine {
    fn take(&mut self, push: &Push, delay: Duration) {
        let held = push.held.is_some();
        self.jobs.entry(push.id.clone()).or_insert_with(|| Local {
            state: if held { JobState::Held } else { JobState::Pending },
            version: 1,
            prints_at: (!held).then(|| Instant::now() + delay),
            papers: 0,
            is_told: false,
        });
    }

    fn print(&mut self) {
        for job in self.jobs.values_mut() {
            if job.prints_at.take_if(|at| *at <= Instant::now()).is_some() {
                job.state = JobState::Printed;
                job.version += 2;
                job.papers += 1;
            }
        }
    }

    /// Results that were not acknowledged.
    fn untold(&self) -> Vec<Up> {
        let printed = self.jobs.iter().filter(|(_, job)| job.state == JobState::Printed);
        let untold = printed.filter(|(_, job)| !job.is_told);
        untold.map(|(id, job)| Up::Result(result(id, job.state, job.version))).collect()
    }
}

/// One stretch of a register's life with a connection, until it breaks.
async fn connected(register: &mut Register, machine: &RefCell<Machine>, dice: &mut Dice) {
    let until = Instant::now() + ms(500 + dice.roll(20_000));
    while Instant::now() < until {
        let message = register.next_within(ms(100)).await;
        if message.is_none() && register.is_closed() {
            return;
        }
        machine.borrow_mut().print();
        for answer in answers(message, machine, dice) {
            if register.connection.receive(answer).await.is_err() {
                return;
            }
        }
    }
}

fn answers(message: Option<Down>, machine: &RefCell<Machine>, dice: &mut Dice) -> Vec<Up> {
    let mut machine = machine.borrow_mut();
    let loses = dice.roll(10) == 0;
    let mut answers = Vec::new();
    match message {
        Some(Down::Push(push)) => {
            machine.take(&push, ms(dice.roll(3_000)));
            answers.push(Up::Accepted { id: push.id, fingerprint: push.fingerprint });
        }
        Some(Down::Status { id }) => answers.push(match machine.jobs.get(&id) {
            Some(job) => Up::Result(result(&id, job.state, job.version)),
            None => Up::Unknown { id },
        }),
        Some(Down::ResultStored { id, .. }) => {
            if let Some(job) = machine.jobs.get_mut(&id) {
                job.is_told = true;
            }
        }
        None => answers.extend(machine.untold()),
        Some(
            Down::Cancel { .. }
            | Down::Welcome { .. }
            | Down::PrinterNameTaken { .. }
            | Down::Bye { .. },
        ) => {}
    }
    if loses { Vec::new() } else { answers }
}

struct Shop {
    credential: Credential,
    installation: String,
    printer: String,
    machine: Rc<RefCell<Machine>>,
}

impl Shop {
    async fn live(&self, world: &World, until: Instant, mut dice: Dice) {
        while Instant::now() < until {
            let hello = hello(&self.installation, &[&self.printer]);
            if let Ok(mut register) = world.connect(&self.credential, hello).await {
                connected(&mut register, &self.machine, &mut dice).await;
            }
            tokio::time::sleep(ms(dice.roll(30_000))).await;
            self.machine.borrow_mut().print();
        }
    }
}

async fn send(world: &World, first: u32, count: u32, mut dice: Dice) {
    for order in first..first + count {
        let printer = format!("p{}", dice.roll(SHOPS));
        world.submit_for(&printer, order, AfterDeadline::Hold).await;
        tokio::time::sleep(ms(dice.roll(400))).await;
    }
}

const SHOPS: u64 = 4;
const JOBS: u32 = 150;

/// Runs everything for `time`; the dispatcher dies at the end of it.
async fn stretch(world: World, shops: &[Shop], first: u32, seed: u64, time: Duration) -> World {
    let until = Instant::now() + time;
    let lives =
        shops.iter().zip(1..).map(|(shop, n)| shop.live(&world, until, Dice(seed * 97 + n)));
    let lives = futures_util::future::join_all(lives);
    tokio::join!(send(&world, first, JOBS, Dice(seed)), lives);
    world.restart().await
}

async fn storm(seed: u64) {
    let mut world = World::new().await;
    let mut shops = Vec::new();
    for n in 0..SHOPS {
        let installation = format!("i{n}");
        let credential = world.pair(&format!("R{n}"), &installation).await;
        let machine = Rc::default();
        shops.push(Shop { credential, installation, printer: format!("p{n}"), machine });
    }
    for part in 0..3 {
        world = stretch(world, &shops, 1 + part * JOBS, seed + u64::from(part), s(60)).await;
    }
    world = stretch(world, &shops, 1 + 3 * JOBS, seed + 7, s(240)).await;
    judge(&world, &shops, seed).await;
}

async fn judge(world: &World, shops: &[Shop], seed: u64) {
    let mut printed = 0;
    for order in 1..=4 * JOBS {
        let job = world.job(order).await;
        let local = shops.iter().find_map(|shop| {
            let machine = shop.machine.borrow();
            machine.jobs.get(&job.id).map(|job| (job.papers, job.state, job.is_told))
        });
        let what = format!("seed {seed}, job {order}: {} {:?}, {local:?}", job.state, job.reason);
        assert!(job.state.is_final(), "{what}");
        match local {
            None => assert_eq!(job.state, CloudState::TimedOut, "{what}"),
            Some((papers, state, is_told)) => {
                assert!(papers <= 1, "{what}");
                if is_told {
                    assert_eq!(job.state, CloudState::Printed, "{what}");
                }
                assert_eq!(papers == 1, state == JobState::Printed, "{what}");
                printed += papers;
            }
        }
        if job.state == CloudState::Printed {
            assert_eq!(local.map(|(papers, ..)| papers), Some(1), "{what}");
        }
    }
    assert!(printed > 2 * JOBS, "seed {seed}: {printed} printed");
}

#[tokio::test(start_paused = true)]
async fn every_job_is_final_and_agrees_with_the_paper_whatever_breaks() {
    for seed in [3, 11, 42] {
        storm(seed).await;
    }
}
