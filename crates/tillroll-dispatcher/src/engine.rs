//! The engine that the program keeps its rows in, as the configuration chose it.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_domain::splits::{Call, ShareTable, SplitState};
use tillroll_sqlite::Health;
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::CloudState;
use tillroll_wire::record::{Batch, Fate, RecordVerdict};
use tillroll_wire::repair::{Digests, HourIds};
use tokio::task::spawn_blocking;

use crate::counters::{CounterDay, Counters, DayCheck, Outcome, Request};
use crate::job::{Inserted, Job, JobKey, NewJob, RegisterNo, StoreNo};
use crate::postgres::PostgresStore;
use crate::splits::{NewSplit, Prepared, Split, SplitChange, SplitChanged, SplitKey, SplitRecord};
use crate::sqlite::SqliteStore;
use crate::store::{
    ApiKey, Caller, Changed, ClockDrift, Completed, Consumed, Credential, DispatcherStore, GivenUp,
    HighWater, Hook, HookDelivery, Issued, JobChange, NewPairing, NewPayToken, Pairing,
    PairingOutcome, PayToken, PayTokenKey, PayTokens, Promotion, Promotions, Register,
    RejectedRecord, SplitDay, Splits, StoreDay, StoreRecord, Stored, TableSet, Tenant, TokenHash,
};

/// The store of a running program: one of the engines. Clones share it.
#[derive(Debug, Clone)]
pub enum Engine {
    /// A file in the data folder, for one node.
    Sqlite(SqliteStore),
    /// A database that nodes share.
    Postgres(PostgresStore),
}

impl Engine {
    /// Health of the database's file, where the program keeps one itself.
    #[must_use]
    pub fn health(&self) -> Option<Health> {
        match self {
            Self::Sqlite(store) => Some(store.health()),
            Self::Postgres(_) => None,
        }
    }

    /// Closes it; other handles find it closed.
    pub async fn close(self) {
        let store = match self {
            Self::Sqlite(store) => store,
            Self::Postgres(store) => return store.close(),
        };
        match spawn_blocking(move || store.close()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the database did not close well"),
            Err(error) => tracing::warn!(%error, "the database was not closed"),
        }
    }
}

/// Has each method of a trait done by the engine that is there.
macro_rules! delegate {
    ($trait:ident { $(fn $method:ident($($name:ident: $type:ty),*) -> $answer:ty;)* }) => {
        impl $trait for Engine {
            $(async fn $method(&self, $($name: $type),*) -> Stored<$answer> {
                match self {
                    Self::Sqlite(store) => store.$method($($name),*).await,
                    Self::Postgres(store) => store.$method($($name),*).await,
                }
            })*
        }
    };
}

delegate! {
    DispatcherStore {
        fn insert_job(new: NewJob) -> Inserted;
        fn job(store: StoreNo, id: JobId) -> Option<Job>;
        fn jobs_by_key(keys: Vec<JobKey>) -> Vec<Job>;
        fn open_counts() -> Vec<(CloudState, u64, Timestamp)>;
        fn unconfirmed_since(since: Timestamp) -> u64;
        fn bodies(keys: Vec<JobKey>) -> Vec<(JobKey, String)>;
        fn jobs(
            store: StoreNo,
            state: Option<CloudState>,
            before: Option<JobKey>,
            limit: u32
        ) -> Vec<Job>;
        fn change_jobs(changes: Vec<JobChange>, now: Timestamp) -> Vec<Changed>;
        fn due_jobs(until: Timestamp, after: Option<JobKey>, limit: u32) -> Vec<Job>;
        fn deadlines(
            from: Timestamp,
            past: Option<JobKey>,
            until: Timestamp,
            limit: u32
        ) -> Vec<(Timestamp, JobKey)>;
        fn waiting_jobs(store: StoreNo, printer: Part, limit: u32) -> Vec<Job>;
        fn jobs_at(register: RegisterNo) -> Vec<Job>;
        fn add_tenant(name: String, now: Timestamp) -> Tenant;
        fn tenants() -> Vec<Tenant>;
        fn add_store(store: StoreRecord) -> StoreRecord;
        fn stores() -> Vec<StoreRecord>;
        fn store_of(uid: String) -> Option<StoreRecord>;
        fn new_pairing(pairing: NewPairing) -> Register;
        fn pair(pairing: Pairing) -> PairingOutcome;
        fn register_of(credential: TokenHash) -> Option<Credential>;
        fn registers(store: StoreNo) -> Vec<Register>;
        fn revoke_register(register: RegisterNo, now: Timestamp) -> ();
        fn add_api_key(key: ApiKey, hash: TokenHash) -> ApiKey;
        fn caller(hash: TokenHash, store: Option<String>) -> Option<Caller>;
        fn api_keys(tenant: i64) -> Vec<ApiKey>;
        fn revoke_api_key(key: i64, now: Timestamp) -> ();
        fn announce(
            register: RegisterNo,
            printers: Vec<Part>,
            routes: Vec<(JobKind, Part)>,
            now: Timestamp
        ) -> Vec<Part>;
        fn printer_owner(store: StoreNo, printer: Part) -> Option<RegisterNo>;
        fn route(store: StoreNo, kind: JobKind) -> Option<Part>;
        fn take_records(from: RegisterNo, batch: Batch, now: Timestamp) -> Vec<RecordVerdict>;
        fn fates(store: StoreNo, request_ids: Vec<String>) -> Vec<Fate>;
        fn digests(register: RegisterNo, from: i64, to: i64) -> Digests;
        fn hour_ids(register: RegisterNo, hour: i64) -> HourIds;
        fn register_day(register: RegisterNo, day: Date) -> CloudDay;
        fn store_day(store: StoreNo, day: Date) -> StoreDay;
        fn high_water(register: RegisterNo) -> Option<HighWater>;
        fn rejected(store: StoreNo, before: Option<i64>, limit: u32) -> Vec<RejectedRecord>;
        fn note_drift(drift: ClockDrift) -> ();
        fn drifts(store: StoreNo) -> Vec<ClockDrift>;
        fn set_hook(hook: Hook) -> ();
        fn due_deliveries(now: Timestamp, limit: u32) -> Vec<HookDelivery>;
        fn settle_delivery(
            id: i64,
            delivered: bool,
            again_at: Option<Timestamp>,
            now: Timestamp
        ) -> ();
        fn given_up(limit: u32) -> Vec<GivenUp>;
        fn check() -> ();
        fn drop_old(before: Timestamp, limit: u32) -> u64;
    }
}

delegate! {
    Promotions {
        fn promotion(store: StoreNo) -> Option<Promotion>;
        fn set_promotion(store: StoreNo, promotion: Option<Promotion>) -> ();
    }
}

delegate! {
    PayTokens {
        fn issue_pay_token(new: NewPayToken) -> Issued;
        fn pay_token(key: PayTokenKey) -> Option<PayToken>;
        fn consume_pay_token(
            key: PayTokenKey,
            consume_id: String,
            now: Timestamp
        ) -> Option<Consumed>;
        fn complete_pay_token(
            key: PayTokenKey,
            consume_id: String,
            result: String,
            now: Timestamp
        ) -> Option<Completed>;
    }
}

delegate! {
    Splits {
        fn set_share_table(store: StoreNo, table: ShareTable, now: Timestamp) -> TableSet;
        fn share_tables(store: StoreNo) -> Vec<ShareTable>;
        fn set_sharing(store: StoreNo, on: bool) -> ();
        fn prepare_split(new: NewSplit) -> Prepared;
        fn split(store: StoreNo, id: String) -> Option<Split>;
        fn splits(
            store: StoreNo,
            state: Option<SplitState>,
            before: Option<i64>,
            limit: u32
        ) -> Vec<Split>;
        fn change_splits(changes: Vec<SplitChange>) -> Vec<SplitChanged>;
        fn claim_splits(now: Timestamp, limit: u32) -> Vec<(Split, Option<Call>)>;
        fn hasten_splits(now: Timestamp, limit: u32) -> u64;
        fn split_history(key: SplitKey) -> Vec<SplitRecord>;
        fn split_day(store: StoreNo, day: Date) -> SplitDay;
        fn paid_splits(past: (Timestamp, SplitKey), until: Timestamp, limit: u32) -> Vec<Split>;
        fn open_splits() -> Vec<(SplitState, u64)>;
    }
}

delegate! {
    Counters {
        fn count(store: StoreNo, requests: Vec<Request>) -> Vec<Outcome>;
        fn stock(store: StoreNo, sku: Part) -> Option<i64>;
        fn counter_day(store: StoreNo, day: Date) -> CounterDay;
        fn check_counters(store: StoreNo, day: Date) -> DayCheck;
        fn rebuild_counters(store: StoreNo, day: Date) -> ();
        fn counted_stores(after: StoreNo, limit: u32) -> Vec<StoreNo>;
    }
}
