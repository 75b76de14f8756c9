//! [`DispatcherStore`] for PostgreSQL: each method one transaction.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::CloudState;
use tillroll_wire::record::{Batch, Fate, RecordVerdict};
use tillroll_wire::repair::{Digests, HourIds};

use super::columns::run_on_one;
use super::{
    PostgresStore, announcements, api_keys, changes, days, fates, hooks, hours, jobs, records,
    registers, rejected, retention, schedule, tenants,
};
use crate::job::{Inserted, Job, JobKey, NewJob, RegisterNo, StoreNo};
use crate::store::{
    ApiKey, Caller, Changed, ClockDrift, Credential, DispatcherStore, GivenUp, HighWater, Hook,
    HookDelivery, JobChange, NewPairing, Pairing, PairingOutcome, Register, RejectedRecord,
    StoreDay, StoreRecord, Stored, Tenant, TokenHash,
};

impl DispatcherStore for PostgresStore {
    async fn insert_job(&self, new: NewJob) -> Stored<Inserted> {
        Ok(self.insert_owned(new).await?.0)
    }

    async fn job(&self, store: StoreNo, id: JobId) -> Stored<Option<Job>> {
        self.look_up(async move |db| jobs::find(db, store, &id).await).await
    }

    async fn jobs_by_key(&self, keys: Vec<JobKey>) -> Stored<Vec<Job>> {
        self.look_up(async move |db| jobs::by_key(db, &keys).await).await
    }

    async fn open_counts(&self) -> Stored<Vec<(CloudState, u64, Timestamp)>> {
        self.look_up(async |db| jobs::open_counts(db).await).await
    }

    async fn unconfirmed_since(&self, since: Timestamp) -> Stored<u64> {
        self.look_up(async move |db| jobs::unconfirmed_since(db, since).await).await
    }

    async fn bodies(&self, keys: Vec<JobKey>) -> Stored<Vec<(JobKey, String)>> {
        self.look_up(async move |db| jobs::bodies(db, &keys).await).await
    }

    async fn jobs(
        &self,
        store: StoreNo,
        state: Option<CloudState>,
        before: Option<JobKey>,
        limit: u32,
    ) -> Stored<Vec<Job>> {
        self.look_up(async move |db| jobs::list(db, store, state, before, limit).await).await
    }

    async fn change_jobs(&self, changes: Vec<JobChange>, now: Timestamp) -> Stored<Vec<Changed>> {
        self.write(async move |db| changes::apply(db, &changes, now).await).await
    }

    async fn due_jobs(
        &self,
        until: Timestamp,
        after: Option<JobKey>,
        limit: u32,
    ) -> Stored<Vec<Job>> {
        self.look_up(async move |db| schedule::due(db, until, after, limit).await).await
    }

    async fn deadlines(
        &self,
        from: Timestamp,
        past: Option<JobKey>,
        until: Timestamp,
        limit: u32,
    ) -> Stored<Vec<(Timestamp, JobKey)>> {
        self.look_up(async move |db| schedule::deadlines(db, from, past, until, limit).await).await
    }

    async fn waiting_jobs(&self, store: StoreNo, printer: Part, limit: u32) -> Stored<Vec<Job>> {
        self.look_up(async move |db| schedule::waiting(db, store, &printer, limit).await).await
    }

    async fn jobs_at(&self, register: RegisterNo) -> Stored<Vec<Job>> {
        self.look_up(async move |db| schedule::at_register(db, register).await).await
    }

    async fn add_tenant(&self, name: String, now: Timestamp) -> Stored<Tenant> {
        self.write_statement(async move |db| tenants::add(db, &name, now).await).await
    }

    async fn tenants(&self) -> Stored<Vec<Tenant>> {
        self.look_up(async |db| tenants::list(db).await).await
    }

    async fn add_store(&self, store: StoreRecord) -> Stored<StoreRecord> {
        self.write(async move |db| tenants::add_store(db, &store).await).await
    }

    async fn stores(&self) -> Stored<Vec<StoreRecord>> {
        self.look_up(async |db| tenants::stores(db).await).await
    }

    async fn store_of(&self, uid: String) -> Stored<Option<StoreRecord>> {
        self.look_up(async move |db| tenants::store_of(db, &uid).await).await
    }

    async fn new_pairing(&self, pairing: NewPairing) -> Stored<Register> {
        self.write(async move |db| registers::new_pairing(db, &pairing).await).await
    }

    async fn pair(&self, pairing: Pairing) -> Stored<PairingOutcome> {
        self.write(async move |db| registers::pair(db, &pairing).await).await
    }

    async fn register_of(&self, credential: TokenHash) -> Stored<Option<Credential>> {
        self.look_up(async move |db| registers::of_credential(db, credential).await).await
    }

    async fn registers(&self, store: StoreNo) -> Stored<Vec<Register>> {
        self.look_up(async move |db| registers::list(db, store).await).await
    }

    async fn revoke_register(&self, register: RegisterNo, now: Timestamp) -> Stored<()> {
        self.write(async move |db| registers::revoke(db, register, now).await).await
    }

    async fn add_api_key(&self, key: ApiKey, hash: TokenHash) -> Stored<ApiKey> {
        self.write(async move |db| api_keys::add(db, &key, hash).await).await
    }

    async fn caller(&self, hash: TokenHash, store: Option<String>) -> Stored<Option<Caller>> {
        self.look_up(async move |db| api_keys::caller(db, hash, store.as_deref()).await).await
    }

    async fn api_keys(&self, tenant: i64) -> Stored<Vec<ApiKey>> {
        self.look_up(async move |db| api_keys::list(db, tenant).await).await
    }

    async fn revoke_api_key(&self, key: i64, now: Timestamp) -> Stored<()> {
        self.write(async move |db| api_keys::revoke(db, key, now).await).await
    }

    async fn announce(
        &self,
        register: RegisterNo,
        printers: Vec<Part>,
        routes: Vec<(JobKind, Part)>,
        now: Timestamp,
    ) -> Stored<Vec<Part>> {
        self.write(async move |db| {
            announcements::announce(db, register, &printers, &routes, now).await
        })
        .await
    }

    async fn printer_owner(&self, store: StoreNo, printer: Part) -> Stored<Option<RegisterNo>> {
        self.look_up(async move |db| announcements::owner(db, store, &printer).await).await
    }

    async fn route(&self, store: StoreNo, kind: JobKind) -> Stored<Option<Part>> {
        self.look_up(async move |db| announcements::route(db, store, kind).await).await
    }

    async fn take_records(
        &self,
        from: RegisterNo,
        batch: Batch,
        now: Timestamp,
    ) -> Stored<Vec<RecordVerdict>> {
        self.write(async move |db| records::take(db, from, &batch, now).await).await
    }

    async fn fates(&self, store: StoreNo, request_ids: Vec<String>) -> Stored<Vec<Fate>> {
        self.look_up(async move |db| fates::of(db, store, &request_ids).await).await
    }

    async fn digests(&self, register: RegisterNo, from: i64, to: i64) -> Stored<Digests> {
        self.look_up(async move |db| hours::digests(db, register, from, to).await).await
    }

    async fn hour_ids(&self, register: RegisterNo, hour: i64) -> Stored<HourIds> {
        self.look_up(async move |db| hours::ids(db, register, hour).await).await
    }

    async fn register_day(&self, register: RegisterNo, day: Date) -> Stored<CloudDay> {
        self.read(async move |db| days::of_register(db, register, day).await).await
    }

    async fn store_day(&self, store: StoreNo, day: Date) -> Stored<StoreDay> {
        self.read(async move |db| days::of_store(db, store, day).await).await
    }

    async fn high_water(&self, register: RegisterNo) -> Stored<Option<HighWater>> {
        self.look_up(async move |db| registers::high_water(db, register).await).await
    }

    async fn rejected(
        &self,
        store: StoreNo,
        before: Option<i64>,
        limit: u32,
    ) -> Stored<Vec<RejectedRecord>> {
        self.look_up(async move |db| rejected::list(db, store, before, limit).await).await
    }

    async fn note_drift(&self, drift: ClockDrift) -> Stored<()> {
        self.write_statement(async move |db| registers::note_drift(db, &drift).await).await
    }

    async fn drifts(&self, store: StoreNo) -> Stored<Vec<ClockDrift>> {
        self.look_up(async move |db| registers::drifts(db, store).await).await
    }

    async fn set_hook(&self, hook: Hook) -> Stored<()> {
        self.write_statement(async move |db| hooks::set(db, &hook).await).await
    }

    async fn due_deliveries(&self, now: Timestamp, limit: u32) -> Stored<Vec<HookDelivery>> {
        self.look_up(async move |db| hooks::due(db, now, limit).await).await
    }

    async fn settle_delivery(
        &self,
        id: i64,
        delivered: bool,
        again_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Stored<()> {
        self.write_statement(async move |db| hooks::settle(db, id, delivered, again_at, now).await)
            .await
    }

    async fn given_up(&self, limit: u32) -> Stored<Vec<GivenUp>> {
        self.look_up(async move |db| hooks::given_up(db, limit).await).await
    }

    async fn check(&self) -> Stored<()> {
        self.write_statement(async |db| run_on_one(db, PROBE, &[], "the probe's row is gone").await)
            .await
    }

    async fn drop_old(&self, before: Timestamp, limit: u32) -> Stored<u64> {
        self.write(async move |db| retention::drop_old(db, before, limit).await).await
    }
}

const PROBE: &str = "UPDATE probe SET writes = writes + 1 WHERE id = 1";
