//! Parts of the product taken out, from outside: by what the network tells either side.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::JobId;
use tillroll_domain::receipt::Receipt;
use tillroll_wire::channel::{Down, Hello, PrinterReport, Push, Up};
use tokio::sync::mpsc;

use crate::judge::original;
use crate::plan::Without;

/// Without a check of its state every printer is ready.
fn believed(without: Without, report: PrinterReport) -> PrinterReport {
    match without {
        Without::StateCheck => PrinterReport { ready: true, reason: None, ..report },
        _ => report,
    }
}

/// What the dispatcher hears of the printers at first.
pub fn hello(without: Without, hello: Hello) -> Hello {
    let printers = hello.printers.into_iter().map(|report| believed(without, report)).collect();
    Hello { printers, ..hello }
}

/// What it hears of them later.
pub fn report(without: Without, message: Up) -> Up {
    match message {
        Up::Printer(report) => Up::Printer(believed(without, report)),
        other => other,
    }
}

/// The dispatcher notices that a call broke; without a check of its state it never does.
pub async fn notice(without: Without) {
    if without == Without::StateCheck {
        std::future::pending::<()>().await;
    }
}

/// How often each job arrived at a register that takes every copy for another job; nothing where it does not.
#[derive(Clone, Default)]
pub struct Copies(Option<Arc<Mutex<Arrived>>>);

#[derive(Default)]
struct Arrived {
    times: BTreeMap<JobId, u32>,
    fingerprints: BTreeMap<JobId, Fingerprint>,
}

impl Copies {
    /// Without deduplication each copy of a push gets a version of its own on its way to the register.
    pub fn of(without: Without) -> Self {
        Self((without == Without::Dedup).then(Arc::default))
    }

    /// The way up: what a register says of a copy is said of the job.
    pub fn restoring(&self, up: mpsc::Sender<Up>) -> mpsc::Sender<Up> {
        if self.0.is_none() {
            return up;
        }
        let (from_register, mut said) = mpsc::channel(1);
        let names = self.clone();
        tokio::spawn(async move {
            while let Some(message) = said.recv().await {
                if up.send(names.restored(message)).await.is_err() {
                    return;
                }
            }
        });
        from_register
    }

    /// The message as the register gets it.
    pub fn renamed(&self, message: Down) -> Down {
        let (Some(arrived), Down::Push(push)) = (&self.0, &message) else { return message };
        let mut arrived = arrived.lock().unwrap_or_else(PoisonError::into_inner);
        let times = arrived.times.entry(push.id.clone()).or_default();
        *times += 1;
        let version = *times;
        arrived.fingerprints.insert(push.id.clone(), push.fingerprint);
        Down::Push(copy(push, version))
    }

    fn restored(&self, message: Up) -> Up {
        match message {
            Up::Accepted { id, fingerprint } => {
                let id = original(id);
                let known = self.0.as_ref().and_then(|arrived| {
                    let arrived = arrived.lock().unwrap_or_else(PoisonError::into_inner);
                    arrived.fingerprints.get(&id).copied()
                });
                Up::Accepted { id, fingerprint: known.unwrap_or(fingerprint) }
            }
            Up::Result(mut result) => {
                result.id = original(result.id);
                Up::Result(result)
            }
            other => other,
        }
    }
}

fn copy(push: &Push, version: u32) -> Push {
    let mut receipt: Receipt = serde_json::from_value(push.body.clone()).unwrap();
    receipt.version = version;
    Push {
        id: JobId { version, ..push.id.clone() },
        fingerprint: receipt.fingerprint().unwrap(),
        body: serde_json::to_value(&receipt).unwrap(),
        ..push.clone()
    }
}
