//! Printers and routes as registers announce them. A name belongs to one register of a store.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tillroll_domain::ids::{JobKind, Part};

use super::columns::{all, column, first, get, ms, run, word};
use super::fault::Fault;
use super::registers;
use crate::job::{RegisterNo, StoreNo};

/// Stores everything a register has; what it no longer names is released. Gives back the names that
/// belong to another register. An announcement that changes nothing writes nothing.
pub(super) async fn announce(
    db: &Transaction<'_>,
    register: RegisterNo,
    printers: &[Part],
    routes: &[(JobKind, Part)],
    now: Timestamp,
) -> Result<Vec<Part>, Fault> {
    registers::known_name(db, register).await?;
    release(db, register, printers).await?;
    set_routes(db, register, routes).await?;
    claim(db, register, printers, now).await
}

/// A register's names go in their order: two announcements of one register do not wait in a ring.
async fn release(db: &Transaction<'_>, register: RegisterNo, keep: &[Part]) -> Result<(), Fault> {
    let sql =
        "DELETE FROM printers WHERE store = $1 AND register = $2 AND name <> ALL ($3::text[])";
    let keep = column(keep, |name| name.as_str());
    run(db, sql, &[&register.store.0, &register.no, &keep]).await.map(drop)
}

/// Claims names; gives back those that are another register's.
async fn claim(
    db: &Transaction<'_>,
    register: RegisterNo,
    names: &[Part],
    now: Timestamp,
) -> Result<Vec<Part>, Fault> {
    let asked = column(names, |name| name.as_str());
    let (store, no) = (register.store.0, register.no);
    run(db, CLAIM, &[&store, &asked, &no, &ms(now)]).await?;
    let own: Vec<Part> = all(db, OWN, &[&store, &no], |row| word(row, 0)).await?;
    Ok(names.iter().filter(|name| !own.contains(name)).cloned().collect())
}

const CLAIM: &str = "INSERT INTO printers (store, name, register, announced_at)
    SELECT DISTINCT $1::bigint, name, $3::bigint, $4::bigint FROM unnest($2::text[]) AS asked (name)
    ORDER BY name ON CONFLICT (store, name) DO NOTHING";
const OWN: &str = "SELECT name FROM printers WHERE store = $1 AND register = $2";

async fn set_routes(
    db: &Transaction<'_>,
    register: RegisterNo,
    routes: &[(JobKind, Part)],
) -> Result<(), Fault> {
    let routed = |kind| routes.iter().find(|(routed, _)| *routed == kind);
    let routes: Vec<_> = JobKind::ALL.into_iter().filter_map(routed).collect();
    let kinds = column(&routes, |(kind, _)| kind.as_str());
    let printers = column(&routes, |(_, printer)| printer.as_str());
    let (store, no) = (register.store.0, register.no);
    run(db, DROP_ROUTES, &[&store, &no, &kinds]).await?;
    run(db, PUT_ROUTES, &[&store, &no, &kinds, &printers]).await.map(drop)
}

const DROP_ROUTES: &str =
    "DELETE FROM routes WHERE store = $1 AND register = $2 AND kind <> ALL ($3::text[])";
const PUT_ROUTES: &str = "INSERT INTO routes (store, kind, register, printer)
    SELECT $1::bigint, kind, $2::bigint, printer
    FROM unnest($3::text[], $4::text[]) AS announced (kind, printer)
    ON CONFLICT (store, kind, register) DO UPDATE SET printer = excluded.printer
        WHERE routes.printer <> excluded.printer";

/// Frees the names of a register that is gone.
pub(super) async fn forget(db: &Transaction<'_>, register: RegisterNo) -> Result<(), Fault> {
    release(db, register, &[]).await?;
    set_routes(db, register, &[]).await
}

/// The register that has a printer.
pub(super) async fn owner(
    db: &impl GenericClient,
    store: StoreNo,
    printer: &Part,
) -> Result<Option<RegisterNo>, Fault> {
    let sql = "SELECT register FROM printers WHERE store = $1 AND name = $2";
    let register = |row: &_| Ok(RegisterNo { store, no: get(row, 0)? });
    first(db, sql, &[&store.0, &printer.as_str()], register).await
}

/// The printer of a kind: of the lowest register that routes it to a printer of its own.
pub(super) async fn route(
    db: &impl GenericClient,
    store: StoreNo,
    kind: JobKind,
) -> Result<Option<Part>, Fault> {
    first(db, ROUTE, &[&store.0, &kind.as_str()], |row| word(row, 0)).await
}

const ROUTE: &str = "SELECT r.printer FROM routes r JOIN printers p
        ON p.store = r.store AND p.name = r.printer AND p.register = r.register
    WHERE r.store = $1 AND r.kind = $2 ORDER BY r.register LIMIT 1";
