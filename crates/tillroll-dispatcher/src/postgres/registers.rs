//! Registers: pairing codes, credentials, and what their clocks and numbers were last.

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use super::columns::{all, at, first, get, get_u32, ms, optional_at, run, run_on_one, word};
use super::fault::Fault;
use super::{announcements, leases, numbers, tenants};
use crate::job::{RegisterNo, StoreNo};
use crate::store::{
    ClockDrift, Credential, HighWater, NewPairing, Pairing, PairingOutcome, Register, TokenHash,
};

const NO_REGISTER: &str = "there is no such register";

/// What [`read`] reads, in its order.
macro_rules! columns {
    () => {
        "r.store, r.register, r.name, r.installation, r.paired_at, r.revoked_at"
    };
}

/// Reads number, name, installation, pairing and revocation.
fn read(row: &Row) -> Result<Register, Fault> {
    read_from(row, 0)
}

fn read_from(row: &Row, first: usize) -> Result<Register, Fault> {
    Ok(Register {
        no: RegisterNo { store: StoreNo(get(row, first)?), no: get(row, first + 1)? },
        name: word(row, first + 2)?,
        installation: get(row, first + 3)?,
        paired_at: optional_at(row, first + 4)?,
        revoked_at: optional_at(row, first + 5)?,
    })
}

/// Makes a register with a pairing code, or gives a new code to one that is there: an older code ends.
pub(super) async fn new_pairing(db: &Transaction<'_>, new: &NewPairing) -> Result<Register, Fault> {
    let name = new.register.as_str();
    let register = match first(db, BY_NAME, &[&new.store.0, &name], read).await? {
        Some(register) => register,
        None => add(db, new.store, name).await?,
    };
    let (no, hash, until) = (register.no, &new.code.0[..], ms(new.until));
    run(db, SET_CODE, &[&hash, &no.store.0, &no.no, &until]).await?;
    Ok(register)
}

/// Two nodes that make the same register meet at the store's numbers: the later one finds it made.
async fn add(db: &Transaction<'_>, store: StoreNo, name: &str) -> Result<Register, Fault> {
    let no = numbers::next_register(db, store).await?;
    let register = first(db, ADD, &[&store.0, &no, &name], read).await?;
    register.ok_or(Fault::Refused(NO_REGISTER))
}

const BY_NAME: &str =
    concat!("SELECT ", columns!(), " FROM registers r WHERE store = $1 AND name = $2");
const ADD: &str = concat!(
    "INSERT INTO registers AS r (store, register, name) VALUES ($1, $2, $3)
     ON CONFLICT (store, name) DO UPDATE SET name = excluded.name RETURNING ",
    columns!()
);
const SET_CODE: &str = "INSERT INTO register_codes (hash, store, register, code_until)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (store, register) DO UPDATE SET hash = excluded.hash, code_until = excluded.code_until";

/// Uses a pairing code. A register that says another store or name does not use it up.
pub(super) async fn pair(db: &Transaction<'_>, pairing: &Pairing) -> Result<PairingOutcome, Fault> {
    let code = &pairing.code.0[..];
    let Some(no) = first(db, BY_CODE, &[&code, &ms(pairing.now)], no).await? else {
        return Ok(PairingOutcome::Refused);
    };
    let store = tenants::store(db, no.store).await?;
    if store.code != pairing.store || known_name(db, no).await? != pairing.register.as_str() {
        return Ok(PairingOutcome::Refused);
    }
    run(db, "DELETE FROM register_codes WHERE hash = $1", &[&code]).await?;
    let credential = &pairing.credential.0[..];
    run(db, SET_CREDENTIAL, &[&credential, &no.store.0, &no.no]).await?;
    leases::end(db, no).await?;
    let params = [&no.store.0 as _, &no.no as _, &pairing.installation as _, &ms(pairing.now) as _];
    let register = first(db, PAIR, &params, read).await?.ok_or(Fault::Refused(NO_REGISTER))?;
    Ok(PairingOutcome::Paired(store, register))
}

fn no(row: &Row) -> Result<RegisterNo, Fault> {
    Ok(RegisterNo { store: StoreNo(get(row, 0)?), no: get(row, 1)? })
}

/// Locked: of two that use one code, the second finds it gone.
const BY_CODE: &str = "SELECT store, register FROM register_codes
    WHERE hash = $1 AND code_until > $2 FOR UPDATE";
const SET_CREDENTIAL: &str = "INSERT INTO register_credentials (hash, store, register)
    VALUES ($1, $2, $3) ON CONFLICT (store, register) DO UPDATE SET hash = excluded.hash";
const PAIR: &str = concat!(
    "UPDATE registers r SET installation = $3, paired_at = $4, revoked_at = NULL
     WHERE store = $1 AND register = $2 RETURNING ",
    columns!()
);

/// The register of a credential, with its store.
pub(super) async fn of_credential(
    db: &impl GenericClient,
    credential: TokenHash,
) -> Result<Option<Credential>, Fault> {
    first(db, BY_CREDENTIAL, &[&&credential.0[..]], |row| {
        Ok(Credential {
            store: tenants::read_store(row)?,
            shares_orders: get(row, 6)?,
            register: read_from(row, 7)?,
        })
    })
    .await
}

pub(super) const BY_CREDENTIAL: &str = concat!(
    "SELECT s.store, s.tenant, s.uid, s.code, s.name, s.created_at, s.shares_orders, ",
    columns!(),
    " FROM register_credentials c
         JOIN registers r ON r.store = c.store AND r.register = c.register
         JOIN stores s ON s.store = c.store
     WHERE c.hash = $1"
);

/// Every register of a store.
pub(super) async fn list(db: &impl GenericClient, store: StoreNo) -> Result<Vec<Register>, Fault> {
    all(db, LIST, &[&store.0], read).await
}

const LIST: &str =
    concat!("SELECT ", columns!(), " FROM registers r WHERE store = $1 ORDER BY register");

/// The name of a register that must be there.
pub(super) async fn known_name(
    db: &impl GenericClient,
    register: RegisterNo,
) -> Result<String, Fault> {
    let sql = "SELECT name FROM registers WHERE store = $1 AND register = $2";
    let name = first(db, sql, &[&register.store.0, &register.no], |row| get(row, 0)).await?;
    name.ok_or(Fault::Refused(NO_REGISTER))
}

/// The names of a store's registers, by number.
pub(super) async fn names(
    db: &impl GenericClient,
    store: StoreNo,
) -> Result<HashMap<i64, String>, Fault> {
    let sql = "SELECT register, name FROM registers WHERE store = $1";
    let names = all(db, sql, &[&store.0], |row| Ok((get(row, 0)?, get(row, 1)?))).await?;
    Ok(names.into_iter().collect())
}

/// Ends a credential and an unused code, and frees the names of the register's printers.
pub(super) async fn revoke(
    db: &Transaction<'_>,
    register: RegisterNo,
    now: Timestamp,
) -> Result<(), Fault> {
    let (store, no) = (register.store.0, register.no);
    for sql in [
        "DELETE FROM register_codes WHERE store = $1 AND register = $2",
        "DELETE FROM register_credentials WHERE store = $1 AND register = $2",
    ] {
        run(db, sql, &[&store, &no]).await?;
    }
    let sql = "UPDATE registers SET revoked_at = coalesce(revoked_at, $3)
         WHERE store = $1 AND register = $2";
    run_on_one(db, sql, &[&store, &no, &ms(now)], NO_REGISTER).await?;
    leases::end(db, register).await?;
    announcements::forget(db, register).await
}

/// What a batch told of its register beside the records.
pub(super) struct Seen {
    /// How far the register's wall clock is ahead of the dispatcher's.
    pub drift_ms: i64,
    /// When that was measured.
    pub at: Timestamp,
    /// The highest epoch and flow number in the batch.
    pub high: Option<(u32, i64)>,
}

/// Notes what a batch told; numbers never go down.
pub(super) async fn note(
    db: &Transaction<'_>,
    register: RegisterNo,
    seen: &Seen,
) -> Result<(), Fault> {
    let (epoch, flow_no) = seen.high.map(|(epoch, flow_no)| (i64::from(epoch), flow_no)).unzip();
    // greatest() passes over NULL.
    let sql = "UPDATE registers SET drift_ms = $3, drift_at = $4,
             high_epoch = greatest(high_epoch, $5), high_flow_no = greatest(high_flow_no, $6)
         WHERE store = $1 AND register = $2";
    let (store, no) = (register.store.0, register.no);
    run(db, sql, &[&store, &no, &seen.drift_ms, &ms(seen.at), &epoch, &flow_no]).await.map(drop)
}

/// Notes how far a register's clock is ahead.
pub(super) async fn note_drift(db: &impl GenericClient, drift: &ClockDrift) -> Result<(), Fault> {
    let sql =
        "UPDATE registers SET drift_ms = $3, drift_at = $4 WHERE store = $1 AND register = $2";
    let RegisterNo { store, no } = drift.register;
    let measured_at = ms(drift.measured_at);
    run_on_one(db, sql, &[&store.0, &no, &drift.drift_ms, &measured_at], NO_REGISTER).await
}

/// The drift of every register whose clock was compared.
pub(super) async fn drifts(
    db: &impl GenericClient,
    store: StoreNo,
) -> Result<Vec<ClockDrift>, Fault> {
    let sql = "SELECT register, drift_ms, drift_at FROM registers
         WHERE store = $1 AND drift_ms IS NOT NULL AND drift_at IS NOT NULL ORDER BY register";
    all(db, sql, &[&store.0], |row| {
        let register = RegisterNo { store, no: get(row, 0)? };
        Ok(ClockDrift { register, drift_ms: get(row, 1)?, measured_at: at(row, 2)? })
    })
    .await
}

/// The highest numbers known of a register.
pub(super) async fn high_water(
    db: &impl GenericClient,
    register: RegisterNo,
) -> Result<Option<HighWater>, Fault> {
    first(db, HIGH_WATER, &[&register.store.0, &register.no], |row| {
        Ok(HighWater { epoch: get_u32(row, 0)?, flow_no: get(row, 1)?, z_no: get(row, 2)? })
    })
    .await
}

/// Flow and Z numbers grow together.
pub(super) const HIGH_WATER: &str = "SELECT high_epoch, high_flow_no,
         coalesce((SELECT z_no FROM receipts WHERE store = $1 AND register = $2
             ORDER BY flow_no DESC LIMIT 1), 0)
     FROM registers WHERE store = $1 AND register = $2 AND high_epoch IS NOT NULL";
