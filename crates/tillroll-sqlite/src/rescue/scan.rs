//! Reading a table whose pages may be bad: row after row by row id, over the gaps.
//!
//! Where a row cannot be read, the next readable row id is searched with growing steps and then
//! narrowed down by halving, so that one bad page costs the rows on it and no more.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, ffi};

use super::table::quoted;
use crate::error::failure;

/// Rows read ahead at a time.
const ROWS_AHEAD: usize = 256;

/// One step of a scan.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// A row that could be read.
    Row(Vec<Value>),
    /// Row ids that could not; at most so many rows.
    Gap(u64),
}

/// A table being read.
pub(super) struct Scan<'a> {
    damaged: &'a Connection,
    rows_after: String,
    first_after: String,
    columns: usize,
    by_rowid: bool,
    highest: i64,
    ahead: std::vec::IntoIter<Step>,
    after: i64,
    ended: bool,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        damaged: &'a Connection,
        table: &str,
        columns: &[String],
        by_rowid: bool,
        highest: i64,
    ) -> Self {
        let list = columns.iter().map(|column| quoted(column)).collect::<Vec<_>>().join(", ");
        let table = quoted(table);
        let ordered = format!(
            "SELECT _rowid_, {list} FROM {table} NOT INDEXED WHERE _rowid_ > ?1 ORDER BY _rowid_"
        );
        let rows_after =
            if by_rowid { ordered.clone() } else { format!("SELECT 0, {list} FROM {table}") };
        Self {
            damaged,
            rows_after,
            first_after: format!("{ordered} LIMIT 1"),
            columns: columns.len(),
            by_rowid,
            highest,
            ahead: Vec::new().into_iter(),
            after: i64::MIN,
            ended: false,
        }
    }

    /// The next row or gap; `None` at the end of what can be reached.
    pub(super) fn next_step(&mut self) -> Option<Step> {
        loop {
            if let Some(step) = self.ahead.next() {
                return Some(step);
            }
            if self.ended {
                return None;
            }
            self.ahead = self.read_ahead().into_iter();
        }
    }

    fn read_ahead(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        match self.read_rows(&mut steps) {
            Ok(true) => {}
            Ok(false) => self.ended = true,
            Err(_) if self.by_rowid => steps.push(self.skip_gap()),
            // Without row ids there is no telling where to go on.
            Err(_) => steps.push(self.give_up()),
        }
        steps
    }

    /// Reads rows up to an error, the end (false) or the read-ahead limit (true).
    fn read_rows(&mut self, steps: &mut Vec<Step>) -> rusqlite::Result<bool> {
        let mut statement = self.damaged.prepare_cached(&self.rows_after)?;
        let mut rows =
            if self.by_rowid { statement.query([self.after])? } else { statement.query([])? };
        while let Some(row) = rows.next()? {
            let (rowid, values) = self.values(row)?;
            if self.by_rowid {
                self.after = growing(self.after, rowid)?;
            }
            steps.push(Step::Row(values));
            if self.by_rowid && steps.len() >= ROWS_AHEAD {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn values(&self, row: &Row<'_>) -> rusqlite::Result<(i64, Vec<Value>)> {
        let values = (1..=self.columns).map(|column| row.get(column)).collect::<Result<_, _>>()?;
        Ok((row.get(0)?, values))
    }

    /// Moves past the ids that cannot be read.
    fn skip_gap(&mut self) -> Step {
        // Ids begin at 1; from there the growing steps reach every id.
        let last = self.after.max(0);
        let Some((mut unreadable, mut passed, mut next)) = self.bracket(last) else {
            return self.give_up();
        };
        // Halve until the first id is found beyond which reading works again.
        while passed - unreadable > 1 {
            let middle = unreadable + (passed - unreadable) / 2;
            match self.first_beyond(middle) {
                Ok(found) => (passed, next) = (middle, found),
                Err(_) => unreadable = middle,
            }
        }
        match next {
            Some(rowid) => self.after = rowid - 1,
            None => self.ended = true,
        }
        Step::Gap(ids_between(last, next.map_or(passed, |rowid| rowid - 1)))
    }

    /// Ends the scan: the rest cannot be reached.
    fn give_up(&mut self) -> Step {
        self.ended = true;
        Step::Gap(ids_between(self.after, self.highest).max(1))
    }

    /// Grows a step from `last` until reading works: the last id beyond which it did not, the first
    /// beyond which it did, and the row found there. `None` when it never does.
    fn bracket(&self, last: i64) -> Option<(i64, i64, Option<i64>)> {
        let mut unreadable = last;
        let mut step: i64 = 1;
        loop {
            let candidate = last.checked_add(step)?;
            match self.first_beyond(candidate) {
                Ok(found) => return Some((unreadable, candidate, found)),
                Err(_) => unreadable = candidate,
            }
            step = step.checked_mul(2)?;
        }
    }

    /// The first row id after `rowid`, if the row there can be read.
    fn first_beyond(&self, rowid: i64) -> rusqlite::Result<Option<i64>> {
        let mut statement = self.damaged.prepare_cached(&self.first_after)?;
        let found = statement
            .query_row([rowid], |row| self.values(row).map(|(found, _)| found))
            .optional()?;
        found.map(|found| growing(rowid, found)).transpose()
    }
}

/// A row id that comes after another is above it. Otherwise the tree leads back to a page that was read, and the
/// scan would go round for ever.
fn growing(after: i64, rowid: i64) -> rusqlite::Result<i64> {
    let is_above = rowid > after;
    is_above.then_some(rowid).ok_or_else(|| failure(ffi::SQLITE_CORRUPT, "row ids go back"))
}

/// Row ids after `last` up to `end`; ids begin at 1.
fn ids_between(last: i64, end: i64) -> u64 {
    end.saturating_sub(last.max(0)).max(0).unsigned_abs()
}
