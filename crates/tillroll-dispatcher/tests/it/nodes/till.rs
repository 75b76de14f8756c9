//! A register that lives by itself: it keeps what it took, prints it once, and goes to the next node when its
//! own is gone.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tillroll_domain::clock::Clock as _;
use tillroll_domain::print_job::JobState;
use tillroll_domain::printer::StopReason;
use tillroll_wire::Code;
use tillroll_wire::channel::{Down, JobResult, PrinterReport, Push, Up};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::world::until;
use crate::http::line::{Line, hello};
use crate::http::support::id;

/// How often it looks whether there is something to do.
const STEP: Duration = Duration::from_millis(10);

/// What it has durably.
#[derive(Default)]
struct Machine {
    jobs: BTreeMap<String, Local>,
    nodes: Vec<SocketAddr>,
    at: usize,
    /// How often it was sent elsewhere.
    moves: u32,
    byes: Vec<Code>,
    prints: bool,
    /// Its printer is out of paper.
    is_stopped: bool,
    reported: bool,
    is_connected: bool,
}

struct Local {
    state: JobState,
    version: i64,
    papers: u32,
    is_told: bool,
    was_canceled: bool,
}

/// A running register; it ends when it is dropped.
pub struct Till {
    machine: Arc<Mutex<Machine>>,
    living: JoinHandle<()>,
}

impl Drop for Till {
    fn drop(&mut self) {
        self.living.abort();
    }
}

impl Till {
    /// Begins with the first of the nodes, with a printer that works.
    pub fn start(register: &str, printer: &str, credential: &str, nodes: &[SocketAddr]) -> Self {
        let machine = Machine { nodes: nodes.to_vec(), prints: true, ..Machine::default() };
        Self::begin(machine, register, printer, credential)
    }

    /// As [`Self::start`], with a printer that has no paper.
    pub fn without_paper(
        register: &str,
        printer: &str,
        credential: &str,
        nodes: &[SocketAddr],
    ) -> Self {
        let (nodes, prints, is_stopped) = (nodes.to_vec(), true, true);
        let machine = Machine { nodes, prints, is_stopped, ..Machine::default() };
        Self::begin(machine, register, printer, credential)
    }

    fn begin(machine: Machine, register: &str, printer: &str, credential: &str) -> Self {
        let machine = Arc::new(Mutex::new(machine));
        let life = Life {
            machine: Arc::clone(&machine),
            register: register.to_owned(),
            printer: printer.to_owned(),
            credential: credential.to_owned(),
        };
        Self { machine, living: tokio::spawn(life.live()) }
    }

    /// From now on what it takes is printed, or only kept.
    pub fn prints(&self, prints: bool) {
        lock(&self.machine).prints = prints;
    }

    /// Its printer runs out of paper, or gets new.
    pub fn stop_printer(&self, is_stopped: bool) {
        let mut machine = lock(&self.machine);
        (machine.is_stopped, machine.reported) = (is_stopped, false);
    }

    /// The nodes it knows; it goes to the first.
    pub fn send_to(&self, nodes: &[SocketAddr]) {
        let mut machine = lock(&self.machine);
        (machine.nodes, machine.at) = (nodes.to_vec(), 0);
        machine.moves += 1;
    }

    /// The nodes it knows, for when its own is gone.
    pub fn knows(&self, nodes: &[SocketAddr]) {
        lock(&self.machine).nodes = nodes.to_vec();
    }

    /// How often order `n` is on paper.
    pub fn papers(&self, n: u32) -> u32 {
        lock(&self.machine).jobs.get(&id(n)).map_or(0, |job| job.papers)
    }

    /// Orders on paper more than once.
    pub fn doubles(&self) -> usize {
        lock(&self.machine).jobs.values().filter(|job| job.papers > 1).count()
    }

    /// Whether it has order `n`.
    pub fn has(&self, n: u32) -> bool {
        lock(&self.machine).jobs.contains_key(&id(n))
    }

    pub fn was_asked_to_cancel(&self, n: u32) -> bool {
        lock(&self.machine).jobs.get(&id(n)).is_some_and(|job| job.was_canceled)
    }

    /// Why its channels were ended.
    pub fn byes(&self) -> Vec<Code> {
        lock(&self.machine).byes.clone()
    }

    pub async fn connected(&self) {
        until("the register is connected", async || lock(&self.machine).is_connected.then_some(()))
            .await;
    }

    pub async fn has_printed(&self, n: u32) {
        until(&format!("order {n} is on paper"), async || (self.papers(n) == 1).then_some(()))
            .await;
    }
}

fn lock(machine: &Mutex<Machine>) -> MutexGuard<'_, Machine> {
    machine.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Life {
    machine: Arc<Mutex<Machine>>,
    register: String,
    printer: String,
    credential: String,
}

impl Life {
    async fn live(self) {
        loop {
            let (node, moves) = lock(&self.machine).place();
            let opening = Line::try_at(node, &self.credential);
            if let Ok(Ok(mut line)) = timeout(Duration::from_secs(2), opening).await {
                let _ended = self.converse(&mut line, moves).await;
            }
            lock(&self.machine).go_on(moves);
            sleep(STEP * 3).await;
        }
    }

    /// One connection, to its end.
    async fn converse(&self, line: &mut Line, moves: u32) -> Option<()> {
        let mut hello = hello(&self.register, &self.printer);
        {
            let mut machine = lock(&self.machine);
            hello.printers = vec![self.report(machine.is_stopped)];
            machine.reported = true;
        }
        self.say(line, Up::Hello(hello)).await?;
        while lock(&self.machine).moves == moves {
            match timeout(STEP, line.socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => {
                    let message = serde_json::from_str(&text).ok()?;
                    for answer in self.take(message)? {
                        self.say(line, answer).await?;
                    }
                }
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => return None,
                Ok(Some(Ok(_))) => {}
                Err(_quiet) => {
                    for message in self.work() {
                        self.say(line, message).await?;
                    }
                }
            }
        }
        None
    }

    async fn say(&self, line: &mut Line, message: Up) -> Option<()> {
        let text = serde_json::to_string(&message).ok()?;
        line.socket.send(Message::text(text)).await.ok()
    }

    /// Takes a message in; its answers, `None` when the channel ends.
    fn take(&self, message: Down) -> Option<Vec<Up>> {
        let mut machine = lock(&self.machine);
        Some(match message {
            Down::Welcome { .. } => {
                machine.is_connected = true;
                // What was not acknowledged is told again on every connection.
                Vec::new()
            }
            Down::Push(push) => vec![machine.push(&push)],
            Down::Status { id } => {
                let known = machine.jobs.get(&id.to_string());
                vec![
                    known.map_or(Up::Unknown { id: id.clone() }, |job| job.result(&id.to_string())),
                ]
            }
            Down::Cancel { id } => vec![machine.cancel(&id.to_string())],
            Down::ResultStored { id, row_version } => {
                if let Some(job) = machine.jobs.get_mut(&id.to_string()) {
                    job.is_told |= job.version == row_version;
                }
                Vec::new()
            }
            Down::Bye { code, .. } => {
                machine.byes.push(code);
                return None;
            }
            Down::PrinterNameTaken { .. } => Vec::new(),
        })
    }

    fn report(&self, is_stopped: bool) -> PrinterReport {
        let reason = is_stopped.then_some(StopReason::PaperEnd);
        PrinterReport { name: self.printer.parse().unwrap(), ready: !is_stopped, reason }
    }

    /// Prints, and says what is to be said.
    fn work(&self) -> Vec<Up> {
        let mut machine = lock(&self.machine);
        let mut said = Vec::new();
        if machine.is_connected && !machine.reported {
            machine.reported = true;
            said.push(Up::Printer(self.report(machine.is_stopped)));
        }
        let prints = machine.prints;
        for (id, job) in &mut machine.jobs {
            if prints && job.state == JobState::Pending {
                (job.state, job.papers, job.version) = (JobState::Printed, job.papers + 1, 3);
            }
            let is_final = matches!(job.state, JobState::Printed | JobState::Skipped);
            if is_final && !job.is_told {
                said.push(job.result(id));
            }
        }
        said
    }
}

impl Machine {
    /// The node it goes to, and how often it was sent elsewhere by then.
    fn place(&self) -> (SocketAddr, u32) {
        (self.nodes[self.at % self.nodes.len()], self.moves)
    }

    /// Its connection ended: the next node, unless it was sent to one.
    fn go_on(&mut self, moves: u32) {
        self.is_connected = false;
        if self.moves == moves {
            self.at += 1;
        }
    }

    fn push(&mut self, push: &Push) -> Up {
        let state = if push.held.is_some() { JobState::Held } else { JobState::Pending };
        let job = self.jobs.entry(push.id.to_string()).or_insert(Local {
            state,
            version: 1,
            papers: 0,
            is_told: false,
            was_canceled: false,
        });
        // Whoever pushes it again has not heard what became of it.
        job.is_told = false;
        Up::Accepted { id: push.id.clone(), fingerprint: push.fingerprint }
    }

    fn cancel(&mut self, id: &str) -> Up {
        let Some(job) = self.jobs.get_mut(id) else {
            return Up::Unknown { id: id.parse().unwrap() };
        };
        job.was_canceled = true;
        if matches!(job.state, JobState::Pending | JobState::Held) {
            (job.state, job.version, job.is_told) = (JobState::Skipped, 2, false);
        }
        job.result(id)
    }
}

impl Local {
    fn result(&self, id: &str) -> Up {
        Up::Result(JobResult {
            id: id.parse().unwrap(),
            state: self.state,
            reason: None,
            confirmation: None,
            row_version: self.version,
            at: tillroll_dispatcher::clock::SystemClock.now(),
        })
    }
}
