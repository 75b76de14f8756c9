//! What a printer's connections, faults and machine do to each other. No I/O, no waiting.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use tokio::{runtime::Handle, sync::mpsc, task::JoinHandle, time::Instant};

use super::{
    behaviour::{Behaviour, Connections},
    condition::Paper,
    fault::{Armed, Fault, Strike},
    journal::Journal,
    link::Fate,
    machine::{Answer, Machine},
};

/// Answers waiting for a host that does not read; more are lost.
const MAX_UNREAD_ANSWERS: usize = 256;
/// Tokens kept for the next host.
const MAX_KEPT_ANSWERS: usize = 16;

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) machine: Machine,
    pub(crate) journal: Journal,
    faults: Armed,
    links: BTreeMap<u64, Link>,
    last_link: u64,
    kept: VecDeque<Answer>,
    stopped_reading: bool,
    closed_until: Option<Instant>,
    pub(crate) clock: Option<(Handle, JoinHandle<()>)>,
}

/// One connection as the printer sees it.
#[derive(Debug)]
struct Link {
    answers: mpsc::Sender<Due>,
    network: bool,
    fate: Option<Fate>,
}

/// An answer and the time it may leave.
#[derive(Debug)]
pub(crate) struct Due {
    pub(crate) bytes: Vec<u8>,
    pub(crate) at: Instant,
}

/// What a connection may do next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Take up to that many bytes.
    Read(usize),
    /// Wait for a change.
    Wait,
    /// End.
    End(Fate),
}

/// Whether hosts can connect.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// The next one is served.
    Open,
    /// The next one waits.
    Busy,
    /// The next one is turned away after connecting.
    TurnAway,
    /// Nobody can connect.
    Shut,
}

impl State {
    pub(crate) fn new(behaviour: Behaviour) -> Self {
        Self {
            journal: Journal::new(behaviour.journal_bytes),
            machine: Machine::new(behaviour),
            faults: Armed::default(),
            links: BTreeMap::new(),
            last_link: 0,
            kept: VecDeque::new(),
            stopped_reading: false,
            closed_until: None,
            clock: None,
        }
    }

    pub(crate) fn arm(&mut self, fault: Fault) {
        if let Fault::PaperEndAfterLines(lines) = fault {
            self.machine.end_paper_after(lines);
        }
        self.faults.arm(fault);
        self.strike_due();
    }

    pub(crate) fn disarm_all(&mut self) {
        self.faults = Armed::default();
        self.stopped_reading = false;
        self.closed_until = None;
    }

    pub(crate) fn admit(&mut self, network: bool) -> (u64, mpsc::Receiver<Due>) {
        let (answers, receiver) = mpsc::channel(MAX_UNREAD_ANSWERS);
        self.last_link += 1;
        self.links.insert(self.last_link, Link { answers, network, fate: None });
        self.strike_due();
        let kept = std::mem::take(&mut self.kept);
        kept.into_iter().for_each(|answer| self.send(answer));
        (self.last_link, receiver)
    }

    pub(crate) fn power_off(&mut self) {
        self.machine.power_off();
        self.end_links(Fate::Sever);
    }

    /// Ends every connection that comes over a network.
    pub(crate) fn end_links(&mut self, fate: Fate) {
        for link in self.links.values_mut().filter(|link| link.network) {
            link.fate.get_or_insert(fate);
        }
    }

    /// Takes bytes of a connection; the pause it has to make afterwards.
    ///
    /// A fault that strikes with the last byte acts before that byte does, so that its answer is lost.
    pub(crate) fn receive(&mut self, link: u64, bytes: &[u8]) -> Option<Duration> {
        self.journal.record(link, bytes);
        let strikes = self.faults.bytes_left().is_some_and(|left| left <= bytes.len() as u64);
        if let (true, Some((last, before))) = (strikes, bytes.split_last()) {
            self.machine.receive(before);
            self.send_answers();
            self.strike(bytes.len() as u64, Some(link));
            self.machine.receive(&[*last]);
        } else {
            self.faults.count(bytes.len() as u64);
            self.machine.receive(bytes);
        }
        if !self.machine.is_powered() {
            self.end_links(Fate::Sever);
        }
        self.faults.pace.map(|pace| pace.per)
    }

    pub(crate) fn turn(&self, link: u64) -> Turn {
        let Some(Link { fate, .. }) = self.links.get(&link) else { return Turn::End(Fate::Close) };
        if let Some(fate) = fate {
            return Turn::End(*fate);
        }
        let room = self.machine.room();
        if self.stopped_reading || room == 0 || !self.machine.is_powered() {
            return Turn::Wait;
        }
        let paced = self.faults.pace.map(|pace| pace.bytes);
        let counted = self.faults.bytes_left().and_then(|left| usize::try_from(left).ok());
        let limits = [paced, counted].into_iter().flatten();
        Turn::Read(limits.fold(room, usize::min))
    }

    pub(crate) fn door(&self) -> Door {
        if !self.machine.is_powered() || self.faults.refuse {
            return Door::Shut;
        }
        let lingering = self.closed_until.is_some_and(|until| Instant::now() < until);
        let taken = lingering || self.links.values().any(|link| link.network);
        match self.machine.behaviour().connections {
            Connections::Many => Door::Open,
            _ if !taken => Door::Open,
            Connections::OneThenWait => Door::Busy,
            Connections::OneThenRefuse => Door::TurnAway,
        }
    }

    /// Removes a connection; for how long the next one is kept out, if a fault wants that.
    pub(crate) fn forget(&mut self, link: u64) -> Option<Duration> {
        self.links.remove(&link);
        let linger = self.faults.linger?;
        self.closed_until = Some(Instant::now() + linger);
        Some(linger)
    }

    /// Faults armed with 0 bytes left strike as soon as there is a connection.
    fn strike_due(&mut self) {
        if self.faults.bytes_left() == Some(0) && !self.links.is_empty() {
            self.strike(0, None);
        }
    }

    /// Counts bytes and lets faults happen to the connection, to all if none is named.
    fn strike(&mut self, bytes: u64, link: Option<u64>) {
        for strike in self.faults.count(bytes) {
            match strike {
                Strike::Link(fate) => self.doom(link, fate),
                Strike::StopReading => self.stopped_reading = true,
                Strike::PaperEnd => {
                    self.machine.change(|condition| condition.paper = Paper::End);
                }
                Strike::PowerOff => self.power_off(),
            }
        }
    }

    fn doom(&mut self, link: Option<u64>, fate: Fate) {
        for (number, doomed) in &mut self.links {
            if link.is_none_or(|link| link == *number) {
                doomed.fate.get_or_insert(fate);
            }
        }
    }

    /// Sends what the machine said; the answers that have to wait, with their delay.
    pub(crate) fn send_answers(&mut self) -> Vec<(Duration, Answer)> {
        let late = self.faults.late_confirmation;
        let mut delayed = Vec::new();
        for answer in self.machine.take_answers() {
            match late {
                Some(delay) if answer.confirms => delayed.push((delay, answer)),
                _ => self.send(answer),
            }
        }
        delayed
    }

    /// Sends to the newest connection: the print engine does not know which one asked.
    pub(crate) fn send(&mut self, answer: Answer) {
        if self.faults.mute {
            return;
        }
        let at = Instant::now() + self.machine.behaviour().answer_delay;
        match self.links.values().rev().find(|link| link.fate.is_none()) {
            Some(link) => {
                // A host that does not read its answers loses them.
                let _ = link.answers.try_send(Due { bytes: answer.bytes, at });
            }
            None if answer.token && self.machine.behaviour().keep_answers => {
                self.kept.push_back(answer);
                self.kept.truncate(MAX_KEPT_ANSWERS);
            }
            None => {}
        }
    }
}
