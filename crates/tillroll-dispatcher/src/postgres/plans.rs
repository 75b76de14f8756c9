//! The queries that must stay cheap however many rows there are, by name, for the test that pins
//! their plans.

use super::{
    changes, counters, fates, hooks, hours, jobs, kept, leases, owners, papers, pay_tokens,
    receipts, registers, rejected, retention, schedule, splits,
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
    plan(
        "nodes of jobs",
        owners::NODES_OF,
        &["jobs_pkey", "Index Scan using printers_", "register_leases_pkey"],
    ),
    plan("overdue pushes", owners::UNPUSHED, &["jobs_due_push", "register_leases_pkey"]),
    plan("jobs taken back", owners::CANCELS, &["jobs_open", "register_leases_pkey"]),
    plan("jobs past their deadline", owners::LATE, &["jobs_due_deadline"]),
    plan("leases lost", leases::LOST, &["register_leases_lost"]),
    plan("leases given back", leases::GIVE_BACK, &["register_leases_pkey"]),
    plan("leases of a node", leases::LEAVE, &["register_leases_of_node"]),
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
    plan("pay token of a request", pay_tokens::BY_REQUEST, &["pay_tokens_store_request_id_key"]),
    plan("pay token", pay_tokens::BY_TOKEN, &["pay_tokens_pkey"]),
    plan("consumption of a pay token", pay_tokens::CONSUME, &["pay_tokens_pkey"]),
    plan("completion of a pay token", pay_tokens::COMPLETE, &["pay_tokens_pkey"]),
    plan("due deliveries", hooks::DUE, &["hook_deliveries_due"]),
    plan("deliveries given up", hooks::GIVEN_UP, &["hook_deliveries_given_up"]),
    plan("settled delivery", hooks::SETTLE, &["hook_deliveries_by_id"]),
    plan("entries of request ids", counters::KNOWN, &["counter_ledger_store_request_id_key"]),
    plan("entries of a day", counters::OF_DAY, &["counter_ledger_by_day"]),
    plan("gaps of flow numbers", counters::GAPS, &["counter_ledger_pkey"]),
    plan("stock of skus", counters::STOCK, &["stock_pkey"]),
    plan("registers of a day", counters::DAYS, &["counter_days_pkey"]),
    plan("hours of a day", counters::HOURS, &["counter_hours_pkey"]),
    plan("skus of a day", counters::MOVED, &["stock_days_by_day"]),
    plan("split of an id", splits::BY_ID, &["splits_store_split_id_key"]),
    plan("refunds of a split", splits::REFUNDS, &["splits_refunds"]),
    plan("newest splits", splits::NEWEST, &["splits_pkey"]),
    plan("newest splits in a state", splits::NEWEST_IN_STATE, &["splits_by_state"]),
    plan("splits of a day", splits::DAY, &["splits_by_day"]),
    plan("splits the channel paid", splits::PAID, &["splits_paid"]),
    plan("open splits by state", splits::OPEN, &["splits_open"]),
    plan("due splits", splits::CLAIM, &["splits_due"]),
    plan("splits that wait", splits::HASTEN, &["splits_open", "splits_pkey"]),
    plan("splits that a batch meets", splits::MET, &["splits_store_split_id_key"]),
    plan("refunds of many splits", splits::REFUNDS_OF, &["splits_refunds"]),
    plan("refunds to release", splits::RELEASE, &["splits_waiting"]),
    plan("refunds that wait", splits::WAITING_REFUNDS, &["splits_waiting"]),
    plan("splits to change", splits::LOCK, &["splits_pkey"]),
    plan("change of splits", splits::UPDATE, &["splits_pkey"]),
    plan("unconfirmed jobs", jobs::UNCONFIRMED, &["jobs_unconfirmed"]),
    plan("old bodies", retention::OLD_BODIES, &["job_bodies_by_creation", "jobs_pkey"]),
    plan("bodies to drop", retention::DROP_BODIES, &["job_bodies_pkey"]),
    plan("old deliveries", retention::OLD_DELIVERIES, &["hook_deliveries_settled"]),
    plan("deliveries to drop", retention::DROP_DELIVERIES, &["Index Scan using hook_deliveries_"]),
];
