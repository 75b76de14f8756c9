//! The queries that must stay cheap however many rows there are, by name, for the test that pins
//! their plans.

use super::{
    announcements, api_keys, counters, days, fates, hooks, hours, jobs, judge, papers, pay_tokens,
    receipts, records, registers, rejected, retention, schedule, splits, tenants,
};

/// A query and the indexes or keys that must serve it.
#[derive(Debug)]
pub struct Plan {
    /// What it is for.
    pub name: &'static str,
    /// Its text.
    pub sql: &'static str,
    /// What must be found in the steps of its plan.
    pub uses: &'static [&'static str],
}

const fn plan(name: &'static str, sql: &'static str, uses: &'static [&'static str]) -> Plan {
    Plan { name, sql, uses }
}

/// Every such query.
pub const ALL: &[Plan] = &[
    plan("job by id", jobs::BY_ID, &["jobs USING INDEX sqlite_autoindex_jobs_2"]),
    plan("job by key", jobs::BY_KEY, &["jobs USING PRIMARY KEY (store=? AND seq=?)"]),
    plan("body of a job", jobs::BODY, &["sqlite_autoindex_job_bodies_1 (store=? AND seq=?)"]),
    plan("newest jobs", jobs::NEWEST, &["jobs USING PRIMARY KEY (store=? AND seq<?)"]),
    plan("newest jobs in a state", jobs::NEWEST_IN_STATE, &["jobs_by_state"]),
    plan("open jobs by state", jobs::OPEN_COUNTS, &["COVERING INDEX jobs_open"]),
    plan("jobs taken on a day", jobs::TAKEN, &["jobs_by_creation"]),
    plan(
        "due jobs",
        schedule::DUE,
        &[
            "COVERING INDEX jobs_due_push (next_push_at<?)",
            "INDEX jobs_due_deadline (deadline_at<?)",
            "jobs USING PRIMARY KEY (store=? AND seq=?)",
        ],
    ),
    plan(
        "deadlines of a stretch",
        schedule::DEADLINES,
        &["INDEX jobs_due_deadline ((deadline_at,store,seq)>(?,?,?) AND deadline_at<?)"],
    ),
    plan(
        "jobs waiting for a printer",
        schedule::WAITING,
        &["jobs_waiting (store=? AND printer=?)"],
    ),
    plan(
        "jobs at a register",
        schedule::AT_REGISTER,
        &["jobs_at_register (store=? AND register=?)"],
    ),
    plan("register of a code", registers::BY_CODE, &["registers_by_code (code=?)"]),
    plan("register of a credential", registers::BY_CREDENTIAL, &["registers_by_credential"]),
    plan("key of a token", api_keys::BY_HASH, &["sqlite_autoindex_api_keys_1 (hash=?)"]),
    plan(
        "store of a key",
        tenants::STORE_FOR,
        &[
            "stores USING INDEX sqlite_autoindex_stores_1 (uid=?)",
            "api_key_stores USING PRIMARY KEY",
        ],
    ),
    plan("pay token of a request", pay_tokens::BY_REQUEST, &["sqlite_autoindex_pay_tokens_2"]),
    plan("pay token", pay_tokens::BY_TOKEN, &["pay_tokens USING PRIMARY KEY"]),
    plan("consumption of a pay token", pay_tokens::CONSUME, &["pay_tokens USING PRIMARY KEY"]),
    plan("completion of a pay token", pay_tokens::COMPLETE, &["pay_tokens USING PRIMARY KEY"]),
    plan("printers of a register", announcements::OF_REGISTER, &["printers_by_register"]),
    plan("owner of a printer", announcements::OWNER, &["printers USING PRIMARY KEY"]),
    plan(
        "route of a kind",
        announcements::ROUTE,
        &["r USING PRIMARY KEY", "p USING COVERING INDEX printers_by_register"],
    ),
    plan("stored record of an id", judge::STORED, &["records_accepted (store=? AND request_id=?)"]),
    plan("refusals of an id", judge::REFUSALS, &["records_rejected (store=? AND request_id=?)"]),
    plan("refused receipt of a flow number", judge::REFUSED_RECEIPT, &["records_refused_receipts"]),
    plan("number of the next record", records::NEXT_SEQ, &["sqlite_autoindex_records_1 (store=?)"]),
    plan("receipt of a job", receipts::BY_JOB, &["sqlite_autoindex_receipts_2"]),
    plan("receipt of a flow number", receipts::BY_FLOW, &["receipts USING PRIMARY KEY"]),
    plan("receipt of a job and register", receipts::OF_JOB, &["sqlite_autoindex_receipts_2"]),
    plan("paper of a flow number", papers::FIND, &["papers USING PRIMARY KEY"]),
    plan("digest of an hour", hours::OF_HOUR, &["record_hours USING PRIMARY KEY"]),
    plan("digests of hours", hours::DIGESTS, &["record_hours USING PRIMARY KEY"]),
    plan("ids of an hour", hours::IDS_OF, &["records_by_hour"]),
    plan("fate of a stored id", fates::STORED, &["records_accepted"]),
    plan("fate of a refused id", fates::REJECTED, &["records_rejected"]),
    plan("day of a register", days::OF_REGISTER, &["register_days USING PRIMARY KEY"]),
    plan("registers of a day", days::REGISTERS_OF, &["register_days USING PRIMARY KEY"]),
    plan("tenders of a day", days::TENDERS, &["register_day_tenders USING PRIMARY KEY"]),
    plan("refused records", rejected::NEWEST, &["records_refused (store=? AND seq<?)"]),
    plan("deliveries given up", hooks::GIVEN_UP, &["hook_deliveries_given_up"]),
    plan("due deliveries", hooks::DUE, &["hook_deliveries_due (due_at<?)"]),
    plan("entry of a request id", counters::KNOWN, &["sqlite_autoindex_counter_ledger_2"]),
    plan("entries of a day", counters::OF_DAY, &["counter_ledger_by_day (store=? AND day=?)"]),
    plan("stock of a sku", counters::STOCK, &["stock USING PRIMARY KEY (store=? AND sku=?)"]),
    plan("day of a register", counters::DAY_OF_REGISTER, &["counter_days USING PRIMARY KEY"]),
    plan("registers of a day", counters::DAYS, &["counter_days USING PRIMARY KEY"]),
    plan("hours of a day", counters::HOURS, &["counter_hours USING PRIMARY KEY"]),
    plan("skus of a day", counters::MOVED, &["stock_days_by_day (store=? AND day=?)"]),
    plan("split of an id", splits::BY_ID, &["sqlite_autoindex_splits_2"]),
    plan("refunds of a split", splits::REFUNDS, &["splits_refunds (store=? AND of_split=?)"]),
    plan("refunds to release", splits::RELEASE, &["splits_waiting (store=? AND of_split=?)"]),
    plan(
        "refunds that wait",
        splits::WAITING_REFUNDS,
        &["splits_waiting (store=? AND of_split=?)"],
    ),
    plan("newest splits", splits::NEWEST, &["splits USING PRIMARY KEY (store=? AND seq<?)"]),
    plan("newest splits in a state", splits::NEWEST_IN_STATE, &["splits_by_state"]),
    plan("splits of a day", splits::DAY, &["COVERING INDEX splits_by_day (store=? AND day=?)"]),
    plan("splits the channel paid", splits::PAID, &["splits_paid"]),
    plan("open splits by state", splits::OPEN, &["COVERING INDEX splits_open"]),
    plan("due splits", splits::DUE, &["splits_due (due_at<?)"]),
    plan("splits that wait", splits::HASTEN, &["splits_open (state=? AND due_at>?)"]),
    plan("unconfirmed jobs", jobs::UNCONFIRMED, &["jobs_unconfirmed (changed_at>?)"]),
    plan("old bodies", retention::DROP_BODIES, &["job_bodies_by_creation (created_at<?)"]),
    plan("old deliveries", retention::DROP_DELIVERIES, &["hook_deliveries_settled (settled_at<?)"]),
];
