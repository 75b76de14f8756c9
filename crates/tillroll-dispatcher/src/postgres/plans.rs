//! The queries that must stay cheap however many rows there are, by name, for the test that pins
//! their plans.

use super::{
    changes, fates, hooks, hours, jobs, kept, papers, receipts, registers, rejected, retention,
    schedule,
};

/// A query and the indexes that must serve it.
#[derive(Debug)]
pub struct Plan {
    /// What it is for.
    pub name: &'static str,
    /// Its text.
    pub sql: &'static str,
    /// Indexes of which its plan must name each.
    pub uses: &'static [&'static str],
}

const fn plan(name: &'static str, sql: &'static str, uses: &'static [&'static str]) -> Plan {
    Plan { name, sql, uses }
}

/// Every such query.
pub const ALL: &[Plan] = &[
    plan("new job", jobs::INSERT, &["store_numbers_pkey", "jobs_store_job_id_key"]),
    plan("job by id", jobs::BY_ID, &["jobs_store_job_id_key"]),
    plan("jobs by key", jobs::BY_KEY, &["jobs_pkey"]),
    plan("bodies of jobs", jobs::BODIES, &["job_bodies_pkey"]),
    plan("newest jobs", jobs::NEWEST, &["jobs_pkey"]),
    plan("newest jobs in a state", jobs::NEWEST_IN_STATE, &["jobs_by_state"]),
    plan("open jobs by state", jobs::OPEN_COUNTS, &["jobs_open"]),
    plan("jobs taken on a day", jobs::TAKEN, &["jobs_by_creation"]),
    plan("rows to change", changes::LOCK, &["jobs_pkey"]),
    plan("change of rows", changes::UPDATE, &["jobs_pkey"]),
    plan("due jobs", schedule::DUE, &["jobs_due_push", "jobs_due_deadline", "jobs_pkey"]),
    plan("deadlines of a stretch", schedule::DEADLINES, &["jobs_due_deadline"]),
    plan("jobs waiting for a printer", schedule::WAITING, &["jobs_waiting"]),
    plan("jobs at a register", schedule::AT_REGISTER, &["jobs_at_register"]),
    plan("register of a credential", registers::BY_CREDENTIAL, &["register_credentials_pkey"]),
    plan("highest numbers of a register", registers::HIGH_WATER, &["receipts_pkey"]),
    plan("stored records of ids", kept::STORED, &["records_accepted"]),
    plan("refusals of ids", kept::REFUSALS, &["records_rejected"]),
    plan("refused receipts", kept::REFUSED_RECEIPTS, &["records_refused_receipts"]),
    plan("receipts of a batch", receipts::LOAD, &["receipts_store_job_id_key", "receipts_pkey"]),
    plan("papers of a batch", papers::LOAD, &["papers_pkey"]),
    plan("digests of hours", hours::DIGESTS, &["record_hours_pkey"]),
    plan("ids of an hour", hours::IDS_OF, &["records_by_hour"]),
    plan("fates of ids", fates::KNOWN, &["records_accepted", "records_rejected"]),
    plan("refused records", rejected::NEWEST, &["records_refused"]),
    plan("due deliveries", hooks::DUE, &["hook_deliveries_due"]),
    plan("deliveries given up", hooks::GIVEN_UP, &["hook_deliveries_given_up"]),
    plan("settled delivery", hooks::SETTLE, &["hook_deliveries_by_id"]),
    plan("old bodies", retention::OLD_BODIES, &["job_bodies_by_creation", "jobs_pkey"]),
    plan("bodies to drop", retention::DROP_BODIES, &["job_bodies_pkey"]),
    plan("old deliveries", retention::OLD_DELIVERIES, &["hook_deliveries_settled"]),
    plan("deliveries to drop", retention::DROP_DELIVERIES, &["Index Scan using hook_deliveries_"]),
];
