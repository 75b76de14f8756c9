//! The verdict on one record: fingerprints first, then what it says, then what came before it. Pure: what
//! it may meet has been read.

use std::collections::HashMap;

use tillroll_domain::outbox::RecordKind;
use tillroll_wire::Code;
use tillroll_wire::record::Record;

use super::fault::Fault;
use super::kept::{Kept, Known};
use super::receipts::{Books, Place};
use crate::job::RegisterNo;
use crate::store::fact::{Fact, Refused};

/// What is to be done with a record. `earlier` is its row, where the same record was refused before.
pub(super) enum Judgement {
    /// It is stored already.
    Replayed,
    /// It is to be stored; a receipt is booked unless the same sale is in the books already.
    Accepted { fact: Fact, books: bool, earlier: Option<i64> },
    /// It is refused for good.
    Rejected { refused: Refused, earlier: Option<i64> },
}

/// What a record is judged by.
pub(super) struct Before<'a> {
    /// The register that sends.
    pub(super) register: RegisterNo,
    /// Names of the registers of its store.
    pub(super) names: &'a HashMap<i64, String>,
    pub(super) kept: &'a Kept<'a>,
    pub(super) books: &'a Books,
}

impl Before<'_> {
    /// Judges a record that says this.
    pub(super) fn judge(
        &self,
        record: &Record,
        fact: Result<Fact, Refused>,
    ) -> Result<Judgement, Fault> {
        let refusals = self.kept.refusals(record);
        let is_same = |known: &&Known| known.fingerprint == record.fingerprint;
        let earlier = refusals.iter().find(is_same).map(|known| known.seq);
        let rejected = |refused| Ok(Judgement::Rejected { refused, earlier });
        if let Some(stored) = self.kept.stored(record) {
            if stored.register == self.register.no && is_same(&stored) {
                return Ok(Judgement::Replayed);
            }
            return rejected(self.conflict(stored));
        }
        // The id belongs to the body that came first, refused or not.
        if let Some(first) = refusals.first().filter(|known| !is_same(known)) {
            return rejected(self.conflict(first));
        }
        let fact = match fact {
            Ok(fact) => fact,
            Err(refused) => return rejected(refused),
        };
        if self.is_parked(record) {
            let detail = "flow_no: its receipt was refused, so it waits with it";
            return rejected(Refused::new(Code::ParkedBehind, detail));
        }
        let Fact::Receipt(sale) = &fact else {
            return Ok(Judgement::Accepted { fact, books: false, earlier });
        };
        let detail = match self.books.place(sale)? {
            Place::Free => return Ok(Judgement::Accepted { fact, books: true, earlier }),
            Place::SameSale => return Ok(Judgement::Accepted { fact, books: false, earlier }),
            Place::IdTaken(register, flow_no) => {
                let name = self.name(register);
                format!("id: recorded by register {name} under flow number {flow_no}")
            }
            Place::FlowTaken(id) => format!("flow_no: given to {id} before"),
        };
        rejected(Refused::new(Code::Conflict, detail))
    }

    fn conflict(&self, known: &Known) -> Refused {
        let name = self.name(known.register);
        let fingerprint = known.fingerprint;
        let detail = format!("request_id: used by register {name} with fingerprint {fingerprint}");
        Refused::new(Code::Conflict, detail)
    }

    fn name(&self, register: i64) -> &str {
        self.names.get(&register).map_or("", String::as_str)
    }

    /// Whether the receipt this record follows was refused and has not come since.
    fn is_parked(&self, record: &Record) -> bool {
        let follows = record.flow_no.filter(|_| record.kind != RecordKind::Receipt);
        follows.is_some_and(|flow_no| {
            self.kept.has_refused_receipt(flow_no) && !self.books.has_flow(flow_no)
        })
    }
}
