//! A register as set up for a test, and receipts as they are recorded in it.

use std::sync::{Arc, Mutex};

use tempfile::TempDir;
use tillroll_domain::clock::Clock;
use tillroll_domain::drawer::opens_drawer;
use tillroll_domain::ids::JobId;
use tillroll_domain::receipt::Receipt;
use tillroll_escpos::compose::Locale;
use tillroll_escpos::encode::Assets;
use tillroll_escpos::typeset::Typesetter;
use tillroll_spooler::Stationery;
use tillroll_store::{Body, BodyFormat, NewReceipt, PrinterId, RegisterSettings};
use tillroll_testkit::ManualClock;

/// A folder whose syncs cost nothing where the machine has one: what is tested here is not the disk.
pub fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

pub fn settings() -> RegisterSettings {
    RegisterSettings {
        store: "S1".parse().expect("a store"),
        register: "R1".parse().expect("a register"),
        zone: "Asia/Shanghai".to_owned(),
        cutoff: "04:00".to_owned(),
        currency: "CNY".parse().expect("a currency"),
        locale: "en".to_owned(),
    }
}

pub fn stationery(assets: Arc<dyn Assets + Send + Sync>) -> Stationery {
    Stationery {
        currency: "CNY".parse().expect("a currency"),
        locale: Locale::En,
        zone: jiff::tz::TimeZone::UTC,
        assets,
        typesetter: Arc::new(Mutex::new(Typesetter::from_fonts(Vec::new()))),
    }
}

pub fn new_receipt(clock: &ManualClock, printer: PrinterId, receipt: &Receipt) -> NewReceipt {
    receipt.check().expect("a receipt that adds up");
    let (order, store) = (receipt.order_no.clone(), "S1".parse().expect("a store"));
    let body = receipt.canonical().expect("a body");
    NewReceipt {
        job_id: JobId { store, order, kind: receipt.kind, version: 1, copy: None },
        fingerprint: receipt.fingerprint().expect("a fingerprint"),
        body: Body {
            format: BodyFormat::Receipt,
            text: String::from_utf8(body).expect("JSON is UTF-8"),
        },
        printer,
        client: None,
        refused_as: None,
        day: jiff::civil::date(2026, 10, 9),
        issued_at: receipt.issued_at,
        recorded_at: clock.now(),
        recorded_boot: clock.boot(),
        takings: receipt.takings(),
        tenders: Vec::new(),
        drawer: opens_drawer(receipt),
        held: None,
        claiming: None,
        pushed: None,
    }
}
