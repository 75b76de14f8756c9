//! Registers: pairing codes, credentials, and what their clocks and numbers were last.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use super::columns::{all, at, first, ms, optional_at, run, run_on_one, word};
use super::fault::Fault;
use super::{announcements, tenants};
use crate::job::{RegisterNo, StoreNo};
use crate::store::{
    ClockDrift, Credential, HighWater, NewPairing, Pairing, PairingOutcome, Register, TokenHash,
};

const NO_REGISTER: &str = "there is no such register";

/// Makes a register with a pairing code, or gives a new code to one that is there: an older code ends.
pub(super) fn new_pairing(db: &Connection, new: &NewPairing) -> Result<Register, Fault> {
    let params = params![new.store.0, new.register.as_str(), new.code.0, ms(new.until)];
    let register = first(db, NEW_PAIRING, params, read)?;
    register.ok_or(Fault::Refused(NO_REGISTER))
}

const NEW_PAIRING: &str = "INSERT INTO registers (store, register, name, code, code_until)
    VALUES (?1, (SELECT coalesce(max(register), 0) + 1 FROM registers WHERE store = ?1), ?2, ?3, ?4)
    ON CONFLICT (store, name) DO UPDATE SET code = ?3, code_until = ?4
    RETURNING store, register, name, installation, paired_at, revoked_at";

/// Reads number, name, installation, pairing and revocation.
fn read(row: &Row<'_>) -> Result<Register, Fault> {
    Ok(Register {
        no: RegisterNo { store: StoreNo(row.get(0)?), no: row.get(1)? },
        name: word(row, 2)?,
        installation: row.get(3)?,
        paired_at: optional_at(row, 4)?,
        revoked_at: optional_at(row, 5)?,
    })
}

/// Uses a pairing code. A register that says another store or name does not use it up.
pub(super) fn pair(db: &Connection, pairing: &Pairing) -> Result<PairingOutcome, Fault> {
    let Some(register) = first(db, BY_CODE, params![pairing.code.0, ms(pairing.now)], read)? else {
        return Ok(PairingOutcome::Refused);
    };
    let store = tenants::store(db, register.no.store)?;
    if store.code != pairing.store || register.name != pairing.register {
        return Ok(PairingOutcome::Refused);
    }
    let no = register.no;
    let params =
        params![no.store.0, no.no, pairing.installation, pairing.credential.0, ms(pairing.now)];
    let register = first(db, PAIR, params, read)?.ok_or(Fault::Refused(NO_REGISTER))?;
    Ok(PairingOutcome::Paired(store, register))
}

pub(super) const BY_CODE: &str =
    "SELECT store, register, name, installation, paired_at, revoked_at FROM registers
     WHERE code = ?1 AND code_until > ?2";
const PAIR: &str = "UPDATE registers SET installation = ?3, credential = ?4, paired_at = ?5,
         revoked_at = NULL, code = NULL, code_until = NULL
     WHERE store = ?1 AND register = ?2
     RETURNING store, register, name, installation, paired_at, revoked_at";

/// The register of a credential.
pub(super) fn of_credential(
    db: &Connection,
    credential: TokenHash,
) -> Result<Option<Credential>, Fault> {
    let Some(register) = first(db, BY_CREDENTIAL, params![credential.0], read)? else {
        return Ok(None);
    };
    let store = tenants::store(db, register.no.store)?;
    let shares_orders = tenants::shares_orders(db, register.no.store)?;
    Ok(Some(Credential { store, register, shares_orders }))
}

pub(super) const BY_CREDENTIAL: &str =
    "SELECT store, register, name, installation, paired_at, revoked_at FROM registers
     WHERE credential = ?1";

/// Every register of a store.
pub(super) fn list(db: &Connection, store: StoreNo) -> Result<Vec<Register>, Fault> {
    let sql = "SELECT store, register, name, installation, paired_at, revoked_at FROM registers
         WHERE store = ?1 ORDER BY register";
    all(db, sql, [store.0], read)
}

/// The name of a register.
pub(super) fn name(db: &Connection, register: RegisterNo) -> Result<Option<String>, Fault> {
    let sql = "SELECT name FROM registers WHERE store = ?1 AND register = ?2";
    first(db, sql, params![register.store.0, register.no], |row| Ok(row.get(0)?))
}

/// The name of a register that must be there.
pub(super) fn known_name(db: &Connection, register: RegisterNo) -> Result<String, Fault> {
    name(db, register)?.ok_or(Fault::Refused(NO_REGISTER))
}

/// Ends a credential and an unused code, and frees the names of the register's printers.
pub(super) fn revoke(db: &Connection, register: RegisterNo, now: Timestamp) -> Result<(), Fault> {
    let sql = "UPDATE registers SET credential = NULL, code = NULL, code_until = NULL,
             revoked_at = coalesce(revoked_at, ?3) WHERE store = ?1 AND register = ?2";
    run_on_one(db, sql, params![register.store.0, register.no, ms(now)], NO_REGISTER)?;
    announcements::forget(db, register)
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
pub(super) fn note(db: &Connection, register: RegisterNo, seen: &Seen) -> Result<(), Fault> {
    let (epoch, flow_no) = seen.high.unzip();
    let sql = "UPDATE registers SET drift_ms = ?3, drift_at = ?4,
             high_epoch = nullif(max(coalesce(high_epoch, -1), coalesce(?5, -1)), -1),
             high_flow_no = nullif(max(coalesce(high_flow_no, -1), coalesce(?6, -1)), -1)
         WHERE store = ?1 AND register = ?2";
    let (store, no) = (register.store.0, register.no);
    run(db, sql, params![store, no, seen.drift_ms, ms(seen.at), epoch, flow_no]).map(drop)
}

/// Notes how far a register's clock is ahead.
pub(super) fn note_drift(db: &Connection, drift: &ClockDrift) -> Result<(), Fault> {
    let sql =
        "UPDATE registers SET drift_ms = ?3, drift_at = ?4 WHERE store = ?1 AND register = ?2";
    let RegisterNo { store, no } = drift.register;
    run_on_one(db, sql, params![store.0, no, drift.drift_ms, ms(drift.measured_at)], NO_REGISTER)
}

/// The drift of every register whose clock was compared.
pub(super) fn drifts(db: &Connection, store: StoreNo) -> Result<Vec<ClockDrift>, Fault> {
    let sql = "SELECT register, drift_ms, drift_at FROM registers
         WHERE store = ?1 AND drift_ms IS NOT NULL AND drift_at IS NOT NULL ORDER BY register";
    all(db, sql, [store.0], |row| {
        let register = RegisterNo { store, no: row.get(0)? };
        Ok(ClockDrift { register, drift_ms: row.get(1)?, measured_at: at(row, 2)? })
    })
}

/// The highest numbers known of a register.
pub(super) fn high_water(
    db: &Connection,
    register: RegisterNo,
) -> Result<Option<HighWater>, Fault> {
    first(db, HIGH_WATER, params![register.store.0, register.no], |row| {
        Ok(HighWater { epoch: row.get(0)?, flow_no: row.get(1)?, z_no: row.get(2)? })
    })
}

/// Flow and Z numbers grow together.
const HIGH_WATER: &str = "SELECT high_epoch, high_flow_no,
         coalesce((SELECT z_no FROM receipts WHERE store = ?1 AND register = ?2
             ORDER BY flow_no DESC LIMIT 1), 0)
     FROM registers WHERE store = ?1 AND register = ?2 AND high_epoch IS NOT NULL";
