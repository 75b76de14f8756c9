//! [`DispatcherStore`] for SQLite: each method one transaction.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_sqlite::rusqlite::Connection;
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::CloudState;
use tillroll_wire::record::{Batch, Fate, RecordVerdict};
use tillroll_wire::repair::{Digests, HourIds};

use super::columns::run_on_one;
use super::{
    SqliteStore, announcements, api_keys, changes, days, fates, hooks, hours, jobs, records,
    registers, rejected, retention, schedule, tenants,
};
use crate::job::{Inserted, Job, JobKey, NewJob, RegisterNo, StoreNo};
use crate::store::{
    ApiKey, Caller, Changed, ClockDrift, Credential, DispatcherStore, GivenUp, HighWater, Hook,
    HookDelivery, JobChange, NewPairing, Pairing, PairingOutcome, Register, RejectedRecord,
    StoreDay, StoreRecord, Stored, Tenant, TokenHash,
};

impl DispatcherStore for SqliteStore {
    async fn insert_job(&self, new: NewJob) -> Stored<Inserted> {
        self.write_in_company(move |db| jobs::insert(db, &new)).await
    }

    async fn job(&self, store: StoreNo, id: JobId) -> Stored<Option<Job>> {
        self.look_up(move |db| jobs::find(db, store, &id)).await
    }

    async fn jobs_by_key(&self, keys: Vec<JobKey>) -> Stored<Vec<Job>> {
        self.read(move |db| jobs::by_key(db, &keys)).await
    }

    async fn open_counts(&self) -> Stored<Vec<(CloudState, u64, Timestamp)>> {
        self.read(jobs::open_counts).await
    }

    async fn unconfirmed_since(&self, since: Timestamp) -> Stored<u64> {
        self.read(move |db| jobs::unconfirmed_since(db, since)).await
    }

    async fn bodies(&self, keys: Vec<JobKey>) -> Stored<Vec<(JobKey, String)>> {
        self.read(move |db| jobs::bodies(db, &keys)).await
    }

    async fn jobs(
        &self,
        store: StoreNo,
        state: Option<CloudState>,
        before: Option<JobKey>,
        limit: u32,
    ) -> Stored<Vec<Job>> {
        self.read(move |db| jobs::list(db, store, state, before, limit)).await
    }

    async fn change_jobs(&self, changes: Vec<JobChange>, now: Timestamp) -> Stored<Vec<Changed>> {
        // That a deadline has passed is told at once.
        let urgent = changes.iter().any(|change| change.state == CloudState::TimedOut);
        let work = move |db: &Connection| changes::apply(db, &changes, now);
        if urgent { self.write(work).await } else { self.write_in_company(work).await }
    }

    async fn due_jobs(
        &self,
        until: Timestamp,
        after: Option<JobKey>,
        limit: u32,
    ) -> Stored<Vec<Job>> {
        self.read(move |db| schedule::due(db, until, after, limit)).await
    }

    async fn deadlines(
        &self,
        from: Timestamp,
        past: Option<JobKey>,
        until: Timestamp,
        limit: u32,
    ) -> Stored<Vec<(Timestamp, JobKey)>> {
        self.read(move |db| schedule::deadlines(db, from, past, until, limit)).await
    }

    async fn waiting_jobs(&self, store: StoreNo, printer: Part, limit: u32) -> Stored<Vec<Job>> {
        self.read(move |db| schedule::waiting(db, store, &printer, limit)).await
    }

    async fn jobs_at(&self, register: RegisterNo) -> Stored<Vec<Job>> {
        self.read(move |db| schedule::at_register(db, register)).await
    }

    async fn add_tenant(&self, name: String, now: Timestamp) -> Stored<Tenant> {
        self.write(move |db| tenants::add(db, &name, now)).await
    }

    async fn tenants(&self) -> Stored<Vec<Tenant>> {
        self.read(tenants::list).await
    }

    async fn add_store(&self, store: StoreRecord) -> Stored<StoreRecord> {
        self.write(move |db| tenants::add_store(db, &store)).await
    }

    async fn stores(&self) -> Stored<Vec<StoreRecord>> {
        self.read(tenants::stores).await
    }

    async fn store_of(&self, uid: String) -> Stored<Option<StoreRecord>> {
        self.look_up(move |db| tenants::store_of(db, &uid)).await
    }

    async fn new_pairing(&self, pairing: NewPairing) -> Stored<Register> {
        self.write(move |db| registers::new_pairing(db, &pairing)).await
    }

    async fn pair(&self, pairing: Pairing) -> Stored<PairingOutcome> {
        self.write(move |db| registers::pair(db, &pairing)).await
    }

    async fn register_of(&self, credential: TokenHash) -> Stored<Option<Credential>> {
        self.look_up(move |db| registers::of_credential(db, credential)).await
    }

    async fn registers(&self, store: StoreNo) -> Stored<Vec<Register>> {
        self.read(move |db| registers::list(db, store)).await
    }

    async fn revoke_register(&self, register: RegisterNo, now: Timestamp) -> Stored<()> {
        self.write(move |db| registers::revoke(db, register, now)).await
    }

    async fn add_api_key(&self, key: ApiKey, hash: TokenHash) -> Stored<ApiKey> {
        self.write(move |db| api_keys::add(db, &key, hash)).await
    }

    async fn caller(&self, hash: TokenHash, store: Option<String>) -> Stored<Option<Caller>> {
        self.look_up(move |db| api_keys::caller(db, hash, store.as_deref())).await
    }

    async fn api_keys(&self, tenant: i64) -> Stored<Vec<ApiKey>> {
        self.read(move |db| api_keys::list(db, tenant)).await
    }

    async fn revoke_api_key(&self, key: i64, now: Timestamp) -> Stored<()> {
        self.write(move |db| api_keys::revoke(db, key, now)).await
    }

    async fn announce(
        &self,
        register: RegisterNo,
        printers: Vec<Part>,
        routes: Vec<(JobKind, Part)>,
        now: Timestamp,
    ) -> Stored<Vec<Part>> {
        self.write(move |db| announcements::announce(db, register, &printers, &routes, now)).await
    }

    async fn printer_owner(&self, store: StoreNo, printer: Part) -> Stored<Option<RegisterNo>> {
        self.look_up(move |db| announcements::owner(db, store, &printer)).await
    }

    async fn route(&self, store: StoreNo, kind: JobKind) -> Stored<Option<Part>> {
        self.look_up(move |db| announcements::route(db, store, kind)).await
    }

    async fn take_records(
        &self,
        from: RegisterNo,
        batch: Batch,
        now: Timestamp,
    ) -> Stored<Vec<RecordVerdict>> {
        self.write_in_company(move |db| records::take(db, from, &batch, now)).await
    }

    async fn fates(&self, store: StoreNo, request_ids: Vec<String>) -> Stored<Vec<Fate>> {
        self.read(move |db| fates::of(db, store, &request_ids)).await
    }

    async fn digests(&self, register: RegisterNo, from: i64, to: i64) -> Stored<Digests> {
        self.read(move |db| hours::digests(db, register, from, to)).await
    }

    async fn hour_ids(&self, register: RegisterNo, hour: i64) -> Stored<HourIds> {
        self.read(move |db| hours::ids(db, register, hour)).await
    }

    async fn register_day(&self, register: RegisterNo, day: Date) -> Stored<CloudDay> {
        self.read(move |db| days::of_register(db, register, day)).await
    }

    async fn store_day(&self, store: StoreNo, day: Date) -> Stored<StoreDay> {
        self.read(move |db| days::of_store(db, store, day)).await
    }

    async fn high_water(&self, register: RegisterNo) -> Stored<Option<HighWater>> {
        self.look_up(move |db| registers::high_water(db, register)).await
    }

    async fn rejected(
        &self,
        store: StoreNo,
        before: Option<i64>,
        limit: u32,
    ) -> Stored<Vec<RejectedRecord>> {
        self.read(move |db| rejected::list(db, store, before, limit)).await
    }

    async fn note_drift(&self, drift: ClockDrift) -> Stored<()> {
        self.write_in_company(move |db| registers::note_drift(db, &drift)).await
    }

    async fn drifts(&self, store: StoreNo) -> Stored<Vec<ClockDrift>> {
        self.read(move |db| registers::drifts(db, store)).await
    }

    async fn set_hook(&self, hook: Hook) -> Stored<()> {
        self.write(move |db| hooks::set(db, &hook)).await
    }

    async fn due_deliveries(&self, now: Timestamp, limit: u32) -> Stored<Vec<HookDelivery>> {
        self.look_up(move |db| hooks::due(db, now, limit)).await
    }

    async fn settle_delivery(
        &self,
        id: i64,
        delivered: bool,
        again_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Stored<()> {
        self.write_in_company(move |db| hooks::settle(db, id, delivered, again_at, now)).await
    }

    async fn given_up(&self, limit: u32) -> Stored<Vec<GivenUp>> {
        self.read(move |db| hooks::given_up(db, limit)).await
    }

    async fn check(&self) -> Stored<()> {
        let sql = "UPDATE probe SET writes = writes + 1 WHERE id = 1";
        self.write(move |db| run_on_one(db, sql, [], "the probe's row is gone")).await
    }

    async fn drop_old(&self, before: Timestamp, limit: u32) -> Stored<u64> {
        self.write(move |db| retention::drop_old(db, before, limit)).await
    }
}
