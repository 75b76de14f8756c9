//! Putting a newly built database in the place of the old one, so that a power cut at any moment
//! leaves one or the other.
//!
//! The new file is complete and synced before it gets the name `<db>.rewritten` or `<db>.rescued`:
//! that name is the point of no return. From then on the old files are only moved aside, whoever
//! comes by; an old WAL is never replayed over the new main file, because the new file takes the
//! main name last.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{self, sibling};

/// Damaged generations that are kept.
const KEPT_DAMAGED: usize = 5;

/// Why a database is replaced; decides the names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// A commit's fate was unknown. The old files go to `<db>.replaced`, one generation.
    Rewritten,
    /// The file was damaged. The old files go to `<db>.damaged-N`.
    Rescued,
}

impl Replacement {
    const ALL: [Self; 2] = [Self::Rewritten, Self::Rescued];

    fn ready(self, database: &Path) -> PathBuf {
        sibling(
            database,
            match self {
                Self::Rewritten => ".rewritten",
                Self::Rescued => ".rescued",
            },
        )
    }

    /// Where the new file is built; means nothing after a restart.
    pub(crate) fn draft(self, database: &Path) -> PathBuf {
        sibling(
            database,
            match self {
                Self::Rewritten => ".rewriting",
                Self::Rescued => ".rescuing",
            },
        )
    }
}

/// Removes what an interrupted build left.
pub(crate) fn remove_drafts(database: &Path) -> io::Result<()> {
    for replacement in Replacement::ALL {
        files::remove(&sibling(&replacement.draft(database), "-journal"))?;
        files::remove_family(&replacement.draft(database))?;
    }
    files::remove(&sibling(database, ".copying"))
}

/// Makes the finished draft the successor: from here on it wins.
pub(crate) fn publish(database: &Path, replacement: Replacement) -> io::Result<()> {
    let draft = replacement.draft(database);
    files::sync(&draft)?;
    fs::rename(&draft, replacement.ready(database))?;
    files::sync_folder(database)
}

/// The successor that waits, if any.
pub(crate) fn waiting(database: &Path) -> Option<Replacement> {
    Replacement::ALL.into_iter().find(|replacement| replacement.ready(database).exists())
}

/// Moves the old files aside and the successor into their place. No connection may be open. Can be
/// repeated after an interruption. Returns where the old main file went.
pub(crate) fn install(database: &Path, replacement: Replacement) -> io::Result<PathBuf> {
    let aside = aside(database, replacement)?;
    for (from, to) in files::family(database).iter().zip(files::family(&aside)) {
        files::rename_if_there(from, &to)?;
    }
    files::sync_folder(database)?;
    fs::rename(replacement.ready(database), database)?;
    files::sync_folder(database)?;
    Ok(aside)
}

/// The name the old generation goes to. With the main file already moved, an interrupted install
/// goes on under the same name.
fn aside(database: &Path, replacement: Replacement) -> io::Result<PathBuf> {
    let is_moved = !database.exists();
    match replacement {
        Replacement::Rewritten => {
            let aside = sibling(database, ".replaced");
            if !is_moved {
                files::remove_family(&aside)?;
            }
            Ok(aside)
        }
        Replacement::Rescued => {
            let numbers = files::numbered(database, ".damaged-")?;
            let newest = numbers.last().copied().unwrap_or(0);
            let number = if is_moved { newest.max(1) } else { newest + 1 };
            let surplus = numbers.len().saturating_sub(KEPT_DAMAGED - 1);
            for old in &numbers[..surplus] {
                files::remove_family(&sibling(database, &format!(".damaged-{old}")))?;
            }
            Ok(sibling(database, &format!(".damaged-{number}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, content: &str) {
        fs::write(path, content).unwrap();
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn install_goes_on_where_it_was_interrupted() {
        // The names present before the restart: all, main moved, main and WAL moved.
        for moved in 0..=2 {
            let folder = tempfile::tempdir().unwrap();
            let database = folder.path().join("till.db");
            for file in files::family(&database) {
                write(&file, "old");
            }
            write(&Replacement::Rewritten.ready(&database), "new");
            let aside = sibling(&database, ".replaced");
            for (from, to) in files::family(&database).iter().zip(files::family(&aside)).take(moved)
            {
                fs::rename(from, to).unwrap();
            }
            assert_eq!(waiting(&database), Some(Replacement::Rewritten));
            assert_eq!(install(&database, Replacement::Rewritten).unwrap(), aside);
            assert_eq!(read(&database), "new");
            assert!(!sibling(&database, "-wal").exists(), "an old WAL must not meet the new file");
            for file in files::family(&aside) {
                assert_eq!(read(&file), "old");
            }
            assert_eq!(waiting(&database), None);
        }
    }

    #[test]
    fn damaged_generations_are_numbered_and_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("till.db");
        for round in 1..=8 {
            write(&database, "damaged");
            write(&Replacement::Rescued.ready(&database), "new");
            let aside = install(&database, Replacement::Rescued).unwrap();
            assert_eq!(aside, sibling(&database, &format!(".damaged-{round}")));
        }
        assert_eq!(files::numbered(&database, ".damaged-").unwrap(), [4, 5, 6, 7, 8]);
    }

    #[test]
    fn draft_that_was_not_published_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("till.db");
        write(&Replacement::Rewritten.draft(&database), "half");
        write(&sibling(&Replacement::Rescued.draft(&database), "-journal"), "half");
        remove_drafts(&database).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
