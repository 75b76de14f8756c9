//! Counts and digests of a register's accepted records by hour, and the ids of one hour.

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use tillroll_wire::repair::{Digests, HourDigest, HourIds, IDS, KnownRecord, RecordDigest};
use tokio_postgres::Row;

use super::columns::{all, fingerprint, get, get_u32, run};
use super::fault::Fault;
use crate::job::RegisterNo;
use crate::store::hour_sets::HourSets;

/// Adds to the hours of a register. Its batches come one after the other, so nobody adds meanwhile.
pub(super) async fn add(
    db: &Transaction<'_>,
    register: RegisterNo,
    sets: &HourSets,
) -> Result<(), Fault> {
    if sets.0.is_empty() {
        return Ok(());
    }
    let (store, no) = (register.store.0, register.no);
    let hours: Vec<i64> = sets.0.keys().copied().collect();
    let read = |row: &_| Ok((get(row, 0)?, read_digest(row, 1)?));
    let had = all(db, HAD, &[&store, &no, &hours], read).await?;
    let had: HashMap<i64, RecordDigest> = had.into_iter().collect();
    let digest = |(hour, (_, added)): (&i64, &(i64, RecordDigest))| {
        let mut digest = had.get(hour).copied().unwrap_or_default();
        digest.toggle(*added);
        digest.0.to_be_bytes().to_vec()
    };
    let digests: Vec<Vec<u8>> = sets.0.iter().map(digest).collect();
    let records: Vec<i64> = sets.0.values().map(|(records, _)| *records).collect();
    run(db, PUT, &[&store, &no, &hours, &records, &digests]).await.map(drop)
}

const HAD: &str = "SELECT hour, digest FROM record_hours
    WHERE store = $1 AND register = $2 AND hour = ANY ($3)";
const PUT: &str = "INSERT INTO record_hours AS known (store, register, hour, records, digest)
    SELECT $1, $2, hour, records, digest
    FROM unnest($3::bigint[], $4::bigint[], $5::bytea[]) AS added (hour, records, digest)
    ON CONFLICT (store, register, hour)
        DO UPDATE SET records = known.records + excluded.records, digest = excluded.digest";

fn read_digest(row: &Row, column: usize) -> Result<RecordDigest, Fault> {
    let bytes = <[u8; 16]>::try_from(get::<&[u8]>(row, column)?).map_err(Fault::unreadable)?;
    Ok(RecordDigest(u128::from_be_bytes(bytes)))
}

/// The hours of a register that have records, from the first to before the last.
pub(super) async fn digests(
    db: &impl GenericClient,
    register: RegisterNo,
    from: i64,
    to: i64,
) -> Result<Digests, Fault> {
    let hours = all(db, DIGESTS, &[&register.store.0, &register.no, &from, &to], |row| {
        let count = get::<i64>(row, 1)?.try_into().map_err(Fault::unreadable)?;
        Ok(HourDigest { hour: get(row, 0)?, count, digest: read_digest(row, 2)? })
    })
    .await?;
    Ok(Digests { from, to, hours })
}

pub(super) const DIGESTS: &str = "SELECT hour, records, digest FROM record_hours
    WHERE store = $1 AND register = $2 AND hour >= $3 AND hour < $4 ORDER BY hour";

/// The ids of one hour in the order they came, as many as an answer may have.
pub(super) async fn ids(
    db: &impl GenericClient,
    register: RegisterNo,
    hour: i64,
) -> Result<HourIds, Fault> {
    let most = i64::try_from(IDS).unwrap_or(i64::MAX);
    let records = all(db, IDS_OF, &[&register.store.0, &register.no, &hour, &most], |row| {
        let (request_id, epoch) = (get(row, 0)?, get_u32(row, 2)?);
        Ok(KnownRecord { request_id, fingerprint: fingerprint(row, 1)?, epoch })
    })
    .await?;
    Ok(HourIds { hour, records })
}

pub(super) const IDS_OF: &str = "SELECT request_id, fingerprint, epoch FROM records
    WHERE store = $1 AND register = $2 AND hour = $3 AND verdict = 'accepted'
    ORDER BY seq LIMIT $4";
