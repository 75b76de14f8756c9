//! Papers of the register itself: recorded and printed like any receipt, without takings.

use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_domain::money::Minor;
use tillroll_escpos::document::Document;
use tillroll_store::{Body, BodyFormat, NewReceipt, PrinterId};

use crate::Register;
use crate::problem::{Code, Problem};
use crate::view::Accepted;

impl Register {
    /// Records a report for printing. `order` is unique in the store.
    ///
    /// # Errors
    /// When nothing can be stored.
    pub(crate) async fn record_report(
        &self,
        order: &str,
        document: &Document,
        printer: PrinterId,
    ) -> Result<Accepted, Problem> {
        let text = serde_json::to_string(document).map_err(|error| Problem {
            source: Some(Box::new(error)),
            ..Problem::new(Code::Internal, "the report has no JSON form")
        })?;
        let now = self.clock().now();
        let new = NewReceipt {
            job_id: self.report_id(order)?,
            fingerprint: Fingerprint::of(text.as_bytes()),
            body: Body { format: BodyFormat::Document, text },
            printer,
            client: None,
            refused_as: None,
            day: self.calendar().day_of(now),
            issued_at: None,
            recorded_at: now,
            recorded_boot: self.clock().boot(),
            takings: Minor::ZERO,
            tenders: Vec::new(),
            drawer: false,
            held: None,
            claiming: None,
            pushed: None,
        };
        Ok(Accepted::from(self.spooler().record(new).await?))
    }

    fn report_id(&self, order: &str) -> Result<JobId, Problem> {
        let order = Part::new(order, "order");
        Ok(JobId {
            store: self.settings().store.clone(),
            order: order.map_err(|error| Problem::value("order", error.to_string()))?,
            kind: JobKind::Report,
            version: 1,
            copy: None,
        })
    }
}
