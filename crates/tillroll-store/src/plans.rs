//! The queries that must stay cheap however many rows there are, by name, for the test that pins
//! their plans.

use tillroll_domain::print_job::JobState;

use crate::{
    acknowledged_day, attempts, cloud_hours, cloud_only, day, drawer_openings, hours, outbox,
    outbox_batch, outbox_parked, print_jobs, pushed, pushed_expiry, receipts, rejected, retention,
    search, sharing, split_days, spool, todo,
};

/// A query and the index that must serve it.
#[derive(Debug)]
pub struct Plan {
    /// What it is for.
    pub name: String,
    /// Its text.
    pub sql: String,
    /// The index it must use.
    pub index: &'static str,
}

/// Every such query.
#[must_use]
pub fn all() -> Vec<Plan> {
    let mut plans: Vec<Plan> = FIXED
        .iter()
        .map(|(name, sql, index)| Plan { name: (*name).into(), sql: (*sql).into(), index })
        .collect();
    plans.push(Plan {
        name: "last attempt at a printer".into(),
        sql: attempts::last_at_sql(),
        index: "attempts_by_printer",
    });
    plans.push(Plan {
        name: "job by id".into(),
        sql: print_jobs::select_sql("WHERE j.job_id = ?1"),
        index: "sqlite_autoindex_print_jobs_1",
    });
    for by_amount in [false, true] {
        plans.push(Plan {
            name: format!("newest jobs of an order, by amount: {by_amount}"),
            sql: search::among_newest_sql(by_amount),
            index: "SEARCH j USING INTEGER PRIMARY KEY",
        });
    }
    plans.push(Plan {
        name: "jobs by the beginning of their id".into(),
        sql: print_jobs::select_sql(search::BEGINNING),
        index: "sqlite_autoindex_print_jobs_1",
    });
    plans.push(Plan {
        name: "receipts whose bodies may go".into(),
        sql: retention::looked_at_sql(),
        index: "INTEGER PRIMARY KEY",
    });
    plans.push(Plan {
        name: "to do: waiting".into(),
        sql: todo::waiting_sql(),
        index: "print_jobs_due",
    });
    plans.push(Plan {
        name: "to do: at a device".into(),
        sql: todo::at_device_sql(),
        index: "print_jobs_printing",
    });
    for (state, index) in BY_STATE {
        plans.push(Plan { name: format!("newest {state}"), sql: todo::newest_sql(state), index });
        plans.push(Plan { name: format!("oldest {state}"), sql: todo::asking_sql(state), index });
    }
    plans
}

const FIXED: &[(&str, &str, &str)] = &[
    ("first due", spool::FIRST_DUE, "print_jobs_due"),
    ("next due", spool::NEXT_DUE, "print_jobs_due"),
    ("clamp due times", spool::CLAMP_DUE, "print_jobs_due"),
    ("is printing", spool::IS_PRINTING, "print_jobs_printing"),
    ("queue of a printer", todo::QUEUE_OF, "print_jobs_due"),
    ("next to wait too long", todo::NEXT_WAITING, "print_jobs_due"),
    ("fingerprint of a job", receipts::FINGERPRINT_OF, "sqlite_autoindex_print_jobs_1"),
    ("refusals of an accepted receipt", rejected::ANSWER_ACCEPTED, "rejected_by_order"),
    ("openings of a day", drawer_openings::OF_DAY, "drawer_openings_by_day"),
    ("outbox waiting", outbox::COUNT_WAITING, "outbox_waiting"),
    ("splits that wait", split_days::WAITING, "outbox_waiting"),
    ("receipt of an order", sharing::NEWEST_OF_ORDER, "sqlite_autoindex_print_jobs_1"),
    ("outbox parked", outbox::COUNT_PARKED, "outbox_parked"),
    ("records due", outbox_batch::DUE, "outbox_waiting"),
    ("the manager's list of records", outbox_parked::PARKED, "outbox_parked"),
    ("records of an hour", cloud_hours::IN_HOUR, "outbox_acknowledged"),
    ("record of a request id", cloud_only::ROW_OF, "outbox_by_receipt"),
    ("records of the head office alone", cloud_only::OPEN, "cloud_only_open"),
    ("results to tell", pushed::UNTOLD, "print_jobs_untold"),
    ("jobs that expire", pushed_expiry::EXPIRING, "print_jobs_expiring"),
    ("sessions of a day", day::SESSIONS_OF, "sessions_by_day"),
    ("receipts of a session", day::RECEIPTS_OF, "receipts_by_session"),
    ("hours of a day", hours::QUARTERS_OF, "receipts_by_session"),
    ("acknowledged receipts of a day", acknowledged_day::RECEIPTS, "outbox_by_receipt"),
    ("records of a day", acknowledged_day::RECORDS, "outbox_by_receipt"),
    ("copies of a session", day::COPIES_OF, "receipts_by_session"),
];

const BY_STATE: [(JobState, &str); 7] = [
    (JobState::Pending, "print_jobs_due"),
    (JobState::Printing, "print_jobs_printing"),
    (JobState::Held, "print_jobs_asking"),
    (JobState::Sent, "print_jobs_asking"),
    (JobState::Unconfirmed, "print_jobs_asking"),
    (JobState::Failed, "print_jobs_asking"),
    (JobState::Skipped, "print_jobs_skipped"),
];
