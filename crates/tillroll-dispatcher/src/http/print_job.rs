//! A print job comes in: read, checked, given its id and printer, made durable, answered. The register
//! is not waited for.

use std::time::Duration;

use serde_json::{Map, Value};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::{JobId, Part};
use tillroll_domain::receipt::Receipt;
use tillroll_http::{read_fields, read_json};
use tillroll_wire::Code;
use tillroll_wire::job::{CloudJobView, Scheduling};

use super::api::Api;
use super::guard::Shop;
use super::problem::{Fingerprints, Refusal};
use crate::job::{Inserted, Job, NewJob};
use crate::store::{DispatcherStore as _, StoreError};

/// The latest deadline: a week.
const DEADLINE_S: u32 = 7 * 86_400;

/// A job as it was sent.
#[derive(Debug)]
pub(super) struct Sent {
    receipt: Receipt,
    scheduling: Scheduling,
}

/// What became of it.
pub(super) enum Taken {
    New(CloudJobView),
    Replayed(CloudJobView),
}

impl Sent {
    /// Reads a body: the receipt's own fields, and those of the scheduling among them.
    pub fn read(body: &[u8]) -> Result<Self, Refusal> {
        let mut fields: Map<String, Value> = read_json(body)?;
        let mut own = Map::new();
        for name in ["deadline_s", "after_deadline"] {
            own.extend(fields.remove_entry(name));
        }
        let scheduling: Scheduling = read_fields(own)?;
        if scheduling.deadline_s.is_some_and(|deadline| !(1..=DEADLINE_S).contains(&deadline)) {
            return Err(Refusal::value("deadline_s", format!("must be from 1 to {DEADLINE_S}")));
        }
        let receipt: Receipt = read_fields(fields)?;
        receipt.check().map_err(|faults| Refusal::receipt(&faults))?;
        Ok(Self { receipt, scheduling })
    }

    fn id(&self, store: &Part) -> JobId {
        JobId {
            store: store.clone(),
            order: self.receipt.order_no.clone(),
            kind: self.receipt.kind,
            version: self.receipt.version,
            copy: None,
        }
    }
}

/// Stores a job and schedules it.
pub(super) async fn take(api: &Api, shop: &Shop, sent: Sent) -> Result<Taken, Refusal> {
    let id = sent.id(&shop.store.code);
    let body = sent.receipt.canonical().map_err(|error| Refusal::default().caused_by(error))?;
    let fingerprint = Fingerprint::of(&body);
    let Some(printer) = printer_for(api, shop, &sent.receipt).await? else {
        return replay(api, shop, &id, fingerprint).await?.ok_or_else(|| no_printer(&sent.receipt));
    };
    let body = String::from_utf8(body).map_err(|error| Refusal::default().caused_by(error))?;
    let now = api.scheduler().now();
    let asked = sent.scheduling.deadline_s.map(|seconds| Duration::from_secs(seconds.into()));
    let deadline = now.checked_add(asked.unwrap_or_else(|| api.deadline()));
    let new = NewJob {
        store: shop.store.no,
        id: id.clone(),
        body,
        fingerprint,
        printer: Some(printer),
        deadline_at: deadline.map_err(|error| Refusal::default().caused_by(error))?,
        after_deadline: sent.scheduling.after_deadline,
        api_key: shop.key,
        now,
    };
    match api.scheduler().submit(new).await? {
        Inserted::New(job) => Ok(Taken::New(job.view(None, false))),
        Inserted::Replayed(job) => Ok(Taken::Replayed(view(api, &job, true).await?)),
        Inserted::Conflict { stored } => {
            Err(Refusal::conflict(&id, Fingerprints { stored, offered: fingerprint }))
        }
    }
}

/// The printer: as named, if a register has it, or that of the kind's route.
async fn printer_for(
    api: &Api,
    shop: &Shop,
    receipt: &Receipt,
) -> Result<Option<Part>, StoreError> {
    let (store, no) = (api.store(), shop.store.no);
    match &receipt.printer {
        None => store.route(no, receipt.kind).await,
        Some(named) => {
            let owner = store.printer_owner(no, named.clone()).await?;
            Ok(owner.map(|_| named.clone()))
        }
    }
}

/// What was stored stays so, whatever was announced otherwise since.
async fn replay(
    api: &Api,
    shop: &Shop,
    id: &JobId,
    offered: Fingerprint,
) -> Result<Option<Taken>, Refusal> {
    let Some(job) = api.store().job(shop.store.no, id.clone()).await? else { return Ok(None) };
    if job.fingerprint != offered {
        return Err(Refusal::conflict(id, Fingerprints { stored: job.fingerprint, offered }));
    }
    Ok(Some(Taken::Replayed(view(api, &job, true).await?)))
}

fn no_printer(receipt: &Receipt) -> Refusal {
    let detail = match &receipt.printer {
        Some(name) => format!("printer: no register of the store has announced {name}"),
        None => format!("kind: no register of the store prints {}", receipt.kind),
    };
    Refusal::new(Code::NoPrinter, detail + "; nothing was stored")
}

/// A job with the name of the register it went to.
pub(super) async fn view(api: &Api, job: &Job, replayed: bool) -> Result<CloudJobView, StoreError> {
    let jobs = views(api, std::slice::from_ref(job)).await?;
    let found = jobs.into_iter().next();
    Ok(found.map_or_else(|| job.view(None, replayed), |view| CloudJobView { replayed, ..view }))
}

/// Jobs of one store with the names of the registers they went to.
pub(super) async fn views(api: &Api, jobs: &[Job]) -> Result<Vec<CloudJobView>, StoreError> {
    let store = jobs.iter().find(|job| job.register.is_some()).map(|job| job.key.store);
    let registers = match store {
        Some(store) => api.store().registers(store).await?,
        None => Vec::new(),
    };
    let view = |job: &Job| {
        let register = registers.iter().find(|register| job.register == Some(register.no));
        job.view(register.map(|register| register.name.as_str()), false)
    };
    Ok(jobs.iter().map(view).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(body: &Value) -> tillroll_wire::Problem {
        Sent::read(body.to_string().as_bytes()).unwrap_err().problem()
    }

    #[test]
    fn scheduling_stands_among_the_receipts_fields_and_not_in_its_body() {
        let body = json!({"order_no": "7", "kind": "kitchen", "lines": [{"name": "Soup"}],
            "deadline_s": 30, "after_deadline": "drop"});
        let sent = Sent::read(body.to_string().as_bytes()).unwrap();
        assert_eq!(sent.scheduling.deadline_s, Some(30));
        let canonical = String::from_utf8(sent.receipt.canonical().unwrap()).unwrap();
        assert!(!canonical.contains("deadline"), "{canonical}");
        assert_eq!(sent.id(&"S1".parse().unwrap()).to_string(), "S1:7:kitchen:v1");
    }

    #[test]
    fn whatever_is_wrong_is_named_by_its_field() {
        let kitchen = |more: Value| {
            let mut body = json!({"order_no": "7", "kind": "kitchen", "lines": [{"name": "Soup"}]});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            refused(&body)
        };
        let cases = [
            (kitchen(json!({"deadline_s": 0})), Code::InvalidValue, "deadline_s"),
            (kitchen(json!({"after_deadline": "never"})), Code::InvalidBody, "after_deadline"),
            (kitchen(json!({"dead_line": 1})), Code::InvalidBody, "dead_line"),
            (kitchen(json!({"lines": [{"nam": "x"}]})), Code::InvalidBody, "lines[0]"),
            (kitchen(json!({"version": 0})), Code::InvalidReceipt, "version"),
            (refused(&json!([1])), Code::InvalidBody, "object"),
        ];
        for (problem, code, named) in cases {
            assert_eq!(problem.code, code, "{}", problem.detail);
            assert!(problem.detail.contains(named), "{}", problem.detail);
        }
    }
}
