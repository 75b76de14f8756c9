//! After a commit that failed in its sync: all that was ever acknowledged goes into new, synced
//! files before anything more is.
//!
//! The system may have dropped the pages of the failed sync and call them clean, so neither the old
//! files nor a second sync of them can be trusted.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use crate::error::OpenError;
use crate::files;
use crate::migration::copy_into;
use crate::open::connect_writer;
use crate::shared::Shared;
use crate::swap::{self, Replacement};

/// Rewrites the database and leaves a new connection in `writer`. On an error the database stays
/// suspect and the call can be repeated.
pub(crate) fn rewrite(shared: &Shared, writer: &mut Option<Connection>) -> Result<(), OpenError> {
    if swap::waiting(&shared.path).is_none() {
        build(shared, writer)?;
    }
    // Closing the last connection to the old files later would delete the new WAL by its name.
    if !shared.readers.suspend(shared.options.busy_timeout) {
        shared.readers.resume();
        return Err(OpenError::Locked);
    }
    let replaced = replace(shared, writer);
    if swap::waiting(&shared.path).is_none() {
        shared.readers.resume();
    }
    replaced?;
    shared.counters.rewrites.fetch_add(1, Relaxed);
    tracing::warn!(path = %shared.path.display(), "database rewritten after a failed commit");
    Ok(())
}

/// Copies what is committed into a new file and makes it the successor.
fn build(shared: &Shared, writer: &mut Option<Connection>) -> Result<(), OpenError> {
    let path = &shared.path;
    swap::remove_drafts(path).map_err(OpenError::io("remove drafts of", path))?;
    let connection = match writer.take() {
        Some(connection) => connection,
        None => connect_writer(path, &shared.options, &shared.gauge)?,
    };
    let connection = writer.insert(connection);
    if !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    let draft = Replacement::Rewritten.draft(path);
    files::make_private(&draft).map_err(OpenError::io("make", &draft))?;
    copy_into(connection, &draft)?;
    swap::publish(path, Replacement::Rewritten).map_err(OpenError::io("publish the copy of", path))
}

fn replace(shared: &Shared, writer: &mut Option<Connection>) -> Result<(), OpenError> {
    let path = &shared.path;
    shared.checkpointer.disconnect();
    if let Some(connection) = writer.take() {
        close_untouched(connection)?;
    }
    let replacement = swap::waiting(path).ok_or_else(|| OpenError::Io {
        action: "find the copy of",
        path: path.clone(),
        source: io::ErrorKind::NotFound.into(),
    })?;
    swap::install(path, replacement).map_err(OpenError::io("replace", path))?;
    let connection = connect_writer(path, &shared.options, &Arc::clone(&shared.gauge))?;
    // A first read makes the new log. SQLite syncs the folder with the first commit in it, and goes on when
    // that fails.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    files::sync_folder(path).map_err(OpenError::io("sync the folder of", path))?;
    *writer = Some(connection);
    Ok(())
}

/// Closes without a last checkpoint: the suspect files stay as they are.
fn close_untouched(connection: Connection) -> Result<(), OpenError> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.close().map_err(|(_, error)| OpenError::from(error))
}
