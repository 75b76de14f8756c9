//! What the owner may change while the register runs. Read once at the start and kept: the to-do list and
//! the workers ask for it often.

use std::time::Duration;

use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::first;
use crate::{Store, StoreError};

/// What the owner may change while the register runs; `None` is the program's own default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preferences {
    /// A pending job is on the to-do list when it waited this long; whole seconds.
    pub attention_after: Option<Duration>,
    /// Jobs that waited longer for their printer are held when it returns; whole seconds.
    pub stale_after: Option<Duration>,
    /// A sound tells of something new on the to-do list.
    pub sounds: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { attention_after: None, stale_after: None, sounds: true }
    }
}

impl Store {
    /// The preferences as they stand.
    #[must_use]
    pub fn preferences(&self) -> Preferences {
        *self.inner.preferences.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Changes them, from now on.
    ///
    /// # Errors
    /// When the database does not take it; nothing is changed then.
    pub async fn put_preferences(&self, preferences: Preferences) -> Result<(), StoreError> {
        self.write(move |db| put(db, preferences)).await?;
        let mut kept =
            self.inner.preferences.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *kept = preferences;
        drop(kept);
        // What waits too long is another thing now.
        self.feed().changed();
        Ok(())
    }
}

fn put(db: &Connection, preferences: Preferences) -> Result<(), StoreError> {
    let seconds = |after: Option<Duration>| after.map(|after| after.as_secs().cast_signed());
    db.execute(
        "INSERT INTO preferences (id, attention_after_s, stale_after_s, sounds) VALUES (1, ?1, ?2, ?3)
         ON CONFLICT (id) DO UPDATE SET attention_after_s = excluded.attention_after_s,
             stale_after_s = excluded.stale_after_s, sounds = excluded.sounds",
        params![
            seconds(preferences.attention_after),
            seconds(preferences.stale_after),
            preferences.sounds
        ],
    )?;
    Ok(())
}

/// The row; the defaults without one.
pub(crate) fn read(db: &Connection) -> Result<Preferences, StoreError> {
    let sql = "SELECT attention_after_s, stale_after_s, sounds FROM preferences WHERE id = 1";
    let read = first(db, sql, [], |row| {
        let attention_after: Option<u32> = row.get("attention_after_s")?;
        let stale_after: Option<u32> = row.get("stale_after_s")?;
        let seconds = |after: u32| Duration::from_secs(u64::from(after));
        Ok(Preferences {
            attention_after: attention_after.map(seconds),
            stale_after: stale_after.map(seconds),
            sounds: row.get("sounds")?,
        })
    })?;
    Ok(read.unwrap_or_default())
}
