//! Looks for damage in the middle of a write-ahead log, which SQLite takes for its end.
//!
//! At start SQLite applies a WAL up to the first frame whose checksum is wrong; whatever follows is
//! dropped without a word. Each commit is synced before the next begins, so a power cut can leave at
//! most one commit behind a torn frame, the one in flight. Two or more there were acknowledged.
//!
//! Layout and checksum: SQLite file format, section 4 ("The Write-Ahead Log").

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
const MAGIC: u32 = 0x377f_0682;

/// The running checksum of a log.
type Checksum = (u32, u32);

/// Commits that lie behind a damaged frame; 0 for a sound log, a torn end, or no log at all.
///
/// # Errors
/// Those of reading the file.
pub(crate) fn commits_behind_damage(wal: &Path) -> io::Result<u64> {
    let file = match File::open(wal) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut reader = BufReader::new(file);
    let mut header = [0; HEADER];
    if !fill(&mut reader, &mut header)? {
        return Ok(0);
    }
    Log::of(&header).map_or(Ok(0), |log| log.count(&mut reader))
}

/// What the log's header says.
struct Log {
    big_endian: bool,
    page_size: usize,
    salt: [u8; 8],
    checksum: Checksum,
}

impl Log {
    fn of(header: &[u8; HEADER]) -> Option<Self> {
        let magic = word(header, 0);
        let page_size = word(header, 8) as usize;
        if magic & !1 != MAGIC || !page_size.is_power_of_two() || page_size > 1 << 16 {
            return None;
        }
        let mut salt = [0; 8];
        salt.copy_from_slice(&header[16..24]);
        let checksum = (word(header, 24), word(header, 28));
        let log = Self { big_endian: magic & 1 == 1, page_size, salt, checksum };
        (log.add((0, 0), &header[..24]) == checksum).then_some(log)
    }

    fn count(&self, reader: &mut impl Read) -> io::Result<u64> {
        let mut frame = vec![0; FRAME_HEADER + self.page_size];
        let mut before = self.checksum;
        let mut is_broken = false;
        let mut commits = 0;
        while fill(reader, &mut frame)? {
            let stored = (word(&frame, 16), word(&frame, 20));
            // A frame is sound if it continues the one before it, be that one sound or not.
            let continues = frame[8..16] == self.salt && self.checksum_of(before, &frame) == stored;
            is_broken |= !continues;
            let is_commit = word(&frame, 4) != 0;
            commits += u64::from(is_broken && continues && is_commit);
            before = stored;
        }
        // One may be the commit in flight when the power went.
        Ok(if commits > 1 { commits } else { 0 })
    }

    fn checksum_of(&self, before: Checksum, frame: &[u8]) -> Checksum {
        self.add(self.add(before, &frame[..8]), &frame[FRAME_HEADER..])
    }

    fn add(&self, (mut first, mut second): Checksum, bytes: &[u8]) -> Checksum {
        for pair in bytes.chunks_exact(8) {
            first = first.wrapping_add(self.native(pair, 0)).wrapping_add(second);
            second = second.wrapping_add(self.native(pair, 4)).wrapping_add(first);
        }
        (first, second)
    }

    /// A word in the byte order the log was written with.
    fn native(&self, bytes: &[u8], at: usize) -> u32 {
        let word = word(bytes, at);
        if self.big_endian { word } else { word.swap_bytes() }
    }
}

/// A big-endian word, as all header fields are.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().fold(0, |word, byte| (word << 8) | u32::from(*byte))
}

/// Fills the buffer; false at the end of the file.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;
    use std::fs;
    use std::path::PathBuf;

    /// Twenty commits in a log, which is left in the folder.
    fn log() -> (tempfile::TempDir, Connection, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("PRAGMA journal_mode=WAL; CREATE TABLE t(a)").unwrap();
        for _ in 0..20 {
            connection.execute("INSERT INTO t VALUES(zeroblob(100))", []).unwrap();
        }
        (folder, connection, path.with_extension("db-wal"))
    }

    fn behind_damage_at(at: usize, wal: &Path) -> u64 {
        let mut bytes = fs::read(wal).unwrap();
        bytes[at] ^= 0x40;
        let damaged = wal.with_extension("damaged");
        fs::write(&damaged, bytes).unwrap();
        commits_behind_damage(&damaged).unwrap()
    }

    #[test]
    fn sound_absent_and_foreign_logs_hide_nothing() {
        let (folder, _connection, wal) = log();
        assert_eq!(commits_behind_damage(&wal).unwrap(), 0);
        assert_eq!(commits_behind_damage(&folder.path().join("none")).unwrap(), 0);
        fs::write(&wal, [9; 5000]).unwrap();
        assert_eq!(commits_behind_damage(&wal).unwrap(), 0);
    }

    #[test]
    fn commits_behind_a_damaged_frame_are_counted() {
        let (_folder, _connection, wal) = log();
        let frame = FRAME_HEADER + 4096;
        let frames = (fs::read(&wal).unwrap().len() - HEADER) / frame;
        let fifth = HEADER + 4 * frame;
        // In the page: all later frames continue. In the stored checksum: all but the next.
        assert_eq!(behind_damage_at(fifth + FRAME_HEADER + 99, &wal), frames as u64 - 5);
        assert_eq!(behind_damage_at(fifth + 17, &wal), frames as u64 - 6);
    }

    #[test]
    fn torn_end_is_no_damage() {
        let (_folder, _connection, wal) = log();
        let length = fs::read(&wal).unwrap().len();
        assert_eq!(behind_damage_at(length - 1000, &wal), 0);
        assert_eq!(behind_damage_at(length - 1000 - FRAME_HEADER - 4096, &wal), 0);
        let file = fs::OpenOptions::new().write(true).open(&wal).unwrap();
        file.set_len(length as u64 - 700).unwrap();
        assert_eq!(commits_behind_damage(&wal).unwrap(), 0);
    }
}
