//! What became of receipts on paper: the newest word of the register counts.

use jiff::civil::Date;
use tillroll_domain::print_job::{Confirmation, JobState};
use tillroll_sqlite::rusqlite::{Connection, params};
use tillroll_wire::record::Record;

use super::columns::{first, optional_word, run, word};
use super::fault::Fault;
use super::receipts::{self, Booked};
use crate::job::RegisterNo;
use crate::store::fact::{self, Paper};

/// Takes a word about a paper. The day whose count of printed receipts turns by it, and by how much.
///
/// A copy says nothing of its receipt, and an older word nothing new.
pub(super) fn take(
    db: &Connection,
    from: RegisterNo,
    record: &Record,
    paper: &Paper,
) -> Result<Option<(Date, i64)>, Fault> {
    let booked = receipts::of_job(db, from, &paper.id)?;
    let flow_no = booked.as_ref().map(|booked| booked.flow_no).or(record.flow_no);
    let Some(flow_no) = flow_no.filter(|_| paper.id.copy.is_none()) else { return Ok(None) };
    let before = find(db, from, flow_no)?;
    let version = (record.epoch, paper.row_version);
    if before.as_ref().is_some_and(|known| known.version >= version) {
        return Ok(None);
    }
    put(db, from, flow_no, version, paper)?;
    let was = before.is_some_and(|known| known.on_paper);
    Ok(booked.and_then(|booked| turned(&booked, was, paper.is_on_paper())))
}

fn turned(booked: &Booked, was: bool, is: bool) -> Option<(Date, i64)> {
    let counts = booked.kind.moves_money() && was != is;
    counts.then_some((booked.day, i64::from(is) - i64::from(was)))
}

/// Whether the paper of a flow number is known to be on paper.
pub(super) fn is_on_paper(
    db: &Connection,
    register: RegisterNo,
    flow_no: i64,
) -> Result<bool, Fault> {
    Ok(find(db, register, flow_no)?.is_some_and(|known| known.on_paper))
}

struct Known {
    /// Epoch and row version: the order of words.
    version: (u32, i64),
    on_paper: bool,
}

fn find(db: &Connection, register: RegisterNo, flow_no: i64) -> Result<Option<Known>, Fault> {
    first(db, FIND, params![register.store.0, register.no, flow_no], |row| {
        let state: JobState = word(row, 2)?;
        let confirmation: Option<Confirmation> = optional_word(row, 3)?;
        let on_paper = fact::is_on_paper(state, confirmation);
        Ok(Known { version: (row.get(0)?, row.get(1)?), on_paper })
    })
}

pub(super) const FIND: &str = "SELECT epoch, row_version, state, confirmation FROM papers
    WHERE store = ?1 AND register = ?2 AND flow_no = ?3";

fn put(
    db: &Connection,
    register: RegisterNo,
    flow_no: i64,
    (epoch, row_version): (u32, i64),
    paper: &Paper,
) -> Result<(), Fault> {
    let sql =
        "INSERT INTO papers (store, register, flow_no, epoch, row_version, state, confirmation)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (store, register, flow_no)
         DO UPDATE SET epoch = ?4, row_version = ?5, state = ?6, confirmation = ?7";
    let (state, confirmation) =
        (paper.state.as_str(), paper.confirmation.map(Confirmation::as_str));
    let params =
        params![register.store.0, register.no, flow_no, epoch, row_version, state, confirmation];
    run(db, sql, params).map(drop)
}
