//! Receipts to record.

use anyhow::Result;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::JobId;
use tillroll_store::{Body, BodyFormat, NewReceipt, PrinterId};
use tillroll_testkit::receipts;

use crate::raw_sqlite::job_id;
use crate::receipt_rows::{LINES, body, instant};

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
            refused_as: None,
            day: jiff::civil::date(2026, 10, 9),
            issued_at: None,
            recorded_at: instant(0),
            recorded_boot: std::time::Duration::from_secs(3_600),
            takings: receipt.takings(),
            tenders: vec![("card".to_owned(), receipt.takings())],
            drawer: false,
            held: None,
            claiming: None,
            pushed: None,
        };
        Ok(Self { template })
    }

    /// Receipt number `n`.
    pub fn number(&self, n: u64) -> Result<NewReceipt> {
        let job_id: JobId = job_id(n).parse()?;
        Ok(NewReceipt { job_id, recorded_at: instant(n), ..self.template.clone() })
    }
}
