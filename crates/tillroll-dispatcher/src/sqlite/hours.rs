//! Counts and digests of a register's accepted records by hour, and the ids of one hour.

use tillroll_sqlite::rusqlite::{Connection, Row, params};
use tillroll_wire::repair::{Digests, HourDigest, HourIds, IDS, KnownRecord, RecordDigest};

use super::columns::{all, fingerprint, first, run};
use super::fault::Fault;
use crate::job::RegisterNo;
use crate::store::hour_sets::HourSets;

/// Adds to the hours of a register.
pub(super) fn add(db: &Connection, register: RegisterNo, sets: &HourSets) -> Result<(), Fault> {
    let (store, no) = (register.store.0, register.no);
    for (hour, (records, digest)) in &sets.0 {
        let mut digest = *digest;
        let had = first(db, OF_HOUR, params![store, no, hour], |row| read_digest(row, 0))?;
        digest.toggle(had.unwrap_or_default());
        run(db, PUT, params![store, no, hour, records, digest.0.to_be_bytes()])?;
    }
    Ok(())
}

pub(super) const OF_HOUR: &str =
    "SELECT digest FROM record_hours WHERE store = ?1 AND register = ?2 AND hour = ?3";
const PUT: &str = "INSERT INTO record_hours (store, register, hour, records, digest)
    VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (store, register, hour) DO UPDATE SET records = records + ?4, digest = ?5";

fn read_digest(row: &Row<'_>, column: usize) -> Result<RecordDigest, Fault> {
    let bytes: [u8; 16] = row.get(column)?;
    Ok(RecordDigest(u128::from_be_bytes(bytes)))
}

/// The hours of a register that have records, from the first to before the last.
pub(super) fn digests(
    db: &Connection,
    register: RegisterNo,
    from: i64,
    to: i64,
) -> Result<Digests, Fault> {
    let hours = all(db, DIGESTS, params![register.store.0, register.no, from, to], |row| {
        let count = row.get::<_, i64>(1)?.try_into().map_err(Fault::unreadable)?;
        Ok(HourDigest { hour: row.get(0)?, count, digest: read_digest(row, 2)? })
    })?;
    Ok(Digests { from, to, hours })
}

pub(super) const DIGESTS: &str = "SELECT hour, records, digest FROM record_hours
    WHERE store = ?1 AND register = ?2 AND hour >= ?3 AND hour < ?4 ORDER BY hour";

/// The ids of one hour in the order they came, as many as an answer may have.
pub(super) fn ids(db: &Connection, register: RegisterNo, hour: i64) -> Result<HourIds, Fault> {
    let most = i64::try_from(IDS).unwrap_or(i64::MAX);
    let records = all(db, IDS_OF, params![register.store.0, register.no, hour, most], |row| {
        let (request_id, epoch) = (row.get(0)?, row.get(2)?);
        Ok(KnownRecord { request_id, fingerprint: fingerprint(row, 1)?, epoch })
    })?;
    Ok(HourIds { hour, records })
}

pub(super) const IDS_OF: &str = "SELECT request_id, fingerprint, epoch
    FROM records INDEXED BY records_by_hour
    WHERE store = ?1 AND register = ?2 AND hour = ?3 AND verdict = 'accepted' ORDER BY seq LIMIT ?4";
