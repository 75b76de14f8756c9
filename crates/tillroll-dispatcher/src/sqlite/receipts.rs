//! The books: one row for each receipt a register recorded, written once.

use jiff::civil::Date;
use tillroll_domain::ids::{JobId, JobKind};
use tillroll_sqlite::rusqlite::{Connection, params};

use super::columns::{first, run, word};
use super::fault::Fault;
use super::registers;
use crate::job::RegisterNo;
use crate::store::fact::Sale;

/// Whether a receipt can be booked.
pub(super) enum Place {
    /// Nothing is in its way.
    Free,
    /// The same register recorded the same sale again, perhaps from an older copy of its database: it
    /// stays in the books once.
    SameSale,
    /// Its id or flow number belongs to another receipt; why, for people.
    Taken(String),
}

/// Looks whether id and flow number of a receipt are free.
pub(super) fn place(db: &Connection, from: RegisterNo, sale: &Sale) -> Result<Place, Fault> {
    let params = params![from.store.0, sale.id.to_string()];
    let booked = first(db, BY_JOB, params, |row| {
        let same = row.get::<_, i64>(0)? == from.no
            && word::<Date>(row, 2)? == sale.day
            && row.get::<_, i64>(3)? == sale.takings_minor
            && row.get::<_, String>(4)? == tenders(sale)?;
        Ok((RegisterNo { no: row.get(0)?, ..from }, row.get::<_, i64>(1)?, same))
    })?;
    match booked {
        Some((_, _, true)) => return Ok(Place::SameSale),
        Some((holder, flow_no, false)) => {
            let name = registers::known_name(db, holder)?;
            let detail = format!("id: recorded by register {name} under flow number {flow_no}");
            return Ok(Place::Taken(detail));
        }
        None => {}
    }
    let params = params![from.store.0, from.no, sale.flow_no];
    let holder: Option<String> = first(db, BY_FLOW, params, |row| Ok(row.get(0)?))?;
    Ok(holder.map_or(Place::Free, |id| Place::Taken(format!("flow_no: given to {id} before"))))
}

pub(super) const BY_JOB: &str =
    "SELECT register, flow_no, day, takings_minor, tenders FROM receipts
    WHERE store = ?1 AND job_id = ?2";
pub(super) const BY_FLOW: &str =
    "SELECT job_id FROM receipts WHERE store = ?1 AND register = ?2 AND flow_no = ?3";

/// Books a receipt whose place is free.
pub(super) fn insert(
    db: &Connection,
    from: RegisterNo,
    record: i64,
    sale: &Sale,
) -> Result<(), Fault> {
    let sql = "INSERT INTO receipts (store, register, flow_no, job_id, record, kind, day, z_no,
             takings_minor, tenders)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let params = params![
        from.store.0,
        from.no,
        sale.flow_no,
        sale.id.to_string(),
        record,
        sale.kind().as_str(),
        sale.day.to_string(),
        sale.z_no,
        sale.takings_minor,
        tenders(sale)?,
    ];
    run(db, sql, params).map(drop)
}

fn tenders(sale: &Sale) -> Result<String, Fault> {
    serde_json::to_string(&sale.tenders).map_err(Fault::unreadable)
}

/// A receipt in the books.
pub(super) struct Booked {
    pub(super) flow_no: i64,
    pub(super) kind: JobKind,
    pub(super) day: Date,
}

/// The receipt of a job that this register recorded.
pub(super) fn of_job(
    db: &Connection,
    from: RegisterNo,
    id: &JobId,
) -> Result<Option<Booked>, Fault> {
    first(db, OF_JOB, params![from.store.0, id.to_string(), from.no], |row| {
        Ok(Booked { flow_no: row.get(0)?, kind: word(row, 1)?, day: word(row, 2)? })
    })
}

pub(super) const OF_JOB: &str =
    "SELECT flow_no, kind, day FROM receipts WHERE store = ?1 AND job_id = ?2 AND register = ?3";
