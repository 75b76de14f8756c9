//! Figures for Prometheus. The recorder is this API's own, so that several dispatchers can run in one
//! process; no label carries anything of a receipt.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{
    Label, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use tillroll_domain::splits::SplitState;
use tillroll_sqlite::Health;
use tillroll_wire::job::CloudState;
use tillroll_wire::record::{RecordVerdict, Verdict};

use super::print_job::Taken;
use super::problem::Refusal;
use super::split_metrics;
use crate::counters::{AuditCounts, NotCounted, Outcome};
use crate::hooks::HookCounts;
use crate::limits::Sharing;
use crate::payments::PaymentCounts;
use crate::schedule::Snapshot;
use crate::store::Stored;

const SUBMITTED: &str = "tillroll_print_jobs_total";
const RECORDS: &str = "tillroll_records_total";
const COUNTED: &str = "tillroll_counter_requests_total";
const COUNTING: &str = "tillroll_counter_duration_seconds";
const REPAIRS: &str = "tillroll_repairs_total";
const REQUESTS: &str = "tillroll_http_request_duration_seconds";
const LIMITS: &str = "tillroll_limits_asked_total";

/// Upper bounds of request times, in seconds.
const BUCKETS: [f64; 11] = [0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0, 10.0];
/// Samples of a histogram pile up until they are sorted into its buckets: at a scrape, and every so
/// many requests.
const SORT_EVERY: u64 = 1_024;

/// What is counted as it happens.
pub(super) struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    requests: AtomicU64,
}

/// What is read when it is asked for.
pub(super) struct Reading {
    /// Jobs that are not final: state, how many, age of the oldest.
    pub open: Vec<(CloudState, u64, Duration)>,
    pub schedule: Snapshot,
    pub hooks: HookCounts,
    /// Splits that are due some time or with a person, by state.
    pub splits: Vec<(SplitState, u64)>,
    pub payments: PaymentCounts,
    /// Jobs that ended unconfirmed within a day, and are so still.
    pub unconfirmed: u64,
    pub audit: AuditCounts,
    /// How limits are shared by Redis; `None` where there is none to be.
    pub sharing: Option<Sharing>,
    /// Of a database that is a file.
    pub database: Option<Health>,
}

impl Metrics {
    pub fn new() -> Self {
        // Only an empty list of buckets is refused.
        let builder = PrometheusBuilder::new().set_buckets(&BUCKETS).unwrap_or_default();
        let recorder = builder.build_recorder();
        metrics::with_local_recorder(&recorder, || {
            describe_counter!(SUBMITTED, "Print jobs sent by business systems, by outcome.");
            describe_counter!(RECORDS, "Records of registers, by verdict.");
            describe_counter!(LIMITS, "Calls that limits were asked for, by action and answer.");
            describe_counter!(COUNTED, "Requests to the counters, by outcome.");
            describe_histogram!(
                COUNTING,
                Unit::Seconds,
                "Time until a request is counted durably."
            );
            describe_counter!(
                REPAIRS,
                "Records by which hours of a register and of here differed."
            );
            counter!(REPAIRS).absolute(0);
            describe_histogram!(REQUESTS, Unit::Seconds, "Time of requests, by route.");
        });
        Self { handle: recorder.handle(), recorder, requests: AtomicU64::new(0) }
    }

    /// Counts a print job by what became of it.
    pub fn submitted(&self, taken: &Result<Taken, Refusal>) {
        let outcome = match taken {
            Ok(Taken::New(_)) => "accepted",
            Ok(Taken::Replayed(_)) => "replayed",
            Err(refusal) if refusal.problem().status < 500 => "refused",
            Err(_) => "failed",
        };
        metrics::with_local_recorder(&self.recorder, || {
            counter!(SUBMITTED, "outcome" => outcome).increment(1);
        });
    }

    /// Counts records by their verdicts.
    pub fn records(&self, verdicts: &[RecordVerdict]) {
        metrics::with_local_recorder(&self.recorder, || {
            for verdict in verdicts {
                let word = match verdict.verdict {
                    Verdict::Accepted => "accepted",
                    Verdict::Replayed => "replayed",
                    Verdict::Rejected { .. } => "rejected",
                    Verdict::RetryAfter { .. } => "retry_after",
                };
                counter!(RECORDS, "verdict" => word).increment(1);
            }
        });
    }

    /// Counts a call that was allowed or refused.
    pub fn limit_asked(&self, action: &'static str, allowed: bool) {
        let allowed = if allowed { "true" } else { "false" };
        metrics::with_local_recorder(&self.recorder, || {
            counter!(LIMITS, "action" => action, "allowed" => allowed).increment(1);
        });
    }

    /// Notes a request to the counters: what became of it, and how long that took.
    pub fn counted(&self, outcome: &Stored<Outcome>, took: Duration) {
        let word = match outcome {
            Ok(Outcome::Counted(_)) => "counted",
            Ok(Outcome::Replayed(_)) => "replayed",
            Ok(Outcome::Conflict { .. }) => "conflict",
            Ok(Outcome::Refused(NotCounted::Short(_))) => "short",
            Ok(Outcome::Refused(_)) => "refused",
            Err(_) => "failed",
        };
        metrics::with_local_recorder(&self.recorder, || {
            counter!(COUNTED, "outcome" => word).increment(1);
            histogram!(COUNTING).record(took);
        });
    }

    /// Counts records by which a register's hours differed from those here.
    pub fn repairs(&self, records: u64) {
        metrics::with_local_recorder(&self.recorder, || counter!(REPAIRS).increment(records));
    }

    /// Notes a request by its route.
    pub fn request(&self, route: &str, method: &Method, status: StatusCode, took: Duration) {
        metrics::with_local_recorder(&self.recorder, || {
            let labels = [
                Label::new("route", route.to_owned()),
                Label::from_static_parts("method", known(method)),
                Label::new("status", status.as_str().to_owned()),
            ];
            histogram!(REQUESTS, Vec::from(labels)).record(took);
        });
        if self.requests.fetch_add(1, Relaxed) % SORT_EVERY == SORT_EVERY - 1 {
            self.handle.run_upkeep();
        }
    }

    /// Everything in the text format of Prometheus.
    pub fn render(&self, reading: &Reading) -> String {
        self.handle.render() + &render_reading(reading)
    }
}

/// A client may make up methods without end; labels must not.
fn known(method: &Method) -> &'static str {
    let known = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

/// In a recorder of its own, so that what is no more leaves nothing behind.
fn render_reading(reading: &Reading) -> String {
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || {
        render_jobs(reading);
        render_schedule(&reading.schedule);
        render_hooks(&reading.hooks);
        split_metrics::render(&reading.splits, &reading.payments);
        render_audit(&reading.audit);
        if let Some(sharing) = &reading.sharing {
            render_sharing(sharing);
        }
        if let Some(database) = &reading.database {
            render_database(database);
        }
    });
    recorder.handle().render()
}

fn render_jobs(reading: &Reading) {
    let (jobs, oldest) = ("tillroll_jobs", "tillroll_oldest_job_age_seconds");
    describe_gauge!(jobs, "Print jobs that are not final, by state.");
    describe_gauge!(oldest, Unit::Seconds, "Age of the oldest job of a state.");
    for (state, count, age) in &reading.open {
        gauge!(jobs, "state" => state.as_str()).set(exact(*count));
        gauge!(oldest, "state" => state.as_str()).set(age.as_secs_f64());
    }
    let unconfirmed = "tillroll_jobs_unconfirmed";
    describe_gauge!(unconfirmed, "Jobs that ended unconfirmed within a day, and are so still.");
    gauge!(unconfirmed).set(exact(reading.unconfirmed));
}

fn render_audit(audit: &AuditCounts) {
    let gauges = [
        (
            "tillroll_counter_flow_gap",
            "Flow numbers that are missing.",
            audit.flow_gap.unsigned_abs(),
        ),
        (
            "tillroll_stock_differences",
            "Skus whose stock is not what moved.",
            audit.stock_differences,
        ),
        ("tillroll_counter_differences", "Figures that differ from the ledger.", audit.differences),
    ];
    for (name, text, value) in gauges {
        describe_gauge!(name, text);
        gauge!(name).set(exact(value));
    }
    describe_counter!("tillroll_counter_checks_total", "Comparisons of all counters.");
    counter!("tillroll_counter_checks_total").absolute(audit.rounds);
}

fn render_schedule(schedule: &Snapshot) {
    let gauges = [
        ("tillroll_registers_connected", "Registers connected.", schedule.connected),
        ("tillroll_printers_connected", "Printers of connected registers.", schedule.printers),
        ("tillroll_printers_stopped", "Of these, stopped.", schedule.printers_stopped),
        ("tillroll_schedule_jobs", "Jobs the schedule has in memory.", schedule.jobs),
        ("tillroll_schedule_waiting", "Of these, waiting for their printer.", schedule.waiting),
        ("tillroll_pushes_unanswered", "Pushes without an answer.", schedule.unanswered),
    ];
    for (name, text, value) in gauges {
        describe_gauge!(name, text);
        gauge!(name).set(exact(u64::try_from(value).unwrap_or(u64::MAX)));
    }
    let counters = [
        ("tillroll_pushes_total", "Pushes sent, repeats included.", schedule.pushes),
        ("tillroll_recovered_total", "Recovered jobs pushed.", schedule.recovered),
        ("tillroll_results_total", "Results stored.", schedule.results),
        ("tillroll_late_results_total", "Of these, after the deadline.", schedule.late),
        (
            "tillroll_registers_moved_total",
            "Registers another node took over.",
            schedule.moved_over,
        ),
        ("tillroll_cut_offs_total", "Times cut off from the other nodes.", schedule.cut_offs),
        ("tillroll_channel_dropped_total", "Messages that did not fit.", schedule.dropped),
        ("tillroll_store_errors_total", "Calls the store refused.", schedule.store_errors),
    ];
    for (name, text, value) in counters {
        describe_counter!(name, text);
        counter!(name).absolute(value);
    }
    describe_counter!("tillroll_timed_out_total", "Jobs timed out, by reason.");
    for (reason, count) in &schedule.timed_out {
        counter!("tillroll_timed_out_total", "reason" => reason.clone()).absolute(*count);
    }
}

fn render_hooks(hooks: &HookCounts) {
    describe_counter!("tillroll_webhooks_total", "Tries to tell business systems, by outcome.");
    let outcomes =
        [("delivered", hooks.delivered), ("failed", hooks.failed), ("given_up", hooks.given_up)];
    for (outcome, count) in outcomes {
        counter!("tillroll_webhooks_total", "outcome" => outcome).absolute(count);
    }
}

fn render_sharing(sharing: &Sharing) {
    describe_gauge!("tillroll_redis_there", "Whether Redis answers: 1, else 0.");
    gauge!("tillroll_redis_there").set(f64::from(u8::from(sharing.there)));
    let alone = "tillroll_limits_alone_total";
    describe_counter!(alone, "Calls judged without Redis, by this node's own windows.");
    counter!(alone).absolute(sharing.alone);
}

fn render_database(database: &Health) {
    describe_gauge!("tillroll_wal_bytes", Unit::Bytes, "Size of the database's write-ahead log.");
    gauge!("tillroll_wal_bytes").set(exact(database.wal_bytes));
    describe_counter!("tillroll_commits_total", "Commits, each with one sync.");
    counter!("tillroll_commits_total").absolute(database.commits);
    describe_counter!("tillroll_writes_total", "Writes stored; over commits: how many share one.");
    counter!("tillroll_writes_total").absolute(database.writes);
}

#[expect(clippy::cast_precision_loss, reason = "figures far below 2^53")]
pub(super) fn exact(count: u64) -> f64 {
    count as f64
}
