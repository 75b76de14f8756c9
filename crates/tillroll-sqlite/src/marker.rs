//! Was the database closed properly? A file `<db>.open` exists while it is open.
//!
//! Its name is made durable once, before the first write, and removed after the last checkpoint, so
//! that it costs no sync per write.

use std::io;
use std::path::{Path, PathBuf};

use crate::files;

fn marker(path: &Path) -> PathBuf {
    files::sibling(path, ".open")
}

/// True while the database is open or was left without being closed.
pub(crate) fn is_set(path: &Path) -> bool {
    marker(path).exists()
}

/// Marks the database as open.
pub(crate) fn set(path: &Path) -> io::Result<()> {
    files::make_private(&marker(path))?;
    files::sync_folder(path)
}

/// Marks the database as closed.
pub(crate) fn clear(path: &Path) -> io::Result<()> {
    files::remove(&marker(path))?;
    files::sync_folder(path)
}
