//! The verdict on one record: fingerprints first, then what it says, then what came before it.

use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::Part;
use tillroll_domain::outbox::RecordKind;
use tillroll_sqlite::rusqlite::{Connection, Row, params};
use tillroll_wire::Code;
use tillroll_wire::record::Record;

use super::columns::{all, fingerprint, first};
use super::fault::Fault;
use super::receipts::{self, Place};
use super::registers;
use crate::job::RegisterNo;
use crate::store::fact::{self, Fact, Refused};

/// What is to be done with a record. `earlier` is its row, where the same record was refused before.
pub(super) enum Judgement {
    /// It is stored already.
    Replayed,
    /// It is to be stored; a receipt is booked unless the same sale is in the books already.
    Accepted { fact: Fact, books: bool, earlier: Option<i64> },
    /// It is refused for good.
    Rejected { refused: Refused, earlier: Option<i64> },
}

/// The register that sends, and the code of its store.
pub(super) struct Sender<'a> {
    pub(super) register: RegisterNo,
    pub(super) store_code: &'a Part,
}

/// Judges a record. Changes nothing.
pub(super) fn judge(
    db: &Connection,
    from: &Sender<'_>,
    record: &Record,
) -> Result<Judgement, Fault> {
    let register = from.register;
    let refusals = refusals(db, register, record)?;
    let earlier =
        refusals.iter().find(|row| row.fingerprint == record.fingerprint).map(|row| row.seq);
    let rejected = |refused| Ok(Judgement::Rejected { refused, earlier });
    if let Some(stored) = stored(db, register, record)? {
        if stored.register == register.no && stored.fingerprint == record.fingerprint {
            return Ok(Judgement::Replayed);
        }
        return rejected(conflict(db, register, &stored)?);
    }
    // The id belongs to the body that came first, refused or not.
    if let Some(first) = refusals.first().filter(|row| row.fingerprint != record.fingerprint) {
        return rejected(conflict(db, register, first)?);
    }
    let fact = match fact::read(record, from.store_code) {
        Ok(fact) => fact,
        Err(refused) => return rejected(refused),
    };
    if is_parked(db, register, record)? {
        let detail = "flow_no: its receipt was refused, so it waits with it";
        return rejected(Refused::new(Code::ParkedBehind, detail));
    }
    let Fact::Receipt(sale) = &fact else {
        return Ok(Judgement::Accepted { fact, books: false, earlier });
    };
    match receipts::place(db, register, sale)? {
        Place::Free => Ok(Judgement::Accepted { fact, books: true, earlier }),
        Place::SameSale => Ok(Judgement::Accepted { fact, books: false, earlier }),
        Place::Taken(detail) => rejected(Refused::new(Code::Conflict, detail)),
    }
}

/// A row with a request id.
struct Known {
    seq: i64,
    register: i64,
    fingerprint: Fingerprint,
}

fn known(row: &Row<'_>) -> Result<Known, Fault> {
    Ok(Known { seq: row.get(0)?, register: row.get(1)?, fingerprint: fingerprint(row, 2)? })
}

/// The stored record of this id, whichever register of the store it is of.
fn stored(db: &Connection, register: RegisterNo, record: &Record) -> Result<Option<Known>, Fault> {
    first(db, STORED, params![register.store.0, record.request_id], known)
}

pub(super) const STORED: &str = "SELECT seq, register, fingerprint FROM records
    WHERE store = ?1 AND request_id = ?2 AND verdict = 'accepted'";

/// This register's refused records of this id, first to last.
fn refusals(db: &Connection, register: RegisterNo, record: &Record) -> Result<Vec<Known>, Fault> {
    all(db, REFUSALS, params![register.store.0, record.request_id, register.no], known)
}

pub(super) const REFUSALS: &str = "SELECT seq, register, fingerprint
    FROM records INDEXED BY records_rejected
    WHERE store = ?1 AND request_id = ?2 AND register = ?3 AND verdict = 'rejected' ORDER BY seq";

fn conflict(db: &Connection, register: RegisterNo, known: &Known) -> Result<Refused, Fault> {
    let holder = RegisterNo { no: known.register, ..register };
    let name = registers::known_name(db, holder)?;
    let detail =
        format!("request_id: used by register {name} with fingerprint {}", known.fingerprint);
    Ok(Refused::new(Code::Conflict, detail))
}

/// Whether the receipt this record follows was refused and has not come since.
fn is_parked(db: &Connection, register: RegisterNo, record: &Record) -> Result<bool, Fault> {
    let Some(flow_no) = record.flow_no.filter(|_| record.kind != RecordKind::Receipt) else {
        return Ok(false);
    };
    let params = params![register.store.0, register.no, flow_no];
    Ok(first(db, REFUSED_RECEIPT, params, |_| Ok(()))?.is_some())
}

pub(super) const REFUSED_RECEIPT: &str = "SELECT 1 FROM records INDEXED BY records_refused_receipts
    WHERE store = ?1 AND register = ?2 AND flow_no = ?3 AND verdict = 'rejected' AND kind = 'receipt'
        AND NOT EXISTS (SELECT 1 FROM receipts WHERE store = ?1 AND register = ?2 AND flow_no = ?3)
    LIMIT 1";
