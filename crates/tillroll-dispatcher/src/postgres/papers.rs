//! What became of receipts on paper: the newest word of the register counts.

use std::collections::HashMap;

use deadpool_postgres::Transaction;
use jiff::civil::Date;
use tillroll_domain::print_job::{Confirmation, JobState};
use tillroll_wire::record::Record;
use tokio_postgres::Row;

use super::columns::{all, column, get, get_u32, optional_word, run, word};
use super::fault::Fault;
use super::receipts::{Booked, Books};
use crate::job::RegisterNo;
use crate::store::fact::{self, Paper};

/// The newest word about a paper.
#[derive(Clone, Copy)]
struct Word {
    /// Epoch and row version: the order of words.
    version: (u32, i64),
    state: JobState,
    confirmation: Option<Confirmation>,
    is_new: bool,
}

impl Word {
    fn is_on_paper(&self) -> bool {
        fact::is_on_paper(self.state, self.confirmation)
    }
}

/// The words about a register's papers, by flow number, as far as a batch meets them.
pub(super) struct Papers {
    register: RegisterNo,
    words: HashMap<i64, Word>,
}

impl Papers {
    /// Reads the words about flow numbers.
    pub(super) async fn load(
        db: &Transaction<'_>,
        register: RegisterNo,
        flows: &[i64],
    ) -> Result<Self, Fault> {
        let words = all(db, LOAD, &[&register.store.0, &register.no, &flows], read).await?;
        Ok(Self { register, words: words.into_iter().collect() })
    }

    /// Whether the paper of a flow number is known to be on paper.
    pub(super) fn is_on_paper(&self, flow_no: i64) -> bool {
        self.words.get(&flow_no).is_some_and(Word::is_on_paper)
    }

    /// Takes a word about a paper. The day whose count of printed receipts turns by it, and by how much.
    ///
    /// A copy says nothing of its receipt, and an older word nothing new.
    pub(super) fn take(
        &mut self,
        books: &Books,
        record: &Record,
        paper: &Paper,
    ) -> Option<(Date, i64)> {
        let booked = books.of_job(&paper.id);
        let flow_no = booked.map(|booked| booked.flow_no).or(record.flow_no);
        let flow_no = flow_no.filter(|_| paper.id.copy.is_none())?;
        let version = (record.epoch, paper.row_version);
        if self.words.get(&flow_no).is_some_and(|known| known.version >= version) {
            return None;
        }
        let was = self.is_on_paper(flow_no);
        let (state, confirmation) = (paper.state, paper.confirmation);
        self.words.insert(flow_no, Word { version, state, confirmation, is_new: true });
        turned(booked?, was, paper.is_on_paper())
    }

    /// Writes the words that are new.
    pub(super) async fn write(&self, db: &Transaction<'_>) -> Result<(), Fault> {
        let rows: Vec<_> = self.words.iter().filter(|(_, word)| word.is_new).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let params = [
            &self.register.store.0 as _,
            &self.register.no as _,
            &column(&rows, |(flow_no, _)| **flow_no) as _,
            &column(&rows, |(_, word)| i64::from(word.version.0)) as _,
            &column(&rows, |(_, word)| word.version.1) as _,
            &column(&rows, |(_, word)| word.state.as_str()) as _,
            &column(&rows, |(_, word)| word.confirmation.map(Confirmation::as_str)) as _,
        ];
        run(db, PUT, &params).await.map(drop)
    }
}

fn turned(booked: &Booked, was: bool, is: bool) -> Option<(Date, i64)> {
    let counts = booked.kind.moves_money() && was != is;
    counts.then_some((booked.day, i64::from(is) - i64::from(was)))
}

fn read(row: &Row) -> Result<(i64, Word), Fault> {
    let version = (get_u32(row, 1)?, get(row, 2)?);
    let (state, confirmation) = (word(row, 3)?, optional_word(row, 4)?);
    Ok((get(row, 0)?, Word { version, state, confirmation, is_new: false }))
}

pub(super) const LOAD: &str = "SELECT flow_no, epoch, row_version, state, confirmation FROM papers
    WHERE store = $1 AND register = $2 AND flow_no = ANY ($3)";
const PUT: &str =
    "INSERT INTO papers (store, register, flow_no, epoch, row_version, state, confirmation)
    SELECT $1, $2, flow_no, epoch, row_version, state, confirmation
    FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])
        AS told (flow_no, epoch, row_version, state, confirmation)
    ON CONFLICT (store, register, flow_no) DO UPDATE SET epoch = excluded.epoch,
        row_version = excluded.row_version, state = excluded.state,
        confirmation = excluded.confirmation";
