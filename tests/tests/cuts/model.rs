//! An exhaustive search over sender, network, register, printer and clerk: crashes at any step, messages lost,
//! repeated and in any order, a device that fails before the first byte or after it.
//!
//! A job's row is the register's real one: it changes by [`transition`] alone. Every world that the moves reach
//! is looked at, so nothing here is a sample.

use std::collections::HashSet;

use tillroll_domain::print_job::{
    Confirmation, Event, Facts, JobCause, JobState, Step, Verb, transition,
};
use tillroll_domain::printer::Unproven;
use tillroll_testkit::Attack;

/// What the register does, or a way of doing it that must be found wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Rows first: a job is stored before it is acknowledged, and claimed before its first byte.
    RowsFirst,
    /// Prints, then records that it did.
    PrintThenRecord,
    /// Acknowledges when a message comes, then stores it.
    EarlyAck,
    /// Takes every copy of a message for news, whatever is stored under its id.
    NoDedup,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Message {
    Job(u8),
    Ack(u8),
}

/// How often each mishap may still happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Mishaps {
    crashes: u8,
    losses: u8,
    repeats: u8,
    faults: u8,
}

/// What the register knows only while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Memory {
    /// A job that was acknowledged and is to be stored.
    to_store: Option<u8>,
    /// The job at the device, and whether its paper is out.
    at_device: Option<(u8, bool)>,
    /// It has looked, since it started, at what was at the device when it ended.
    is_awake: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Job {
    /// Times its sender may still send it.
    sends: u8,
    acknowledged: bool,
    row: Option<Row>,
    papers: u8,
}

/// A row; what the search does not need of [`Facts`] is the same in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Row {
    state: JobState,
    failures: u32,
    reprint: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    jobs: Vec<Job>,
    memory: Memory,
    /// In order, so that the same messages are the same state.
    network: Vec<Message>,
    left: Mishaps,
}

/// Messages under way at the same time.
const NETWORK: usize = 3;
/// Times a sender sends a job that is not acknowledged.
const SENDS: u8 = 2;

impl Row {
    const NEW: Self = Self { state: JobState::Pending, failures: 0, reprint: false };

    /// The row after an event; `None` when the machine refuses it.
    fn after(self, event: Event) -> Option<Self> {
        let Self { state, failures, reprint } = self;
        let facts = Facts { state, failures, reprint, skip_asked: false, unproven: Unproven::Ask };
        match transition(facts, event) {
            Ok(Step::Become(change)) => {
                Some(Self { state: change.to, failures: change.failures, reprint: change.reprint })
            }
            Ok(Step::FlagSkip | Step::BeginCopy) | Err(_) => None,
        }
    }
}

impl World {
    fn new(jobs: usize, left: Mishaps) -> Self {
        let job = Job { sends: SENDS, ..Job::default() };
        Self { jobs: vec![job; jobs], memory: Memory::default(), network: Vec::new(), left }
    }

    /// The worlds one move away.
    fn next(&self, way: Way) -> Vec<Self> {
        let mut next = Vec::new();
        self.senders(&mut next);
        self.network(way, &mut next);
        self.register(way, &mut next);
        self.device(way, &mut next);
        self.clerk(&mut next);
        let crashed = self.with(|left| &mut left.crashes);
        next.extend(crashed.map(|world| Self { memory: Memory::default(), ..world }));
        next
    }

    fn senders(&self, next: &mut Vec<Self>) {
        for number in self.numbers() {
            let job = self.job(number);
            if job.acknowledged || job.sends == 0 || self.network.len() >= NETWORK {
                continue;
            }
            let mut world = self.clone();
            world.jobs[usize::from(number)].sends -= 1;
            next.push(world.send(Message::Job(number)));
        }
    }

    fn network(&self, way: Way, next: &mut Vec<Self>) {
        for place in 0..self.network.len() {
            let message = self.network[place];
            let mut arrived = self.clone();
            arrived.network.remove(place);
            next.extend(arrived.with(|left| &mut left.losses));
            if self.network.len() < NETWORK {
                next.extend(self.with(|left| &mut left.repeats).map(|world| world.send(message)));
            }
            next.extend(arrived.delivered(message, way));
        }
    }

    fn delivered(mut self, message: Message, way: Way) -> Option<Self> {
        match message {
            Message::Ack(number) => {
                self.jobs[usize::from(number)].acknowledged = true;
                Some(self)
            }
            Message::Job(number) if way == Way::EarlyAck => {
                self.memory.to_store = Some(number).filter(|_| self.job(number).row.is_none());
                Some(self.send(Message::Ack(number)))
            }
            // Stored and answered: a crash in between is the loss of the answer.
            Message::Job(number) => {
                self.store(number, way);
                Some(self.send(Message::Ack(number)))
            }
        }
    }

    /// The id is stored once, whatever comes.
    fn store(&mut self, number: u8, way: Way) {
        let row = &mut self.jobs[usize::from(number)].row;
        if row.is_none() || way == Way::NoDedup {
            *row = Some(Row::NEW);
        }
    }

    fn register(&self, way: Way, next: &mut Vec<Self>) {
        if let Some(number) = self.memory.to_store {
            let mut world = self.clone();
            world.memory.to_store = None;
            world.store(number, way);
            next.push(world);
        }
        if !self.memory.is_awake {
            next.push(self.awake());
        } else if self.memory.at_device.is_none() {
            let pending = |number: &u8| self.state(*number) == Some(JobState::Pending);
            let first = self.numbers().find(pending);
            next.extend(first.and_then(|number| self.begun(number, way)));
        }
    }

    /// At start nobody knows what the device did with the job it had.
    fn awake(&self) -> Self {
        let mut world = self.clone();
        world.memory.is_awake = true;
        for number in self.numbers() {
            if self.state(number) == Some(JobState::Printing) {
                world.change(number, Event::MaybeOnPaper(JobCause::Interrupted.into()));
            }
        }
        world
    }

    fn begun(&self, number: u8, way: Way) -> Option<Self> {
        let mut world = self.clone();
        world.memory.at_device = Some((number, false));
        match way {
            Way::PrintThenRecord => Some(world),
            Way::RowsFirst | Way::EarlyAck | Way::NoDedup => {
                world.change(number, Event::Claim).then_some(world)
            }
        }
    }

    fn device(&self, way: Way, next: &mut Vec<Self>) {
        let Some((number, is_out)) = self.memory.at_device else { return };
        if !is_out {
            let mut printed = self.clone();
            printed.memory.at_device = Some((number, true));
            printed.jobs[usize::from(number)].papers += 1;
            next.push(printed);
            let failed = self.with(|left| &mut left.faults);
            let nothing = Event::LeftNothing(JobCause::Stalled.into());
            next.extend(failed.and_then(|world| world.ended(number, nothing, way)));
        } else {
            let proved = Event::Confirmed(Confirmation::Token);
            next.extend(self.clone().ended(number, proved, way));
        }
        // The link broke in the middle: the paper is out or it is not.
        let broken = self.with(|left| &mut left.faults);
        let doubt = Event::MaybeOnPaper(JobCause::NoAnswer.into());
        next.extend(broken.and_then(|world| world.ended(number, doubt, way)));
    }

    /// The attempt ends and its row says how.
    fn ended(mut self, number: u8, event: Event, way: Way) -> Option<Self> {
        self.memory.at_device = None;
        if way == Way::PrintThenRecord {
            self.change(number, Event::Claim);
        }
        // A row that another way of doing it has changed meanwhile stays as it is.
        let is_changed = self.change(number, event);
        (is_changed || way == Way::NoDedup).then_some(self)
    }

    /// The clerk is asked, looks, and answers what is so.
    fn clerk(&self, next: &mut Vec<Self>) {
        for number in self.numbers() {
            if self.state(number) != Some(JobState::Unconfirmed) {
                continue;
            }
            let seen = self.job(number).papers > 0;
            let verb = if seen { Verb::OnPaper } else { Verb::NotOnPaper };
            let mut world = self.clone();
            if world.change(number, Event::Asked(verb)) {
                next.push(world);
            }
        }
    }

    /// Whether the machine allows it; then the row is as it says.
    fn change(&mut self, number: u8, event: Event) -> bool {
        let row = &mut self.jobs[usize::from(number)].row;
        let after = row.and_then(|row| row.after(event));
        *row = after.or(*row);
        after.is_some()
    }

    fn send(mut self, message: Message) -> Self {
        self.network.push(message);
        self.network.sort_unstable();
        self
    }

    fn numbers(&self) -> impl Iterator<Item = u8> + use<> {
        0..u8::try_from(self.jobs.len()).unwrap()
    }

    fn job(&self, number: u8) -> &Job {
        &self.jobs[usize::from(number)]
    }

    fn state(&self, number: u8) -> Option<JobState> {
        self.job(number).row.map(|row| row.state)
    }

    /// The same world with one mishap less to come; `None` where none is left.
    fn with(&self, mishap: impl Fn(&mut Mishaps) -> &mut u8) -> Option<Self> {
        let mut world = self.clone();
        let left = mishap(&mut world.left);
        *left = left.checked_sub(1)?;
        Some(world)
    }
}

/// What a search found.
#[derive(Debug, Default)]
struct Found {
    worlds: usize,
    lost: usize,
    doubled: usize,
    silent: usize,
}

/// Looks at every world that can be reached.
fn search(first: World, way: Way) -> Found {
    let mut found = Found::default();
    let mut seen = HashSet::from([first.clone()]);
    let mut waiting = vec![first];
    while let Some(world) = waiting.pop() {
        let next = world.next(way);
        found.look_at(&world, next.is_empty());
        waiting.extend(next.into_iter().filter(|world| seen.insert(world.clone())));
    }
    found.worlds = seen.len();
    found
}

impl Found {
    fn look_at(&mut self, world: &World, is_end: bool) {
        for number in world.numbers() {
            let job = world.job(number);
            let is_stored = job.row.is_some() || world.memory.to_store == Some(number);
            self.lost += usize::from(job.acknowledged && !is_stored);
            self.doubled += usize::from(job.papers > 1);
            let is_printed = world.state(number) == Some(JobState::Printed);
            // Said to be on paper and not there, or at the end neither there nor with a person.
            let is_settled = is_printed || world.state(number) == Some(JobState::Failed);
            let is_silent = is_end && job.row.is_some() && !is_settled;
            self.silent += usize::from(is_printed && job.papers == 0 || is_silent);
        }
    }
}

const MISHAPS: Mishaps = Mishaps { crashes: 2, losses: 1, repeats: 1, faults: 1 };

#[test]
fn no_order_of_events_loses_doubles_or_hides_a_job() {
    let found = search(World::new(2, MISHAPS), Way::RowsFirst);
    let Found { worlds, lost, doubled, silent } = found;
    let attack = Attack::on_all("every order of events, 2 jobs, 2 crashes");
    Attack { trials: worlds, losses: lost, duplicates: doubled, silent, ..attack }.show();
    assert!(worlds > 10_000, "{found:?}");
    assert_eq!((lost, doubled, silent), (0, 0, 0), "{found:?}");
}

#[test]
fn printing_before_the_record_is_found_to_print_twice() {
    let found = search(World::new(1, MISHAPS), Way::PrintThenRecord);
    assert!(found.doubled > 0, "{found:?}");
}

#[test]
fn answering_before_the_record_is_found_to_lose() {
    let found = search(World::new(1, MISHAPS), Way::EarlyAck);
    assert!(found.lost > 0, "{found:?}");
}

#[test]
fn taking_every_copy_for_news_is_found_to_print_twice() {
    let found = search(World::new(1, MISHAPS), Way::NoDedup);
    assert!(found.doubled > 0, "{found:?}");
}
