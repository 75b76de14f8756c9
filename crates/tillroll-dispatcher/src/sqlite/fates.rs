//! What became of request ids, for people and tools.

use tillroll_sqlite::rusqlite::{Connection, params};
use tillroll_wire::Code;
use tillroll_wire::record::Fate;

use super::columns::{at, fingerprint, first};
use super::fault::Fault;
use crate::job::StoreNo;

/// The fate of each id, in the order asked.
pub(super) fn of(
    db: &Connection,
    store: StoreNo,
    request_ids: &[String],
) -> Result<Vec<Fate>, Fault> {
    request_ids.iter().map(|request_id| of_one(db, store, request_id)).collect()
}

/// A stored record before a refused one, of those the one that came first.
fn of_one(db: &Connection, store: StoreNo, request_id: &str) -> Result<Fate, Fault> {
    let unknown = || Fate {
        request_id: request_id.to_owned(),
        stored_at: None,
        fingerprint: None,
        rejected: None,
    };
    let params = params![store.0, request_id];
    let stored = first(db, STORED, params, |row| {
        let (stored_at, fingerprint) = (Some(at(row, 0)?), Some(fingerprint(row, 1)?));
        Ok(Fate { stored_at, fingerprint, ..unknown() })
    })?;
    if let Some(stored) = stored {
        return Ok(stored);
    }
    let rejected = first(db, REJECTED, params, |row| {
        let code = row.get_ref(0)?.as_str().map(Code::of).map_err(Fault::unreadable)?;
        let fingerprint = Some(fingerprint(row, 1)?);
        Ok(Fate { rejected: Some(code), fingerprint, ..unknown() })
    })?;
    Ok(rejected.unwrap_or_else(unknown))
}

pub(super) const STORED: &str = "SELECT judged_at, fingerprint FROM records
    WHERE store = ?1 AND request_id = ?2 AND verdict = 'accepted'";
pub(super) const REJECTED: &str =
    "SELECT code, fingerprint FROM records INDEXED BY records_rejected
    WHERE store = ?1 AND request_id = ?2 AND verdict = 'rejected' ORDER BY seq LIMIT 1";
