//! A receipt comes in: read, checked, made durable, answered. The printer is not waited for.

use jiff::Timestamp;
use tillroll_domain::drawer::opens_drawer;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::OrderScope;
use tillroll_domain::ids::{JobId, Part};
use tillroll_domain::receipt::{Fault, Receipt};
use tillroll_escpos::raw::sanitize;
use tillroll_http::read_json;
use tillroll_store::{
    Body, BodyFormat, NewReceipt, NewRejection, PrinterId, RefusedAs, StoreError,
};

use crate::problem::{Code, Problem};
use crate::view::Accepted;
use crate::{Access, Register};

/// Of a refused body so many bytes are kept for whoever deals with it.
const KEPT_OF_REFUSED: usize = 16 * 1024;
/// Of what was wrong with it; a reader of JSON may quote the whole value.
const TOLD_OF_REFUSED: usize = 2 * 1024;

impl Register {
    /// Takes a receipt in JSON. Durable when it returns.
    ///
    /// A receipt that is refused although its sale may be done goes on the list of refused receipts.
    ///
    /// # Errors
    /// [`Problem`]: what is wrong with the body, [`Code::Conflict`], [`Code::NoPrinter`], or why
    /// nothing could be stored.
    pub async fn submit(&self, access: &Access, body: &[u8]) -> Result<Accepted, Problem> {
        let (receipt, taken) = match read_json::<Receipt>(body) {
            Ok(receipt) => {
                let taken = self.take(access, &receipt).await;
                (Some(receipt), taken)
            }
            Err(error) => (None, Err(error.into())),
        };
        if let Err(problem) = &taken {
            self.list_refused(access, receipt.as_ref(), body, problem).await;
        }
        taken
    }

    /// A body that could not even be read goes on the list too: its sale may be done.
    pub(crate) async fn list_unreadable(&self, access: &Access, problem: &Problem) {
        self.list_refused(access, None, &[], problem).await;
    }

    async fn take(&self, access: &Access, receipt: &Receipt) -> Result<Accepted, Problem> {
        receipt.check().map_err(|faults| Problem::receipt(&faults))?;
        let now = self.clock().now();
        let job_id = self.job_id(access, receipt, now)?;
        let text = canonical(receipt)?;
        let recorded = match self.place(receipt).await {
            Ok(printer) => {
                let new = NewReceipt {
                    client: Some(access.0.id),
                    refused_as: Some(self.refused_as(access, receipt, now)),
                    drawer: asks_for_drawer(receipt),
                    ..self.new_receipt(receipt, (job_id, text), printer, now)
                };
                self.spooler().record(new).await?
            }
            Err(problem) => {
                // What was recorded stays so, whatever was set up otherwise since.
                let fingerprint = Fingerprint::of(text.as_bytes());
                let replayed = self.store().replay_of(job_id.to_string(), fingerprint).await?;
                replayed.ok_or(problem)?
            }
        };
        Ok(Accepted::from(recorded))
    }

    /// Where it prints, with all that belongs on it.
    async fn place(&self, receipt: &Receipt) -> Result<PrinterId, Problem> {
        self.check_paper(receipt)?;
        self.printer_for(receipt).await
    }

    /// Whether this register has and may print what is on it.
    pub(crate) fn check_paper(&self, receipt: &Receipt) -> Result<(), Problem> {
        check_raw(receipt)?;
        self.check_logo(receipt)
    }

    fn check_logo(&self, receipt: &Receipt) -> Result<(), Problem> {
        match &receipt.logo {
            Some(name) if self.logos().path(name).is_none() => {
                let must = format!("names no stored picture: put {name}.png into the logos folder");
                Err(Problem::receipt(&[Fault::Field { field: "logo".into(), must }]))
            }
            Some(_) | None => Ok(()),
        }
    }

    async fn printer_for(&self, receipt: &Receipt) -> Result<PrinterId, Problem> {
        let name = receipt.printer.as_ref().map(Part::to_string);
        match self.store().printer_for(receipt.kind, name.clone()).await {
            Ok(printer) => Ok(printer.id),
            Err(StoreError::NotFound { .. }) => Err(match name {
                Some(name) => Problem::receipt(&[Fault::Field {
                    field: "printer".into(),
                    must: format!("names no printer of this register: {name}"),
                }]),
                None => Problem::new(
                    Code::NoPrinter,
                    format!("no printer is set up for {}: nothing was stored", receipt.kind),
                ),
            }),
            Err(error) => Err(error.into()),
        }
    }

    /// A receipt to record, of nobody in particular and without a pulse for the drawer.
    pub(crate) fn new_receipt(
        &self,
        receipt: &Receipt,
        (job_id, text): (JobId, String),
        printer: PrinterId,
        now: Timestamp,
    ) -> NewReceipt {
        NewReceipt {
            job_id,
            fingerprint: Fingerprint::of(text.as_bytes()),
            body: Body { format: BodyFormat::Receipt, text },
            printer,
            client: None,
            refused_as: None,
            day: self.calendar().day_of(now),
            issued_at: receipt.issued_at,
            recorded_at: now,
            recorded_boot: self.clock().boot(),
            takings: receipt.takings(),
            tenders: receipt.takings_by_tender(),
            drawer: false,
            held: None,
            claiming: None,
            pushed: None,
        }
    }

    /// Refusals are listed by the POS's own order number.
    fn refused_as(&self, access: &Access, receipt: &Receipt, now: Timestamp) -> RefusedAs {
        let daily = access.0.order_scope == OrderScope::RegisterDay;
        let day = self.calendar().day_of(receipt.issued_at.unwrap_or(now));
        RefusedAs { order_no: receipt.order_no.clone(), day: daily.then_some(day) }
    }

    /// The order number in its client's scope. The day of a number that restarts daily is the business
    /// day of the POS's own time, so that a receipt sent late or again keeps its id.
    fn job_id(&self, access: &Access, receipt: &Receipt, now: Timestamp) -> Result<JobId, Problem> {
        let scope = access.0.order_scope;
        if scope == OrderScope::RegisterDay && receipt.issued_at.is_none() {
            let must = "is required from a POS whose order numbers begin anew every day";
            return Err(Problem::receipt(&[Fault::Field {
                field: "issued_at".into(),
                must: must.into(),
            }]));
        }
        let day = self.calendar().day_of(receipt.issued_at.unwrap_or(now));
        let order = scope
            .order(&self.settings().register, day, &receipt.order_no)
            .map_err(|error| Problem::value("order_no", error.to_string()))?;
        Ok(JobId {
            store: self.settings().store.clone(),
            order,
            kind: receipt.kind,
            version: receipt.version,
            copy: None,
        })
    }

    /// The sale is done: whatever the register refuses of it, somebody must see. Faults of the disk are
    /// not listed: the POS sends the same receipt again.
    async fn list_refused(
        &self,
        access: &Access,
        receipt: Option<&Receipt>,
        body: &[u8],
        problem: &Problem,
    ) {
        let lasting = matches!(
            problem.code,
            Code::InvalidBody
                | Code::InvalidReceipt
                | Code::InvalidValue
                | Code::Conflict
                | Code::NoPrinter
                | Code::TooLarge
                | Code::Unsupported
        );
        if !lasting {
            return;
        }
        let now = self.clock().now();
        let kept = &body[..body.len().min(KEPT_OF_REFUSED)];
        let rejection = NewRejection {
            order_no: receipt.map(|receipt| receipt.order_no.to_string()),
            kind: receipt.map(|receipt| receipt.kind.to_string()),
            code: problem.code.as_str().to_owned(),
            detail: beginning(&problem.detail, TOLD_OF_REFUSED).to_owned(),
            body: String::from_utf8_lossy(kept).into_owned(),
            body_sha256: *Fingerprint::of(body).as_bytes(),
            day: self.calendar().day_of(now),
            client: Some(access.0.id),
        };
        if let Err(error) = self.store().record_rejection(rejection, now).await {
            tracing::warn!(%error, "a refused receipt could not be listed");
        }
    }
}

/// At most so many bytes of a text, cut at a character.
fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Its canonical body, which its fingerprint is made of.
pub(crate) fn canonical(receipt: &Receipt) -> Result<String, Problem> {
    let body = receipt.canonical().map_err(unserialisable)?;
    String::from_utf8(body).map_err(unserialisable)
}

/// A pulse that cannot be taken out would open the drawer at every print, with nobody's right to it.
fn check_raw(receipt: &Receipt) -> Result<(), Problem> {
    if receipt.raw().is_some_and(|raw| sanitize(&raw).pulse_left) {
        let must = "must hold no drawer pulse among commands that are not understood".to_owned();
        return Err(Problem::receipt(&[Fault::Field { field: "raw_base64".into(), must }]));
    }
    Ok(())
}

/// Cash in a paid receipt, or the pulse a POS put into its own bytes for one.
fn asks_for_drawer(receipt: &Receipt) -> bool {
    if opens_drawer(receipt) {
        return true;
    }
    let paid = receipt.kind.moves_money() && receipt.tenders.is_empty();
    paid && receipt.raw().is_some_and(|raw| sanitize(&raw).drawer_pulses > 0)
}

fn unserialisable(error: impl std::error::Error + Send + Sync + 'static) -> Problem {
    Problem {
        source: Some(Box::new(error)),
        ..Problem::new(Code::Internal, "the receipt has no JSON form")
    }
}
