//! Finding a job by what a person knows of it: an order number, or an amount.

use tillroll_sqlite::rusqlite::{Connection, ToSql, params};

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

/// Of the newest `?1` jobs those whose order number has the text `?2` in it: it stands between the first and
/// the second colon of the id. Most ids do not have the text anywhere, which is seen without cutting them up.
const OF_ORDER: &str = "instr(j.job_id, ?2) > 0
    AND instr(substr(j.job_id, instr(j.job_id, ':') + 1,
        instr(substr(j.job_id, instr(j.job_id, ':') + 1), ':') - 1), ?2) > 0";
/// And those whose amount begins with the digits `?4`.
const OR_OF_AMOUNT: &str = "OR (r.takings_minor <> 0
    AND substr(CAST(abs(r.takings_minor) AS TEXT), 1, length(?4)) = ?4)";

/// A text that is no amount spares the look at each receipt.
pub(crate) fn among_newest_sql(by_amount: bool) -> String {
    let or_of_amount = if by_amount { OR_OF_AMOUNT } else { "" };
    print_jobs::select_sql(&format!(
        "WHERE j.id > (SELECT max(id) FROM print_jobs) - ?1 AND (({OF_ORDER}) {or_of_amount})
         ORDER BY j.id DESC LIMIT ?3"
    ))
}

fn among_newest(db: &Connection, sought: &Sought, most: u32) -> Result<Vec<JobRow>, StoreError> {
    let sql = among_newest_sql(sought.amount_digits.is_some());
    let mut params: Vec<&dyn ToSql> = vec![&NEWEST_SEARCHED, &sought.order, &most];
    if let Some(amount) = &sought.amount_digits {
        params.push(amount);
    }
    crate::columns::all_readable(db, &sql, &params[..], print_jobs::job)
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
