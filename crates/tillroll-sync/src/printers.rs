//! The register's printers, as the push channel needs them.

use std::collections::BTreeMap;
use std::future::Future;

use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_domain::receipt::Receipt;
use tillroll_wire::Code;
use tillroll_wire::channel::{PrinterReport, Push};

/// What the dispatcher is told of the printers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Announced {
    /// Every printer with its state.
    pub printers: Vec<PrinterReport>,
    /// Which printer takes which kind.
    pub routes: BTreeMap<JobKind, Part>,
}

/// What the channel asks of the register.
pub trait Printers: Send + Sync + 'static {
    /// The printers and routes as they are.
    fn announced(&self) -> impl Future<Output = Announced> + Send;

    /// Waits until [`Printers::announced`] may have changed. May be dropped at any time; a change that is
    /// missed is told a few seconds later.
    fn changed(&self) -> impl Future<Output = ()> + Send;

    /// Makes a pushed job durable, as an ordinary receipt of the client `cloud` that carries
    /// [`tillroll_store::Pushed`]. The same job again, with the same fingerprint, is taken again.
    fn take(&self, push: Push) -> impl Future<Output = Result<(), Untaken>> + Send;
}

/// Why a pushed job was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Untaken {
    /// It never will be as it is.
    #[error("{code}: {detail}")]
    Refused {
        /// Why.
        code: Code,
        /// Why, naming the field.
        detail: String,
    },
    /// Nothing was stored for certain, or perhaps; the dispatcher pushes it again.
    #[error("not now: {0}")]
    NotNow(String),
}

impl Untaken {
    /// A refusal for good.
    pub fn refused(code: Code, detail: impl Into<String>) -> Self {
        Self::Refused { code, detail: detail.into() }
    }
}

/// The receipt of a push: read, checked, and held against its id and fingerprint.
///
/// # Errors
/// [`Untaken::Refused`], naming the field.
pub fn receipt_of(push: &Push, store: &Part) -> Result<Receipt, Untaken> {
    let receipt: Receipt = serde_json::from_value(push.body.clone())
        .map_err(|error| Untaken::refused(Code::InvalidBody, format!("body: {error}")))?;
    receipt.check().map_err(|faults| {
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Untaken::refused(Code::InvalidReceipt, told.join("; "))
    })?;
    let id = JobId {
        store: store.clone(),
        order: receipt.order_no.clone(),
        kind: receipt.kind,
        version: receipt.version,
        copy: None,
    };
    if id.store != push.id.store {
        return Err(Untaken::refused(Code::NotFound, "id: there is no such job in this store"));
    }
    if id != push.id {
        return Err(Untaken::refused(Code::InvalidValue, format!("id: its body makes it {id}")));
    }
    let fingerprint = receipt
        .fingerprint()
        .map_err(|error| Untaken::refused(Code::InvalidBody, format!("body: {error}")))?;
    if fingerprint != push.fingerprint {
        let detail = format!("fingerprint: that of the body is {fingerprint}");
        return Err(Untaken::refused(Code::Conflict, detail));
    }
    Ok(receipt)
}

#[cfg(test)]
mod tests {
    use tillroll_testkit::receipts;

    use super::*;

    fn push() -> Push {
        let receipt = receipts::simple(1);
        Push {
            id: format!("S1:{}:receipt:v1", receipt.order_no).parse().unwrap(),
            fingerprint: receipt.fingerprint().unwrap(),
            body: serde_json::to_value(&receipt).unwrap(),
            printer: "front".parse().unwrap(),
            remaining_ms: None,
            held: None,
        }
    }

    fn code(push: &Push) -> Code {
        match receipt_of(push, &"S1".parse().unwrap()) {
            Err(Untaken::Refused { code, .. }) => code,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn push_is_taken_when_body_id_and_fingerprint_agree() {
        let receipt = receipt_of(&push(), &"S1".parse().unwrap()).unwrap();
        assert_eq!(receipt, receipts::simple(1));
    }

    #[test]
    fn push_of_another_store_looks_like_one_that_does_not_exist() {
        let id = push().id.to_string().replace("S1:", "S2:").parse().unwrap();
        assert_eq!(code(&Push { id, ..push() }), Code::NotFound);
    }

    #[test]
    fn push_whose_body_is_another_is_refused() {
        let other = serde_json::to_value(receipts::simple(2)).unwrap();
        assert_eq!(code(&Push { body: other, ..push() }), Code::InvalidValue);
        let fingerprint = receipts::simple(2).fingerprint().unwrap();
        assert_eq!(code(&Push { fingerprint, ..push() }), Code::Conflict);
        let unreadable = serde_json::json!({"order_no": "1", "surprise": true});
        assert_eq!(code(&Push { body: unreadable, ..push() }), Code::InvalidBody);
    }
}
