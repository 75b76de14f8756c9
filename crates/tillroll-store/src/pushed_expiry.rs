//! Jobs of the head office that nobody started in time are held: a clerk is asked whether they are still
//! wanted.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::print_job::{Event, HoldReason};
use tillroll_sqlite::rusqlite::{Connection, Row};

use crate::columns::{all, ms, optional_at};
use crate::{JobRow, JobRowId, Store, StoreError, print_jobs};

/// A deadline on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiry {
    /// By the wall clock, for a later run of the program.
    pub at: Timestamp,
    /// By the boot clock, which nobody sets.
    pub boot: Duration,
}

impl Expiry {
    /// So long after a reading of both clocks.
    #[must_use]
    pub fn after(remaining: Duration, now: Timestamp, boot: Duration) -> Self {
        let by = SignedDuration::try_from(remaining).unwrap_or(SignedDuration::MAX);
        let at = now.checked_add(by).unwrap_or(Timestamp::MAX);
        Self { at, boot: boot.saturating_add(remaining) }
    }

    /// As stored: rounded up, since nothing expires early.
    pub(crate) fn at_ms(&self) -> i64 {
        let up = SignedDuration::from_nanos(999_999);
        ms(self.at.saturating_add(up).unwrap_or(self.at))
    }

    /// As stored: rounded up.
    pub(crate) fn boot_ms(&self) -> i64 {
        let up = self.boot.saturating_add(Duration::from_nanos(999_999));
        i64::try_from(up.as_millis()).unwrap_or(i64::MAX)
    }
}

/// A deadline as stored: the boot clock counts only in the run that took the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredExpiry {
    at: Timestamp,
    boot: Option<Duration>,
}

impl StoredExpiry {
    /// How long it is until then; zero when it has passed.
    #[must_use]
    pub fn remaining(&self, now: Timestamp, boot: Duration) -> Duration {
        match self.boot {
            Some(deadline) => deadline.saturating_sub(boot),
            None => Duration::try_from(self.at.duration_since(now)).unwrap_or(Duration::ZERO),
        }
    }
}

/// Reads an expiry from its two columns.
pub(crate) fn expiry(
    row: &Row<'_>,
    at: usize,
    boot_ms: usize,
) -> Result<Option<StoredExpiry>, StoreError> {
    let boot: Option<i64> = row.get(boot_ms)?;
    let boot = boot.map(|ms| Duration::from_millis(ms.unsigned_abs()));
    Ok(optional_at(row, at)?.map(|at| StoredExpiry { at, boot }))
}

impl Store {
    /// Holds every job of the head office that nobody started in time. Returns how many.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn hold_expired(&self, now: Timestamp, boot: Duration) -> Result<usize, StoreError> {
        let held = self.write(move |db| hold_expired(db, now, boot)).await?;
        for job in &held {
            self.feed().job_hint(&job.job_id);
        }
        Ok(held.len())
    }

    /// How long it is until the next job expires; `None` when none will.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_expiry(
        &self,
        now: Timestamp,
        boot: Duration,
    ) -> Result<Option<Duration>, StoreError> {
        self.read(move |db| {
            let waiting = all(db, EXPIRING, [], |row| expiry(row, 1, 2))?;
            Ok(waiting.into_iter().flatten().map(|expiry| expiry.remaining(now, boot)).min())
        })
        .await
    }
}

/// A person wants it printed, however late.
pub(crate) fn never_expires(db: &Connection, id: JobRowId) -> Result<(), StoreError> {
    let sql = "UPDATE print_jobs SET expires_at = NULL, expires_boot_ms = NULL
        WHERE id = ?1 AND expires_at IS NOT NULL";
    db.prepare_cached(sql)?.execute([id.0])?;
    Ok(())
}

/// Whether a deadline still counts by the boot clock of an earlier run.
pub(crate) fn is_any_of_earlier_run(db: &Connection) -> Result<bool, StoreError> {
    Ok(db.prepare_cached(OF_EARLIER_RUN)?.exists([])?)
}

/// The boot clock of an earlier run may have been another boot's.
pub(crate) fn forget_earlier_run(db: &Connection) -> Result<(), StoreError> {
    db.execute(
        "UPDATE print_jobs SET expires_boot_ms = NULL
         WHERE state = 'pending' AND expires_at IS NOT NULL AND expires_boot_ms IS NOT NULL",
        [],
    )?;
    Ok(())
}

const OF_EARLIER_RUN: &str = "SELECT 1 FROM print_jobs
    WHERE state = 'pending' AND expires_at IS NOT NULL AND expires_boot_ms IS NOT NULL";
/// Pending jobs with a deadline.
pub(crate) const EXPIRING: &str =
    "SELECT id, expires_at, expires_boot_ms FROM print_jobs INDEXED BY print_jobs_expiring
    WHERE state = 'pending' AND expires_at IS NOT NULL";

fn hold_expired(
    db: &Connection,
    now: Timestamp,
    boot: Duration,
) -> Result<Vec<JobRow>, StoreError> {
    let waiting = all(db, EXPIRING, [], |row| Ok((JobRowId(row.get(0)?), expiry(row, 1, 2)?)))?;
    let mut held = Vec::new();
    for (id, expiry) in waiting {
        if expiry.is_none_or(|expiry| !expiry.remaining(now, boot).is_zero()) {
            continue;
        }
        let job = print_jobs::by_id(db, id)?;
        print_jobs::apply(db, &job, Event::Hold(HoldReason::Expired), now, 0)?;
        never_expires(db, id)?;
        held.push(job);
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::instant;

    #[test]
    fn boot_clock_decides_in_its_run_and_the_wall_clock_after_it() {
        let s = Duration::from_secs;
        let now: Timestamp = instant(1_000_000).unwrap();
        let set_ahead = instant(9_000_000).unwrap();
        let Expiry { at, boot } = Expiry::after(s(90), now, s(50));
        let stored = StoredExpiry { at, boot: Some(boot) };
        assert_eq!(stored.remaining(set_ahead, s(60)), s(80), "the wall clock was set");
        assert_eq!(stored.remaining(now, s(140)), Duration::ZERO);
        let later = StoredExpiry { boot: None, ..stored };
        assert_eq!(later.remaining(now, s(3)), s(90));
        assert_eq!(later.remaining(set_ahead, s(3)), Duration::ZERO);
    }
}
