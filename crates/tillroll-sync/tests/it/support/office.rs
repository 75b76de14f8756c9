//! A head office in memory: books of records, faults by script, and the other end of the channel.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::outbox::RecordKind;
use tillroll_sync::{Channel, Lane, Link, LinkError};
use tillroll_wire::channel::{Down, Hello, Up};
use tillroll_wire::day::CloudDay;
use tillroll_wire::record::{Batch, Record, RecordVerdict, Verdict, Verdicts};
use tillroll_wire::repair::{Digests, HourDigest, HourIds, KnownRecord, RecordDigest, hour_of};
use tillroll_wire::{Code, PROTOCOL, Problem};
use tokio::sync::mpsc;

use super::{LIMIT, TestClock};

/// What happens to the next request.
#[derive(Debug)]
pub enum Fault {
    /// No connection.
    Unreachable,
    /// The records are stored, the answer is lost.
    AnswerLost,
    /// Only the first records get a verdict.
    Judges(usize),
    /// The whole request is refused.
    Refuses(Problem),
    /// A verdict on a record nobody sent is slipped in.
    SlipsIn(String),
    /// Every record is asked to come back after so many milliseconds.
    NotNow(u64),
    /// The answer takes so long.
    Slow(Duration),
}

/// Clones are the same office.
#[derive(Clone)]
pub struct Office {
    state: Arc<Mutex<State>>,
    clock: TestClock,
    sessions: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<Session>>>,
    new_session: mpsc::UnboundedSender<Session>,
}

#[derive(Default)]
pub struct State {
    /// Records in the books, by id.
    pub books: BTreeMap<String, Record>,
    /// How often a record was stored: never more than once.
    pub stored: Vec<String>,
    /// Ids that came again.
    pub replayed: Vec<String>,
    /// Ids with this in them are refused.
    pub refuses: BTreeSet<String>,
    /// A batch with this in it is refused as a whole.
    pub chokes_on: Option<String>,
    /// Faults of the next requests for records.
    pub faults: VecDeque<Fault>,
    /// When requests for records came, by the boot clock.
    pub requests: Vec<Duration>,
    /// Questions for the ids of an hour.
    pub hours_asked: usize,
    /// Why no channel is opened.
    pub channel_fault: Option<fn() -> LinkError>,
    /// A channel that is opened now never is.
    pub channels_hang: bool,
    /// Channels that were opened.
    pub channels: usize,
    /// No request comes through.
    pub is_cut_off: bool,
    /// Every channel is dropped at once.
    pub drops_channels: bool,
}

/// The other end of a channel.
pub struct Session {
    pub up: mpsc::Receiver<Up>,
    pub down: mpsc::Sender<Result<Down, LinkError>>,
}

impl Office {
    pub fn new(clock: &TestClock) -> Self {
        let (new_session, sessions) = mpsc::unbounded_channel();
        let sessions = Arc::new(tokio::sync::Mutex::new(sessions));
        Self { state: Arc::default(), clock: clock.clone(), sessions, new_session }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.state().faults.extend(faults);
    }

    /// Cuts the network, or mends it.
    pub fn cut(&self, is_cut_off: bool) {
        let mut state = self.state();
        state.is_cut_off = is_cut_off;
        state.channel_fault = is_cut_off.then_some(unreachable);
    }

    pub fn books(&self) -> Vec<String> {
        self.state().books.keys().cloned().collect()
    }

    /// The next channel, greeted and welcomed.
    pub async fn session(&self) -> Session {
        let mut session = self.unwelcomed().await;
        session.hello().await;
        session.welcome(self.clock.truth()).await;
        session
    }

    /// The next channel, before its hello.
    pub async fn unwelcomed(&self) -> Session {
        let mut sessions = self.sessions.lock().await;
        tokio::time::timeout(LIMIT, sessions.recv()).await.expect("a channel").unwrap()
    }

    fn judge(&self, record: &Record) -> Verdict {
        let mut state = self.state();
        if let Some(known) = state.books.get(&record.request_id) {
            if known.fingerprint == record.fingerprint {
                state.replayed.push(record.request_id.clone());
                return Verdict::Replayed;
            }
            return rejected(Code::Conflict);
        }
        let of_receipt =
            |other: &Record| other.kind == RecordKind::Receipt && other.flow_no == record.flow_no;
        let refused = state.refuses.iter().any(|part| record.request_id.contains(part.as_str()));
        if refused && record.kind == RecordKind::Receipt {
            return rejected(Code::InvalidReceipt);
        }
        let follows = record.flow_no.is_some() && record.kind != RecordKind::Receipt;
        if follows && !state.books.values().any(of_receipt) {
            return rejected(Code::ParkedBehind);
        }
        state.stored.push(record.request_id.clone());
        state.books.insert(record.request_id.clone(), record.clone());
        Verdict::Accepted
    }
}

fn rejected(code: Code) -> Verdict {
    Verdict::Rejected { code, detail: "scripted".into() }
}

impl Session {
    /// The next message.
    pub async fn heard(&mut self) -> Up {
        tokio::time::timeout(LIMIT, self.up.recv()).await.expect("a message").expect("a message")
    }

    pub async fn hello(&mut self) -> Hello {
        match self.heard().await {
            Up::Hello(hello) => hello,
            other => panic!("{other:?}"),
        }
    }

    pub async fn welcome(&self, now: Timestamp) {
        let store_uid = "uid".to_owned();
        self.say(Down::Welcome { protocol: PROTOCOL, store_uid, now, shares_orders: false }).await;
    }

    pub async fn say(&self, down: Down) {
        self.down.send(Ok(down)).await.expect("a register that listens");
    }
}

impl Link for Office {
    async fn send_records(&self, batch: &Batch, _lane: Lane) -> Result<Verdicts, LinkError> {
        let fault = {
            let mut state = self.state();
            let boot = tillroll_domain::clock::Clock::boot(&self.clock);
            state.requests.push(boot);
            state.faults.pop_front()
        };
        if self.state().is_cut_off {
            return Err(unreachable());
        }
        let chokes_on = self.state().chokes_on.clone();
        let chokes = |record: &Record| {
            chokes_on.as_ref().is_some_and(|part| record.request_id.contains(part.as_str()))
        };
        if batch.records.iter().any(chokes) {
            return Err(LinkError::Refused(Problem::new(Code::TooLarge, "scripted")));
        }
        let mut judged = batch.records.len();
        match &fault {
            Some(Fault::Unreachable) => return Err(unreachable()),
            Some(Fault::Refuses(problem)) => return Err(LinkError::Refused(problem.clone())),
            Some(Fault::Judges(few)) => judged = *few,
            Some(Fault::Slow(time)) => tokio::time::sleep(*time).await,
            Some(Fault::AnswerLost | Fault::SlipsIn(_) | Fault::NotNow(_)) | None => {}
        }
        let verdict = |record: &Record| match &fault {
            Some(Fault::NotNow(ms)) => Verdict::RetryAfter { ms: *ms },
            _ => self.judge(record),
        };
        let verdicts = batch.records.iter().take(judged);
        let mut verdicts: Vec<_> = verdicts
            .map(|record| RecordVerdict {
                request_id: record.request_id.clone(),
                verdict: verdict(record),
            })
            .collect();
        match fault {
            Some(Fault::AnswerLost) => return Err(LinkError::Dropped(None)),
            Some(Fault::SlipsIn(request_id)) => {
                verdicts.push(RecordVerdict { request_id, verdict: Verdict::Accepted });
            }
            _ => {}
        }
        Ok(Verdicts { now: self.clock.truth(), verdicts, shares_orders: false })
    }

    async fn digests(&self, ours: Digests) -> Result<Digests, LinkError> {
        if self.state().is_cut_off {
            return Err(unreachable());
        }
        let mut hours: BTreeMap<i64, HourDigest> = BTreeMap::new();
        for record in self.state().books.values() {
            let hour = hour_of(record.recorded_at);
            let empty = HourDigest { hour, count: 0, digest: RecordDigest::default() };
            let set = hours.entry(hour).or_insert(empty);
            set.count += 1;
            set.digest.toggle(RecordDigest::of(&record.request_id, &record.fingerprint));
        }
        let range = ours.from..ours.to;
        let hours = hours.into_values().filter(|hour| range.contains(&hour.hour)).collect();
        Ok(Digests { hours, ..ours })
    }

    async fn hour_ids(&self, hour: i64) -> Result<HourIds, LinkError> {
        let mut state = self.state();
        state.hours_asked += 1;
        let of_hour = state.books.values().filter(|record| hour_of(record.recorded_at) == hour);
        let records = of_hour
            .map(|record| KnownRecord {
                request_id: record.request_id.clone(),
                fingerprint: record.fingerprint,
                epoch: record.epoch,
            })
            .collect();
        Ok(HourIds { hour, records })
    }

    async fn day(&self, _day: Date) -> Result<CloudDay, LinkError> {
        Ok(CloudDay::default())
    }

    async fn open_channel(&self) -> Result<Channel, LinkError> {
        if self.state().channels_hang {
            return std::future::pending().await;
        }
        let fault = self.state().channel_fault;
        if let Some(fault) = fault {
            return Err(fault());
        }
        self.state().channels += 1;
        let (up, heard) = mpsc::channel(64);
        let (down, said) = mpsc::channel(64);
        if !self.state().drops_channels {
            let _ = self.new_session.send(Session { up: heard, down });
        }
        Ok(Channel { up, down: said })
    }
}

pub fn unreachable() -> LinkError {
    LinkError::Unreachable(Box::new(std::io::Error::other("scripted")))
}
