//! What became of request ids, for people and tools.

use std::collections::HashMap;

use deadpool_postgres::GenericClient;
use tillroll_wire::Code;
use tillroll_wire::record::Fate;
use tokio_postgres::Row;

use super::columns::{all, at, fingerprint, get};
use super::fault::Fault;
use crate::job::StoreNo;

/// The fate of each id, in the order asked.
pub(super) async fn of(
    db: &impl GenericClient,
    store: StoreNo,
    request_ids: &[String],
) -> Result<Vec<Fate>, Fault> {
    // An id with a zero character was never kept, and cannot be asked for.
    let asked: Vec<_> = request_ids.iter().filter(|id| !id.contains('\0')).collect();
    let known = all(db, KNOWN, &[&store.0, &asked], read).await?;
    let known: HashMap<_, _> =
        known.into_iter().map(|fate| (fate.request_id.clone(), fate)).collect();
    Ok(request_ids.iter().map(|id| known.get(id).cloned().unwrap_or_else(|| unknown(id))).collect())
}

fn unknown(request_id: &str) -> Fate {
    Fate { request_id: request_id.to_owned(), stored_at: None, fingerprint: None, rejected: None }
}

fn read(row: &Row) -> Result<Fate, Fault> {
    let rejected = get::<Option<&str>>(row, 1)?.map(Code::of);
    let stored_at = at(row, 2).map(|at| rejected.is_none().then_some(at))?;
    let fingerprint = Some(fingerprint(row, 3)?);
    Ok(Fate { request_id: get(row, 0)?, stored_at, fingerprint, rejected })
}

/// A stored record before a refused one, of those the one that came first.
pub(super) const KNOWN: &str =
    "SELECT DISTINCT ON (request_id) request_id, code, judged_at, fingerprint
    FROM (SELECT request_id, code, judged_at, fingerprint, verdict, seq FROM records
            WHERE store = $1 AND request_id = ANY ($2) AND verdict = 'accepted'
        UNION ALL SELECT request_id, code, judged_at, fingerprint, verdict, seq FROM records
            WHERE store = $1 AND request_id = ANY ($2) AND verdict = 'rejected') AS kept
    ORDER BY request_id, verdict, seq";
