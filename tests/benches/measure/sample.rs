//! The receipt that everything is measured with: six lines, about 600 bytes of JSON.

use std::path::Path;

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::{JobId, Part};
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_store::{
    Body, BodyFormat, NewPrinter, NewReceipt, PrinterId, RegisterSettings, Store, StoreOptions,
};
use tillroll_testkit::receipts;
use tokio::runtime::Runtime;

/// Lines on the receipt.
pub const LINES: u32 = 6;

/// A printer that proves its jobs by token.
pub const PROFILE: &str = "tm-t20iii";

/// The instant of receipt number `n`: they come a millisecond apart.
pub fn instant(n: u64) -> Timestamp {
    let since = SignedDuration::from_millis(i64::try_from(n).unwrap_or(0));
    Timestamp::constant(1_791_000_000, 0).saturating_add(since).unwrap_or(Timestamp::MAX)
}

/// The receipt's body as the register stores it.
pub fn body() -> Result<String> {
    Ok(String::from_utf8(receipts::long(1, LINES).canonical()?)?)
}

/// The id of receipt number `n`: ids grow with time, as order numbers do.
pub fn job_id(n: u64) -> String {
    format!("S1:L1-{n:09}:receipt:v1")
}

/// Copies of one receipt that differ in id and time, ready to be recorded.
#[derive(Clone)]
pub struct Receipts {
    template: NewReceipt,
}

impl Receipts {
    /// Receipts for a printer.
    pub fn new(printer: PrinterId) -> Result<Self> {
        let receipt = receipts::long(1, LINES);
        let text = body()?;
        let template = NewReceipt {
            job_id: job_id(0).parse()?,
            fingerprint: Fingerprint::of(text.as_bytes()),
            body: Body { format: BodyFormat::Receipt, text },
            printer,
            client: None,
            day: jiff::civil::date(2026, 10, 9),
            issued_at: None,
            recorded_at: instant(0),
            recorded_boot: std::time::Duration::from_secs(3_600),
            takings: receipt.takings(),
            tenders: vec![("card".to_owned(), receipt.takings())],
            drawer: false,
            held: None,
            claiming: None,
        };
        Ok(Self { template })
    }

    /// Receipt number `n`.
    pub fn number(&self, n: u64) -> Result<NewReceipt> {
        let job_id: JobId = job_id(n).parse()?;
        Ok(NewReceipt { job_id, recorded_at: instant(n), ..self.template.clone() })
    }
}

/// A register in an empty folder, with one printer that proves its jobs by token.
pub fn store(runtime: &Runtime, folder: &Path) -> Result<(Store, PrinterId)> {
    let settings = RegisterSettings {
        store: Part::new("S1", "store")?,
        register: Part::new("R1", "register")?,
        zone: "Asia/Shanghai".to_owned(),
        cutoff: "04:00".to_owned(),
        currency: "CNY".parse()?,
        locale: "zh-CN".to_owned(),
    };
    std::fs::create_dir_all(folder)?;
    let store = Store::create(folder, &settings, StoreOptions::default())?;
    let printer = runtime.block_on(store.add_printer(printer()?))?;
    Ok((store, printer))
}

fn printer() -> Result<NewPrinter> {
    Ok(NewPrinter {
        name: Part::new("front", "printer")?,
        uri: "tcp://127.0.0.1:9100".to_owned(),
        profile: PROFILE.to_owned(),
        columns: None,
        level: ConfirmationLevel::Token,
        unproven: Unproven::Ask,
        drawer_pin: 0,
    })
}
