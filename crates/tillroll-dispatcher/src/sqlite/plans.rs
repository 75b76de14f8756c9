//! The queries that must stay cheap however many rows there are, by name, for the test that pins
//! their plans.

use super::{
    announcements, api_keys, days, fates, hooks, hours, jobs, judge, papers, receipts, records,
    registers, rejected, retention, schedule, tenants,
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
    plan("old bodies", retention::DROP_BODIES, &["job_bodies_by_creation (created_at<?)"]),
    plan("old deliveries", retention::DROP_DELIVERIES, &["hook_deliveries_settled (settled_at<?)"]),
];
