//! What the dispatcher keeps, behind one trait: SQLite on one node, PostgreSQL on many.
//!
//! Every method is one transaction. A write is answered after it is durable. Every engine passes the
//! same conformance suite.

mod account;
mod books;
mod change;
pub(crate) mod day_counts;
mod error;
pub mod fact;
mod hook;
pub(crate) mod hour_sets;
pub(crate) mod instant;
mod pay_token;
mod promotion;
mod split;
mod view;

use std::future::Future;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::{JobId, Part};
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::CloudState;
use tillroll_wire::record::{Batch, Fate, RecordVerdict};
use tillroll_wire::repair::{Digests, HourIds};

pub use self::account::{
    ApiKey, Caller, ClockDrift, Credential, NewPairing, Pairing, PairingOutcome, Register,
    StoreRecord, Tenant, TokenHash,
};
pub use self::books::{HighWater, RejectedRecord, StoreDay};
pub use self::change::{Changed, JobChange};
pub use self::error::StoreError;
pub use self::hook::{GivenUp, Hook, HookDelivery};
pub use self::pay_token::{
    Completed, Consumed, Issued, NewPayToken, PayToken, PayTokenKey, PayTokens,
};
pub use self::promotion::{Promotion, Promotions};
pub use self::split::{SplitDay, Splits, TableSet};

use crate::job::{Inserted, Job, JobKey, NewJob, RegisterNo, StoreNo};

/// An answer of the store.
pub type Stored<T> = Result<T, StoreError>;

/// The dispatcher's durable state. Cheap to clone.
pub trait DispatcherStore: Clone + Send + Sync + 'static {
    // --- jobs ---

    /// Stores a job, or says what is stored under its id.
    fn insert_job(&self, new: NewJob) -> impl Future<Output = Stored<Inserted>> + Send;

    /// The job of an id.
    fn job(&self, store: StoreNo, id: JobId) -> impl Future<Output = Stored<Option<Job>>> + Send;

    /// Rows by their keys, in the order of the keys; a key without a row is left out.
    fn jobs_by_key(&self, keys: Vec<JobKey>) -> impl Future<Output = Stored<Vec<Job>>> + Send;

    /// How many jobs are not final, by state, with the creation of the oldest; for metrics.
    fn open_counts(&self)
    -> impl Future<Output = Stored<Vec<(CloudState, u64, Timestamp)>>> + Send;

    /// How many jobs ended `unconfirmed` since an instant, and are so still; for metrics.
    fn unconfirmed_since(&self, since: Timestamp) -> impl Future<Output = Stored<u64>> + Send;

    /// Bodies of jobs, for their push.
    fn bodies(
        &self,
        keys: Vec<JobKey>,
    ) -> impl Future<Output = Stored<Vec<(JobKey, String)>>> + Send;

    /// Jobs of a store by state, newest first, before a key; at most `limit`.
    fn jobs(
        &self,
        store: StoreNo,
        state: Option<CloudState>,
        before: Option<JobKey>,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<Job>>> + Send;

    /// Changes rows, each only if it still has the expected version: others are given back as they
    /// are. A change to a final state queues its webhooks in the same transaction.
    fn change_jobs(
        &self,
        changes: Vec<JobChange>,
        now: Timestamp,
    ) -> impl Future<Output = Stored<Vec<Changed>>> + Send;

    /// Jobs with a push or a deadline before `until`, by key after `after`; at most `limit`. All stores.
    fn due_jobs(
        &self,
        until: Timestamp,
        after: Option<JobKey>,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<Job>>> + Send;

    /// Deadlines of jobs that are not final, all stores, earliest first: from an instant on, past a
    /// key at that instant, and before `until`; at most `limit`.
    fn deadlines(
        &self,
        from: Timestamp,
        past: Option<JobKey>,
        until: Timestamp,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<(Timestamp, JobKey)>>> + Send;

    /// Jobs of a printer in `scheduled`, `parked`, or timed out and to be held at return; oldest
    /// first, at most `limit`.
    fn waiting_jobs(
        &self,
        store: StoreNo,
        printer: Part,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<Job>>> + Send;

    /// Jobs a register has: pushed to it or accepted by it and not final.
    fn jobs_at(&self, register: RegisterNo) -> impl Future<Output = Stored<Vec<Job>>> + Send;

    // --- tenants, stores, registers, keys ---

    /// Makes a tenant.
    fn add_tenant(
        &self,
        name: String,
        now: Timestamp,
    ) -> impl Future<Output = Stored<Tenant>> + Send;
    /// Every tenant.
    fn tenants(&self) -> impl Future<Output = Stored<Vec<Tenant>>> + Send;
    /// Makes a store of a tenant; its uid is drawn by the caller.
    fn add_store(&self, store: StoreRecord) -> impl Future<Output = Stored<StoreRecord>> + Send;
    /// Every store.
    fn stores(&self) -> impl Future<Output = Stored<Vec<StoreRecord>>> + Send;
    /// A store by its uid.
    fn store_of(&self, uid: String) -> impl Future<Output = Stored<Option<StoreRecord>>> + Send;
    /// Makes a register of a store, not paired yet, or gives a new pairing code to one that is there.
    fn new_pairing(&self, pairing: NewPairing) -> impl Future<Output = Stored<Register>> + Send;
    /// Uses a pairing code: once, before its end.
    fn pair(&self, pairing: Pairing) -> impl Future<Output = Stored<PairingOutcome>> + Send;
    /// The register of a credential, unless it was revoked.
    fn register_of(
        &self,
        credential: TokenHash,
    ) -> impl Future<Output = Stored<Option<Credential>>> + Send;
    /// Every register of a store.
    fn registers(&self, store: StoreNo) -> impl Future<Output = Stored<Vec<Register>>> + Send;
    /// Revokes a register's credential.
    fn revoke_register(
        &self,
        register: RegisterNo,
        now: Timestamp,
    ) -> impl Future<Output = Stored<()>> + Send;
    /// Makes a key for a business system.
    fn add_api_key(
        &self,
        key: ApiKey,
        hash: TokenHash,
    ) -> impl Future<Output = Stored<ApiKey>> + Send;
    /// Who has a key with this token, unless it was revoked, and the store of a uid if the key is for it too.
    fn caller(
        &self,
        hash: TokenHash,
        store: Option<String>,
    ) -> impl Future<Output = Stored<Option<Caller>>> + Send;
    /// Every key of a tenant.
    fn api_keys(&self, tenant: i64) -> impl Future<Output = Stored<Vec<ApiKey>>> + Send;
    /// Revokes a key.
    fn revoke_api_key(&self, key: i64, now: Timestamp) -> impl Future<Output = Stored<()>> + Send;

    // --- printers as registers announce them ---

    /// Stores what a register announced, and gives back the names that belong to another one.
    fn announce(
        &self,
        register: RegisterNo,
        printers: Vec<Part>,
        routes: Vec<(tillroll_domain::ids::JobKind, Part)>,
        now: Timestamp,
    ) -> impl Future<Output = Stored<Vec<Part>>> + Send;
    /// The register that has a printer.
    fn printer_owner(
        &self,
        store: StoreNo,
        printer: Part,
    ) -> impl Future<Output = Stored<Option<RegisterNo>>> + Send;
    /// The printer of a kind in a store: the route its registers announced; the lowest register counts.
    fn route(
        &self,
        store: StoreNo,
        kind: tillroll_domain::ids::JobKind,
    ) -> impl Future<Output = Stored<Option<Part>>> + Send;

    // --- books ---

    /// Takes a batch of records: each gets its verdict, in order. A refused receipt parks its followers.
    fn take_records(
        &self,
        from: RegisterNo,
        batch: Batch,
        now: Timestamp,
    ) -> impl Future<Output = Stored<Vec<RecordVerdict>>> + Send;
    /// The fate of request ids of a store, in the order asked.
    fn fates(
        &self,
        store: StoreNo,
        request_ids: Vec<String>,
    ) -> impl Future<Output = Stored<Vec<Fate>>> + Send;
    /// Digests of a register's hours.
    fn digests(
        &self,
        register: RegisterNo,
        from: i64,
        to: i64,
    ) -> impl Future<Output = Stored<Digests>> + Send;
    /// Ids of one hour of a register.
    fn hour_ids(
        &self,
        register: RegisterNo,
        hour: i64,
    ) -> impl Future<Output = Stored<HourIds>> + Send;
    /// A register's day.
    fn register_day(
        &self,
        register: RegisterNo,
        day: Date,
    ) -> impl Future<Output = Stored<CloudDay>> + Send;
    /// A store's day, every register and the jobs pushed.
    fn store_day(&self, store: StoreNo, day: Date)
    -> impl Future<Output = Stored<StoreDay>> + Send;
    /// The highest numbers known of a register: another machine goes on above them.
    fn high_water(
        &self,
        register: RegisterNo,
    ) -> impl Future<Output = Stored<Option<HighWater>>> + Send;

    /// Records of a store that are refused: conflicts and what waits behind them too; newest first,
    /// before a number, at most `limit`.
    fn rejected(
        &self,
        store: StoreNo,
        before: Option<i64>,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<RejectedRecord>>> + Send;
    /// Notes how far a register's wall clock is ahead.
    fn note_drift(&self, drift: ClockDrift) -> impl Future<Output = Stored<()>> + Send;
    /// The drift of every register of a store whose clock was ever compared.
    fn drifts(&self, store: StoreNo) -> impl Future<Output = Stored<Vec<ClockDrift>>> + Send;

    // --- webhooks ---

    /// Adds where a key's webhooks go.
    fn set_hook(&self, hook: Hook) -> impl Future<Output = Stored<()>> + Send;
    /// Deliveries due, oldest first.
    fn due_deliveries(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<HookDelivery>>> + Send;
    /// A delivery was taken, or is tried again at `again_at`; `None` with `delivered` false gives it up.
    fn settle_delivery(
        &self,
        id: i64,
        delivered: bool,
        again_at: Option<Timestamp>,
        now: Timestamp,
    ) -> impl Future<Output = Stored<()>> + Send;

    /// Deliveries that were given up, newest first; at most `limit`.
    fn given_up(&self, limit: u32) -> impl Future<Output = Stored<Vec<GivenUp>>> + Send;

    // --- housekeeping ---

    /// Whether the store can be written.
    fn check(&self) -> impl Future<Output = Stored<()>> + Send;
    /// Deletes bodies of final jobs and delivered webhooks older than `before`; at most `limit` rows.
    fn drop_old(&self, before: Timestamp, limit: u32) -> impl Future<Output = Stored<u64>> + Send;
}
