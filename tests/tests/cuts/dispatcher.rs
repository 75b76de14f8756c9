//! The dispatcher's store in one file under its own operations: take a job, take it again, everything that the
//! schedule does to jobs, and batches of records from a register.

use std::path::Path;

use futures_util::FutureExt as _;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::json;
use tillroll_dispatcher::job::{Inserted, Job, NewJob, RegisterNo, StoreNo};
use tillroll_dispatcher::schedule::transition::{Event, Report, transition};
use tillroll_dispatcher::sqlite::{Calls, SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::{
    ApiKey, Changed, DispatcherStore as _, Hook, NewPairing, Pairing, StoreError, StoreRecord,
    TokenHash,
};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::Part;
use tillroll_domain::outbox::RecordKind;
use tillroll_domain::print_job::JobState;
use tillroll_sqlite::Options;
use tillroll_testkit::Dice;
use tillroll_wire::channel::ClockReading;
use tillroll_wire::job::{AfterDeadline, CloudState, TimeOutReason};
use tillroll_wire::record::{Batch, Record};

use crate::ledger::{Facts, Ledger, Told};
use crate::run::{Program, rows};

pub struct Dispatcher {
    store: SqliteStore,
    now: Timestamp,
    taken: Vec<u64>,
    recorded: Vec<Record>,
}

/// What [`Program::make`] makes: the first of each.
const SHOP: StoreNo = StoreNo(1);
const R1: RegisterNo = RegisterNo { store: SHOP, no: 1 };
const KEY: i64 = 1;

fn noon() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

fn part(text: &str) -> Part {
    text.parse().unwrap()
}

/// Where an inline store's future is after its first poll: done.
fn done<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("an inline store waits for nobody")
}

fn told<T>(answer: Result<T, StoreError>) -> Result<T, Told> {
    let is_unknown = |error: &StoreError| matches!(error, StoreError::OutcomeUnknown(_));
    answer.map_err(|error| if is_unknown(&error) { Told::Unknown } else { Told::Refused })
}

impl Program for Dispatcher {
    const DATABASE: &'static str = "dispatcher.db";

    const NEVER: &'static [&'static str] = &[
        "SELECT count(*) - count(DISTINCT job_id) FROM jobs",
        "SELECT (SELECT count(*) FROM receipts)
             - (SELECT count(*) FROM records WHERE kind = 'receipt' AND verdict = 'accepted')",
        "SELECT (SELECT count(*) FROM receipts) - (SELECT coalesce(sum(receipts), 0) FROM register_days)",
        "SELECT (SELECT count(*) FROM records WHERE verdict = 'accepted')
             - (SELECT coalesce(sum(records), 0) FROM record_hours)",
        "SELECT count(*) FROM jobs j WHERE j.state = 'printed' AND NOT EXISTS
             (SELECT 1 FROM hook_deliveries d WHERE d.seq = j.seq AND d.state = 'printed')",
        "SELECT count(*) FROM hook_deliveries d WHERE d.state = 'printed' AND NOT EXISTS
             (SELECT 1 FROM jobs j WHERE j.seq = d.seq AND j.state = 'printed')",
    ];

    fn make(folder: &Path) {
        let (dispatcher, _) =
            Self::open(folder, Options { inline: true, ..Options::default() }).unwrap();
        let store = dispatcher.store.clone();
        let tenant = done(store.add_tenant("Old Wang".into(), noon())).unwrap().id;
        assert_eq!(done(store.add_store(shop(tenant))).unwrap().no, SHOP);
        let key =
            ApiKey { id: 0, tenant, name: "platform".into(), stores: vec![SHOP], revoked_at: None };
        assert_eq!(done(store.add_api_key(key, hash("platform"))).unwrap().id, KEY);
        let url = "http://127.0.0.1:1/".to_owned();
        done(store.set_hook(Hook { api_key: KEY, url, secret: "whsec_MDEyMw==".into() })).unwrap();
        done(store.new_pairing(pairing_offer())).unwrap();
        done(store.pair(pairing())).unwrap();
        dispatcher.close();
    }

    fn open(folder: &Path, database: Options) -> Result<(Self, Option<String>), String> {
        let options = SqliteOptions { database, calls: Calls::Inline };
        let (store, opening) = SqliteStore::open(&folder.join(Self::DATABASE), options)
            .map_err(|error| format!("does not start: {error}"))?;
        let told = opening.rescue.map(|rescue| format!("rescued: {rescue:?}"));
        Ok((Self { store, now: noon(), taken: Vec::new(), recorded: Vec::new() }, told))
    }

    fn step(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice) {
        self.now += SignedDuration::from_secs(1);
        match dice.below(100) {
            0..30 => self.take(ledger, dice),
            30..34 => self.take_again(ledger, dice),
            34..80 => self.go_on(ledger, dice),
            80..95 => self.hear(ledger, dice),
            _ => self.hear_again(ledger),
        }
    }

    fn close(self) {
        let _suspect_after_a_fault = self.store.close();
    }

    fn facts(database: &Connection) -> rusqlite::Result<Facts> {
        let jobs = "SELECT 'job ' || job_id, state || '/' || pushes FROM jobs";
        let records = "SELECT 'record ' || request_id, verdict FROM records";
        let mut facts = rows(database, jobs)?;
        facts.append(&mut rows(database, records)?);
        Ok(facts)
    }
}

impl Dispatcher {
    fn take(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice) {
        let number = dice.below(1 << 30);
        let new = self.new_job(number);
        let effect = [(format!("job {}", new.id), value(CloudState::Scheduled, 0))];
        let inserted = ledger.act(effect, || told(done(self.store.insert_job(new))));
        self.taken.extend(inserted.map(|_| number));
    }

    fn take_again(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice) {
        let place = usize::try_from(dice.below(self.taken.len() as u64)).unwrap();
        let Some(number) = self.taken.get(place) else { return };
        let again = ledger.act([], || told(done(self.store.insert_job(self.new_job(*number)))));
        assert!(again.is_none_or(|inserted| matches!(inserted, Inserted::Replayed(_))));
    }

    /// Something happens to some jobs, and the schedule writes what comes of it in one commit.
    fn go_on(&self, ledger: &mut Ledger<'_>, dice: &mut Dice) {
        let Ok(jobs) = done(self.store.jobs(SHOP, None, None, 100)) else { return };
        let mut jobs: Vec<_> = jobs.into_iter().filter(|_| dice.per_mille(300)).take(3).collect();
        jobs.sort_by_key(|job| job.key);
        let changes: Vec<_> =
            jobs.iter().filter_map(|job| transition(job, &self.event(job, dice)).ok()).collect();
        let name =
            |key| jobs.iter().find(|job| job.key == key).map(|job| format!("job {}", job.id));
        let effect: Vec<_> = changes
            .iter()
            .filter_map(|change| Some((name(change.key)?, value(change.state, change.pushes))))
            .collect();
        let changed = ledger.act(effect, || told(done(self.store.change_jobs(changes, self.now))));
        let is_done = |changed: &Changed| matches!(changed, Changed::Done(_));
        assert!(changed.is_none_or(|changed| changed.iter().all(is_done)));
    }

    fn event(&self, job: &Job, dice: &mut Dice) -> Event {
        let report =
            |state| Event::Result(Report { state, reason: None, version: job.result_version + 1 });
        match dice.below(12) {
            0..4 => Event::PushSent {
                register: R1,
                incarnation: "machine/1".into(),
                next: Some(self.now + SignedDuration::from_secs(2)),
            },
            4..6 => Event::Accepted,
            6..8 => report(JobState::Printed),
            8 => report(JobState::Unconfirmed),
            9 => Event::Parked,
            10 => Event::Returned { now: self.now },
            _ => Event::DeadlinePassed(TimeOutReason::NoAck),
        }
    }

    /// A register's batch: sales, and that they are on paper.
    fn hear(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice) {
        let sales = (0..1 + dice.below(3)).map(|_| i64::try_from(dice.below(1 << 30)).unwrap());
        let records: Vec<_> = sales.flat_map(|number| [sale(number), printed(number)]).collect();
        let effect: Vec<_> = records
            .iter()
            .map(|record| (format!("record {}", record.request_id), "accepted".to_owned()))
            .collect();
        let batch = batch(records.clone());
        if ledger.act(effect, || told(done(self.store.take_records(R1, batch, self.now)))).is_some()
        {
            self.recorded = records;
        }
    }

    /// The verdicts got lost on their way: the register sends the same again.
    fn hear_again(&self, ledger: &mut Ledger<'_>) {
        let batch = batch(self.recorded.clone());
        let again = ledger.act([], || told(done(self.store.take_records(R1, batch, self.now))));
        assert!(
            again.is_none_or(|verdicts| verdicts.iter().all(|given| given.verdict.is_stored()))
        );
    }

    fn new_job(&self, number: u64) -> NewJob {
        let body = format!("{{\"order_no\":\"{number}\"}}");
        NewJob {
            store: SHOP,
            id: format!("S1:{number}:kitchen:v1").parse().unwrap(),
            fingerprint: Fingerprint::of(body.as_bytes()),
            body,
            printer: Some(part("front")),
            deadline_at: self.now + SignedDuration::from_secs(90),
            after_deadline: AfterDeadline::Hold,
            api_key: KEY,
            now: self.now,
        }
    }
}

fn value(state: CloudState, pushes: u32) -> String {
    format!("{}/{pushes}", state.as_str())
}

fn hash(text: &str) -> TokenHash {
    TokenHash(*Fingerprint::of(text.as_bytes()).as_bytes())
}

fn shop(tenant: i64) -> StoreRecord {
    StoreRecord {
        no: StoreNo(0),
        tenant,
        uid: "uid-1".into(),
        code: part("S1"),
        name: "Shop".into(),
        created_at: noon(),
    }
}

fn pairing_offer() -> NewPairing {
    let until = noon() + SignedDuration::from_mins(10);
    NewPairing { store: SHOP, register: part("R1"), code: hash("code"), until }
}

fn pairing() -> Pairing {
    Pairing {
        code: hash("code"),
        store: part("S1"),
        register: part("R1"),
        installation: "machine".into(),
        credential: hash("credential"),
        now: noon(),
    }
}

fn batch(records: Vec<Record>) -> Batch {
    let clock = ClockReading { now: noon(), boot_ms: 7 };
    Batch { protocol: 1, installation: "machine".into(), clock, records }
}

fn record(kind: RecordKind, request_id: String, flow_no: i64, body: serde_json::Value) -> Record {
    let fingerprint = Fingerprint::of(body.to_string().as_bytes());
    let flow_no = Some(flow_no);
    Record { request_id, kind, fingerprint, flow_no, epoch: 1, recorded_at: noon(), body }
}

fn sale(number: i64) -> Record {
    let id = format!("S1:{number}:receipt:v1");
    let body = json!({
        "id": id, "kind": "receipt", "day": "2026-11-30", "z_no": 1,
        "takings_minor": 1_250, "tenders": {"cash": 1_250},
    });
    record(RecordKind::Receipt, format!("{id}/receipt/e1/r1"), number, body)
}

fn printed(number: i64) -> Record {
    let body = json!({"state": "printed", "confirmation": "token", "reason": null});
    record(RecordKind::Print, format!("S1:{number}:receipt:v1/print/e1/r3"), number, body)
}
