//! Finding a job by what a person knows of it: an order number, or an amount.

use tillroll_sqlite::rusqlite::{Connection, params};

use crate::{JobRow, Store, StoreError, print_jobs};

/// Older jobs are found by the beginning of their id alone, which an index serves.
const NEWEST_SEARCHED: i64 = 20_000;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    /// A part of the order number.
    pub order: String,
    /// The first digits of the amount in minor units, without sign.
    pub amount_digits: Option<String>,
    /// Beginnings of ids, for jobs of any age.
    pub id_beginnings: Vec<String>,
}

impl Store {
    /// The newest jobs that fit, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn search(&self, sought: Sought, most: u32) -> Result<Vec<JobRow>, StoreError> {
        self.read(move |db| {
            let mut found = among_newest(db, &sought, most)?;
            for beginning in &sought.id_beginnings {
                found.extend(beginning_with(db, beginning, most)?);
            }
            found.sort_by_key(|job| std::cmp::Reverse(job.id));
            found.dedup_by_key(|job| job.id);
            found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
            Ok(found)
        })
        .await
    }
}

/// The order number stands between the first and the second colon of an id.
fn among_newest(db: &Connection, sought: &Sought, most: u32) -> Result<Vec<JobRow>, StoreError> {
    let sql = print_jobs::select_sql(
        "WHERE j.id > (SELECT max(id) FROM print_jobs) - ?1
           AND (instr(substr(j.job_id, instr(j.job_id, ':') + 1,
                    instr(substr(j.job_id, instr(j.job_id, ':') + 1), ':') - 1), ?2) > 0
             OR (r.takings_minor <> 0
                 AND substr(CAST(abs(r.takings_minor) AS TEXT), 1, length(?3)) = ?3))
         ORDER BY j.id DESC LIMIT ?4",
    );
    let amount = sought.amount_digits.as_deref();
    let params = params![NEWEST_SEARCHED, sought.order, amount, most];
    crate::columns::all_readable(db, &sql, params, print_jobs::job)
}

/// Ids hold ASCII alone, so `~` and one more bound their range.
fn beginning_with(db: &Connection, text: &str, most: u32) -> Result<Vec<JobRow>, StoreError> {
    let sql = print_jobs::select_sql(BEGINNING);
    crate::columns::all_readable(
        db,
        &sql,
        params![text, format!("{text}\u{7f}"), most],
        print_jobs::job,
    )
}

/// Served by the unique index of ids.
pub(crate) const BEGINNING: &str =
    "WHERE j.job_id >= ?1 AND j.job_id < ?2 ORDER BY j.job_id DESC LIMIT ?3";
