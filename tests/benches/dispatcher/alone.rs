//! The schedule on its store and nothing else, every commit as soon as the disk can: what the program's own
//! pace of commits adds to lateness.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::schedule::{ScheduleSettings, Scheduler};
use tillroll_dispatcher::sqlite::{SqliteOptions, SqliteStore};

/// On a database that was made before.
#[derive(Debug, Serialize, Deserialize)]
pub struct Alone {
    /// The database.
    pub database: PathBuf,
}

impl Alone {
    /// Says when it has begun, then schedules.
    pub async fn run(self) -> Result<()> {
        let (store, _) = SqliteStore::open(&self.database, SqliteOptions::default())?;
        let settings = ScheduleSettings::default();
        let _scheduler = Scheduler::start(store, Arc::new(SystemClock), settings, || 7);
        println!("true");
        std::future::pending().await
    }
}
