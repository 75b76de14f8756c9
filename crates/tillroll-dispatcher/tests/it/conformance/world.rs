//! A chain with one store, two paired registers and a business system's key, in an empty store.

use std::any::Any;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tillroll_dispatcher::job::{Inserted, Job, NewJob, RegisterNo, StoreNo};
use tillroll_dispatcher::store::{
    ApiKey, Changed, DispatcherStore, JobChange, NewPairing, Pairing, PairingOutcome, StoreRecord,
    TokenHash,
};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::Part;
use tillroll_domain::outbox::RecordKind;
use tillroll_wire::channel::ClockReading;
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::{AfterDeadline, CloudState};
use tillroll_wire::record::{Batch, Record, RecordVerdict, Verdict};

/// A store that an engine opened, and what must outlive it.
pub struct Opened<S> {
    pub store: S,
    pub kept: Box<dyn Any + Send + Sync>,
}

pub struct World<S> {
    pub store: S,
    pub tenant: i64,
    pub shop: StoreRecord,
    pub key: ApiKey,
    pub r1: RegisterNo,
    pub r2: RegisterNo,
    _kept: Box<dyn Any + Send + Sync>,
}

/// Noon of the day of most tests.
pub fn noon() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

pub fn later(seconds: i64) -> Timestamp {
    noon() + SignedDuration::from_secs(seconds)
}

pub fn part(text: &str) -> Part {
    text.parse().unwrap()
}

/// A hash as any token's would be.
pub fn hash(text: &str) -> TokenHash {
    TokenHash(*Fingerprint::of(text.as_bytes()).as_bytes())
}

impl<S: DispatcherStore> World<S> {
    pub async fn new(opened: Opened<S>) -> Self {
        let Opened { store, kept } = opened;
        let tenant = store.add_tenant("Old Wang".into(), noon()).await.unwrap().id;
        let shop = store.add_store(shop(tenant, "uid-1", "S1")).await.unwrap();
        let key = api_key(tenant, "platform", vec![shop.no]);
        let key = store.add_api_key(key, hash("platform")).await.unwrap();
        let r1 = paired(&store, &shop, "R1").await;
        let r2 = paired(&store, &shop, "R2").await;
        Self { store, tenant, shop, key, r1, r2, _kept: kept }
    }

    /// Order `n` for the printer `front`, with 90 s.
    pub fn new_job(&self, n: u32) -> NewJob {
        let body = format!("{{\"order_no\":\"{n}\"}}");
        NewJob {
            store: self.shop.no,
            id: format!("S1:{n:06}:kitchen:v1").parse().unwrap(),
            fingerprint: Fingerprint::of(body.as_bytes()),
            body,
            printer: Some(part("front")),
            deadline_at: later(90),
            after_deadline: AfterDeadline::Hold,
            api_key: self.key.id,
            now: noon(),
        }
    }

    pub async fn job(&self, n: u32) -> Job {
        self.insert(self.new_job(n)).await
    }

    pub async fn insert(&self, new: NewJob) -> Job {
        let inserted = self.store.insert_job(new).await.unwrap();
        let Inserted::New(job) = inserted else { panic!("not new: {inserted:?}") };
        job
    }

    /// Changes a job as it stands in the store.
    pub async fn change(&self, job: &Job, edit: impl FnOnce(&mut JobChange)) -> Job {
        let mut change = JobChange::of(job);
        edit(&mut change);
        let changed = self.store.change_jobs(vec![change], later(5)).await.unwrap().remove(0);
        let Changed::Done(job) = changed else { panic!("not done: {changed:?}") };
        job
    }

    pub async fn to(&self, job: &Job, state: CloudState) -> Job {
        self.change(job, |change| change.state = state).await
    }

    pub async fn send(&self, from: RegisterNo, records: Vec<Record>) -> Vec<RecordVerdict> {
        self.store.take_records(from, batch(records), noon()).await.unwrap()
    }

    /// Sends one record.
    pub async fn verdict(&self, from: RegisterNo, record: &Record) -> Verdict {
        let mut verdicts = self.send(from, vec![record.clone()]).await;
        assert_eq!(verdicts[0].request_id, record.request_id);
        verdicts.remove(0).verdict
    }

    pub async fn day(&self, register: RegisterNo) -> CloudDay {
        self.store.register_day(register, "2026-11-30".parse().unwrap()).await.unwrap()
    }
}

pub fn shop(tenant: i64, uid: &str, code: &str) -> StoreRecord {
    StoreRecord {
        no: StoreNo(0),
        tenant,
        uid: uid.into(),
        code: part(code),
        name: format!("Shop {code}"),
        created_at: noon(),
    }
}

pub fn api_key(tenant: i64, name: &str, stores: Vec<StoreNo>) -> ApiKey {
    ApiKey { id: 0, tenant, name: name.into(), stores, revoked_at: None }
}

pub fn new_pairing(shop: &StoreRecord, register: &str, code: &str) -> NewPairing {
    NewPairing { store: shop.no, register: part(register), code: hash(code), until: later(600) }
}

pub fn pairing(code: &str, store: &str, register: &str) -> Pairing {
    Pairing {
        code: hash(code),
        store: part(store),
        register: part(register),
        installation: format!("machine of {code}"),
        credential: hash(&format!("credential by {code}")),
        now: later(1),
    }
}

pub async fn paired<S: DispatcherStore>(store: &S, shop: &StoreRecord, name: &str) -> RegisterNo {
    let code = format!("{}/{name}", shop.uid);
    store.new_pairing(new_pairing(shop, name, &code)).await.unwrap();
    let used = store.pair(pairing(&code, shop.code.as_str(), name)).await.unwrap();
    let PairingOutcome::Paired(_, register) = used else { panic!("{used:?}") };
    register.no
}

pub fn batch(records: Vec<Record>) -> Batch {
    Batch {
        protocol: 1,
        installation: "machine".into(),
        clock: ClockReading { now: later(3), boot_ms: 7 },
        records,
    }
}

/// A record as a register makes it, at noon.
pub fn record(kind: RecordKind, request_id: String, flow_no: Option<i64>, body: Value) -> Record {
    let fingerprint = Fingerprint::of(body.to_string().as_bytes());
    Record { request_id, kind, fingerprint, flow_no, epoch: 1, recorded_at: noon(), body }
}

/// A receipt of an id under a flow number.
pub fn receipt(id: &str, flow_no: i64, takings_minor: i64) -> Record {
    let kind = id.split(':').nth(2).unwrap();
    let body = json!({
        "id": id, "kind": kind, "day": "2026-11-30", "z_no": 1,
        "takings_minor": takings_minor, "tenders": {"cash": takings_minor},
    });
    record(RecordKind::Receipt, format!("{id}/receipt/e1/r1"), Some(flow_no), body)
}

/// Sale number `n`, 12.50 in cash.
pub fn sale(n: i64) -> Record {
    receipt(&sale_id(n), n, 1_250)
}

pub fn sale_id(n: i64) -> String {
    format!("S1:{n:06}:receipt:v1")
}

/// The word about the paper of an id.
pub fn paper(id: &str, flow_no: i64, row_version: i64, body: Value) -> Record {
    record(RecordKind::Print, format!("{id}/print/e1/r{row_version}"), Some(flow_no), body)
}

/// Sale number `n` is on paper.
pub fn printed(n: i64) -> Record {
    paper(&sale_id(n), n, 3, proved())
}

pub fn proved() -> Value {
    json!({"state": "printed", "confirmation": "token", "reason": null})
}

pub fn skipped() -> Value {
    json!({"state": "skipped", "confirmation": null, "reason": null})
}

/// The code of a refusal.
pub fn code(verdict: &Verdict) -> tillroll_wire::Code {
    let Verdict::Rejected { code, .. } = verdict else { panic!("not refused: {verdict:?}") };
    *code
}
