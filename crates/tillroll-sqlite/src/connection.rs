//! Opening connections. Every setting on which a promise rests is read back.

use std::ffi::CString;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{OpenError, failure};
use crate::options::Options;

/// Statements kept prepared per connection; more than the product's distinct ones.
const CACHED_STATEMENTS: usize = 128;

/// The side checkpointer holds up writers while it waits for readers: it must give up soon.
const CHECKPOINT_BUSY: Duration = Duration::from_millis(100);

/// The one connection that writes.
pub(crate) fn writer(path: &Path, options: &Options) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = connect(path, flags, options)?;
    connection.busy_timeout(options.busy_timeout)?;
    configure(&connection, options)?;
    Ok(connection)
}

/// A connection that can only read.
pub(crate) fn reader(path: &Path, options: &Options) -> rusqlite::Result<Connection> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, options)?;
    connection.busy_timeout(options.busy_timeout)?;
    connection.execute_batch(
        "PRAGMA query_only=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-4096;
         PRAGMA trusted_schema=OFF",
    )?;
    Ok(connection)
}

/// The connection that copies the WAL into the main file beside the writer.
pub(crate) fn checkpointer(path: &Path, options: &Options) -> Result<Connection, OpenError> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options)?;
    connection.busy_timeout(CHECKPOINT_BUSY)?;
    set(&connection, "synchronous", options.synchronous.level())?;
    set(&connection, "wal_autocheckpoint", 0)?;
    Ok(connection)
}

/// Opens a file in no particular mode, for building and for rescuing.
pub(crate) fn plain(path: &Path, options: &Options) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = connect(path, flags, options)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

fn connect(path: &Path, flags: OpenFlags, options: &Options) -> rusqlite::Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match options.vfs {
        None => Connection::open_with_flags(path, flags)?,
        Some(name) => {
            let name = CString::new(name).map_err(|_| failure(1, "vfs name contains a zero"))?;
            Connection::open_with_flags_and_vfs(path, flags, name.as_c_str())?
        }
    };
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    // A plan that depends on a bound value is made anew with every value: that costs more than the
    // statement itself, and plans are to be the same every time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

/// `PRAGMA synchronous`: as FULL, and the folder is synced after a rollback journal was deleted.
const EXTRA: i64 = 3;

/// All settings of the writing connection.
fn configure(connection: &Connection, options: &Options) -> Result<(), OpenError> {
    // The switch to the log is the one change with a rollback journal. If a power cut brought the journal
    // back, it would undo the first page under a log that was copied over it since.
    set(connection, "synchronous", EXTRA)?;
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(OpenError::Setting {
            pragma: "journal_mode",
            wanted: "WAL".to_owned(),
            found: mode,
        });
    }
    set(connection, "synchronous", options.synchronous.level())?;
    set(connection, "foreign_keys", 1)?;
    // The side checkpointer does it: a commit must not pay for copying the WAL.
    set(connection, "wal_autocheckpoint", 0)?;
    set(connection, "temp_store", 2)?;
    set(connection, "trusted_schema", 0)?;
    set(connection, "cache_size", -8192)?;
    let limit = i64::try_from(options.wal_limit_bytes).unwrap_or(i64::MAX);
    set(connection, "journal_size_limit", limit)?;
    Ok(())
}

/// Sets a pragma and reads it back.
pub(crate) fn set(
    connection: &Connection,
    pragma: &'static str,
    wanted: i64,
) -> Result<(), OpenError> {
    // Some of these answer with the new value, some do not; both are fine here.
    connection.pragma(None, pragma, wanted, |_| Ok(()))?;
    let found: i64 = connection.pragma_query_value(None, pragma, |row| row.get(0))?;
    if found == wanted {
        return Ok(());
    }
    Err(OpenError::Setting { pragma, wanted: wanted.to_string(), found: found.to_string() })
}
