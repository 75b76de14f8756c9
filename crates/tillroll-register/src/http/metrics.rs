//! Figures for Prometheus. The recorder is this API's own, so that several registers can run in one
//! process; no label carries anything of a receipt.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{
    Label, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use tillroll_sqlite::Health;

use crate::problem::Problem;
use crate::view::{Accepted, CloudState, CloudStatusView, PrinterView};

const RECEIPTS: &str = "tillroll_receipts_total";
const REQUESTS: &str = "tillroll_http_request_duration_seconds";
const JOBS: &str = "tillroll_jobs";
const PRINTER_UP: &str = "tillroll_printer_up";
const PRINTER_QUEUE: &str = "tillroll_printer_queue";
const WAL_BYTES: &str = "tillroll_wal_bytes";
const COMMITS: &str = "tillroll_commits_total";
const WRITES: &str = "tillroll_writes_total";
const CLOUD_UP: &str = "tillroll_cloud_up";
const CLOUD_UNSENT: &str = "tillroll_cloud_unsent_records";
const CLOUD_REFUSED: &str = "tillroll_cloud_refused_records";

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
    /// Open jobs by state.
    pub jobs: Vec<(&'static str, i64)>,
    pub printers: Vec<PrinterView>,
    pub health: Health,
    pub cloud: CloudStatusView,
}

impl Metrics {
    pub fn new() -> Self {
        // Only an empty list of buckets is refused.
        let builder = PrometheusBuilder::new().set_buckets(&BUCKETS).unwrap_or_default();
        let recorder = builder.build_recorder();
        metrics::with_local_recorder(&recorder, || {
            describe_counter!(RECEIPTS, "Receipts handed over, by outcome.");
            describe_histogram!(REQUESTS, Unit::Seconds, "Time of requests, by route.");
        });
        Self { handle: recorder.handle(), recorder, requests: AtomicU64::new(0) }
    }

    /// Counts a receipt by what became of it.
    pub fn receipt(&self, taken: &Result<Accepted, Problem>) {
        let outcome = match taken {
            Ok(accepted) if accepted.replayed => "replayed",
            Ok(_) => "accepted",
            Err(problem) if problem.code.status().0 < 500 => "refused",
            Err(_) => "failed",
        };
        metrics::with_local_recorder(&self.recorder, || {
            counter!(RECEIPTS, "outcome" => outcome).increment(1);
        });
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

/// In a recorder of its own, so that a printer that is gone leaves nothing behind.
fn render_reading(reading: &Reading) -> String {
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || {
        describe_gauge!(JOBS, "Open jobs by state, counted to 1000.");
        for (state, count) in &reading.jobs {
            gauge!(JOBS, "state" => *state).set(exact(*count));
        }
        describe_gauge!(PRINTER_UP, "Whether a printer can print.");
        describe_gauge!(PRINTER_QUEUE, "Jobs a printer has waiting, counted to 1000.");
        for printer in &reading.printers {
            let up = matches!(printer.state.as_str(), "idle" | "printing");
            gauge!(PRINTER_UP, "printer" => printer.name.clone()).set(if up { 1.0 } else { 0.0 });
            gauge!(PRINTER_QUEUE, "printer" => printer.name.clone()).set(exact(printer.queued));
        }
        describe_gauge!(WAL_BYTES, Unit::Bytes, "Size of the database's write-ahead log.");
        gauge!(WAL_BYTES).set(exact(i64::try_from(reading.health.wal_bytes).unwrap_or(i64::MAX)));
        describe_counter!(COMMITS, "Commits, each with one sync.");
        counter!(COMMITS).absolute(reading.health.commits);
        describe_counter!(WRITES, "Writes stored; over commits: how many share one.");
        counter!(WRITES).absolute(reading.health.writes);
        render_cloud(&reading.cloud);
    });
    recorder.handle().render()
}

/// Nothing of a register that is not paired: it has no connection to miss.
fn render_cloud(cloud: &CloudStatusView) {
    if cloud.state == CloudState::NotPaired {
        return;
    }
    describe_gauge!(CLOUD_UP, "Whether the head office is connected.");
    gauge!(CLOUD_UP).set(if cloud.state == CloudState::Online { 1.0 } else { 0.0 });
    describe_gauge!(CLOUD_UNSENT, "Records the head office has not acknowledged.");
    gauge!(CLOUD_UNSENT).set(exact(cloud.unsent));
    describe_gauge!(CLOUD_REFUSED, "Records it refused and nobody has dealt with.");
    gauge!(CLOUD_REFUSED).set(exact(cloud.refused_records));
}

#[expect(clippy::cast_precision_loss, reason = "figures far below 2^53")]
fn exact(count: i64) -> f64 {
    count as f64
}
