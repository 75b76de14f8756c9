//! The files beside a database: their names, their syncs, and how many old ones are kept.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::statvfs;

/// `path` with `suffix` added to its name: `till.db` + `.open` = `till.db.open`.
pub(crate) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The three files SQLite keeps for a database in WAL mode.
pub(crate) fn family(path: &Path) -> [PathBuf; 3] {
    [path.to_owned(), sibling(path, "-wal"), sibling(path, "-shm")]
}

/// Makes an empty file that its owner alone reads and writes, whatever the umask; one that is there stays.
/// SQLite gives the files beside a database the rights of the database.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Bytes in a file, 0 when there is none. Does not open it.
pub(crate) fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Bytes that the disk of a file still takes; all there can be when it does not say.
pub(crate) fn room(path: &Path) -> u64 {
    statvfs(folder(path)).map_or(u64::MAX, |space| space.f_bavail.saturating_mul(space.f_frsize))
}

/// Makes the content of a file durable.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Makes the names in the folder of `path` durable.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder(path))?.sync_all()
}

/// Removes a file that may not be there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes a database with its WAL and shared memory.
pub(crate) fn remove_family(path: &Path) -> io::Result<()> {
    family(path).iter().try_for_each(|file| remove(file))
}

/// Renames a file that may not be there.
pub(crate) fn rename_if_there(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The numbers `n` of the files `path` + `infix` + `n`, ascending.
pub(crate) fn numbered(path: &Path, infix: &str) -> io::Result<Vec<u32>> {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return Ok(Vec::new()) };
    let prefix = format!("{name}{infix}");
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder(path))? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(&prefix));
        numbers.extend(number.and_then(|number| number.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
