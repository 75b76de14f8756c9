//! No write may be read with `query_row` in autocommit: rusqlite hands the row out before the commit
//! and drops the commit's error.

use std::fs;
use std::path::{Path, PathBuf};

/// `RETURNING` is for code that runs inside [`tillroll_sqlite::Database::write`], whose closures get
/// the connection as an argument. Only this crate opens connections, so whatever other file uses
/// `RETURNING` is safe as long as it opens none itself.
#[test]
fn no_file_that_opens_a_connection_uses_returning() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        collect(&entry.unwrap().path().join("src"), &mut files);
    }
    assert!(files.len() > 20, "the scan found {} files", files.len());
    let offenders: Vec<_> = files.into_iter().filter(|file| offends(file)).collect();
    assert!(offenders.is_empty(), "RETURNING outside a write transaction: {offenders:?}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn offends(file: &Path) -> bool {
    let source = fs::read_to_string(file).unwrap();
    let code: String = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let opens = code.contains("Connection::open") || code.contains("crate::connection");
    opens && code.to_ascii_uppercase().contains("RETURNING")
}
