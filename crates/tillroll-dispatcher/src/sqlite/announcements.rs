//! Printers and routes as registers announce them. A name belongs to one register of a store.

use jiff::Timestamp;
use tillroll_domain::ids::{JobKind, Part};
use tillroll_sqlite::rusqlite::{Connection, params};

use super::columns::{all, first, ms, run, word};
use super::fault::Fault;
use super::registers;
use crate::job::{RegisterNo, StoreNo};

/// Stores everything a register has; what it no longer names is released. Gives back the names that
/// belong to another register. An announcement that changes nothing writes nothing.
pub(super) fn announce(
    db: &Connection,
    register: RegisterNo,
    printers: &[Part],
    routes: &[(JobKind, Part)],
    now: Timestamp,
) -> Result<Vec<Part>, Fault> {
    registers::known_name(db, register)?;
    release(db, register, printers)?;
    set_routes(db, register, routes)?;
    let mut taken = Vec::new();
    for name in printers {
        if !claim(db, register, name, now)? {
            taken.push(name.clone());
        }
    }
    Ok(taken)
}

fn release(db: &Connection, register: RegisterNo, keep: &[Part]) -> Result<(), Fault> {
    let (store, no) = (register.store.0, register.no);
    let had: Vec<Part> = all(db, OF_REGISTER, params![store, no], |row| word(row, 0))?;
    for name in had.iter().filter(|name| !keep.contains(name)) {
        let sql = "DELETE FROM printers WHERE store = ?1 AND name = ?2";
        run(db, sql, params![store, name.as_str()])?;
    }
    Ok(())
}

pub(super) const OF_REGISTER: &str = "SELECT name FROM printers WHERE store = ?1 AND register = ?2";

/// Claims a name; false when it is another register's.
fn claim(
    db: &Connection,
    register: RegisterNo,
    name: &Part,
    now: Timestamp,
) -> Result<bool, Fault> {
    let sql = "INSERT INTO printers (store, name, register, announced_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (store, name) DO NOTHING";
    run(db, sql, params![register.store.0, name.as_str(), register.no, ms(now)])?;
    Ok(owner(db, register.store, name)? == Some(register))
}

fn set_routes(
    db: &Connection,
    register: RegisterNo,
    routes: &[(JobKind, Part)],
) -> Result<(), Fault> {
    let (store, no) = (register.store.0, register.no);
    for kind in JobKind::ALL {
        let kind_word = kind.as_str();
        match routes.iter().find(|(routed, _)| *routed == kind) {
            None => {
                let sql = "DELETE FROM routes WHERE store = ?1 AND kind = ?2 AND register = ?3";
                run(db, sql, params![store, kind_word, no])?;
            }
            Some((_, printer)) => {
                let sql = "INSERT INTO routes (store, kind, register, printer) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (store, kind, register) DO UPDATE SET printer = ?4 WHERE printer <> ?4";
                run(db, sql, params![store, kind_word, no, printer.as_str()])?;
            }
        }
    }
    Ok(())
}

/// Frees the names of a register that is gone.
pub(super) fn forget(db: &Connection, register: RegisterNo) -> Result<(), Fault> {
    release(db, register, &[])?;
    set_routes(db, register, &[])
}

/// The register that has a printer.
pub(super) fn owner(
    db: &Connection,
    store: StoreNo,
    printer: &Part,
) -> Result<Option<RegisterNo>, Fault> {
    first(db, OWNER, params![store.0, printer.as_str()], |row| {
        Ok(RegisterNo { store, no: row.get(0)? })
    })
}

pub(super) const OWNER: &str = "SELECT register FROM printers WHERE store = ?1 AND name = ?2";

/// The printer of a kind: of the lowest register that routes it to a printer of its own.
pub(super) fn route(db: &Connection, store: StoreNo, kind: JobKind) -> Result<Option<Part>, Fault> {
    first(db, ROUTE, params![store.0, kind.as_str()], |row| word(row, 0))
}

pub(super) const ROUTE: &str = "SELECT r.printer FROM routes r CROSS JOIN printers p
        ON p.store = r.store AND p.name = r.printer AND p.register = r.register
    WHERE r.store = ?1 AND r.kind = ?2 ORDER BY r.register LIMIT 1";
