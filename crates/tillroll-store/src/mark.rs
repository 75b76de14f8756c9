//! The high-water mark: the last numbers given out, kept outside the database.
//!
//! A database that is behind its mark is an older copy: what happened since is unknown to it. The
//! exact numbers are written after each commit without a sync (they survive a killed program); a
//! reservation a block ahead is synced once a block (it survives a power cut, a block coarse). So
//! the mark costs no sync a receipt. Z numbers are few and people look at them: each is synced as it is.
//!
//! File: two records of 48 bytes at 0 and 512, each of four little-endian 64-bit numbers, eight
//! bytes of zero and the first eight bytes of their SHA-256. A torn record counts as absent; both are
//! there from set-up on, so a file without either is a lost one, and nothing is believed on its word.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use crate::StoreError;

/// Numbers reserved at once.
pub const BLOCK: i64 = 1_000;
const RECORD: usize = 48;
const RESERVED_AT: u64 = 0;
const EXACT_AT: u64 = 512;

/// The last numbers given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numbers {
    /// Flow number.
    pub flow_no: i64,
    /// Attempt.
    pub attempt: i64,
    /// Answer of a person.
    pub answer: i64,
    /// Z number of a session.
    pub z_no: i64,
}

impl Numbers {
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            flow_no: self.flow_no.max(other.flow_no),
            attempt: self.attempt.max(other.attempt),
            answer: self.answer.max(other.answer),
            z_no: self.z_no.max(other.z_no),
        }
    }

    /// Whether any number is lower than the other's.
    #[must_use]
    pub fn is_behind(self, other: Self) -> bool {
        self.flow_no < other.flow_no
            || self.attempt < other.attempt
            || self.answer < other.answer
            || self.z_no < other.z_no
    }

    pub(crate) fn plus(self, block: i64) -> Self {
        Self {
            flow_no: self.flow_no + block,
            attempt: self.attempt + block,
            answer: self.answer + block,
            z_no: self.z_no + block,
        }
    }

    /// As [`Numbers::plus`] for the numbers that are reserved in blocks.
    fn reserved_by(self, block: i64) -> Self {
        Self { z_no: self.z_no, ..self.plus(block) }
    }

    fn encode(self) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        let numbers = [self.flow_no, self.attempt, self.answer, self.z_no];
        for (slot, number) in record.chunks_exact_mut(8).zip(numbers) {
            slot.copy_from_slice(&number.to_le_bytes());
        }
        let digest = Sha256::digest(&record[..RECORD - 8]);
        record[RECORD - 8..].copy_from_slice(&digest[..8]);
        record
    }

    fn decode(record: &[u8; RECORD]) -> Option<Self> {
        let digest = Sha256::digest(&record[..RECORD - 8]);
        let number = |at: usize| Some(i64::from_le_bytes(record[at..at + 8].try_into().ok()?));
        let numbers = Self {
            flow_no: number(0)?,
            attempt: number(8)?,
            answer: number(16)?,
            z_no: number(24)?,
        };
        (record[RECORD - 8..] == digest[..8]).then_some(numbers)
    }
}

/// The open mark file.
pub struct Mark {
    file: File,
    path: String,
    state: Mutex<State>,
}

struct State {
    exact: Numbers,
    reserved: Numbers,
    lost: bool,
}

impl Mark {
    /// Opens or makes the file.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .map_err(|source| StoreError::File { action: "open", path: name.clone(), source })?;
        let read = |at| {
            let mut record = [0; RECORD];
            file.read_exact_at(&mut record, at).ok()?;
            Numbers::decode(&record)
        };
        let (exact, reserved) = (read(EXACT_AT), read(RESERVED_AT));
        let state = State {
            lost: exact.is_none() && reserved.is_none(),
            exact: exact.unwrap_or_default(),
            reserved: reserved.unwrap_or_default(),
        };
        Ok(Self { file, path: name, state: Mutex::new(state) })
    }

    /// Whether the file told nothing: it was removed, emptied or overwritten, or is new.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).lost
    }

    /// Writes both records anew, at least at these numbers, and syncs them.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn begin(&self, at: Numbers) -> Result<(), StoreError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.exact = state.exact.max(at);
        self.put(EXACT_AT, state.exact)?;
        self.reserve(&mut state)?;
        state.lost = false;
        Ok(())
    }

    /// What a database must at least hold not to be an older copy: the exact numbers, or, when they
    /// were torn, the reservation less its block.
    #[must_use]
    pub fn floor(&self) -> Numbers {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.exact.max(state.reserved.reserved_by(-BLOCK))
    }

    /// The first numbers that were certainly never given out, less one: where a new epoch goes on.
    #[must_use]
    pub fn above(&self) -> Numbers {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.exact.max(state.reserved)
    }

    /// Notes numbers whose commit has returned. Reserves and syncs the next block half a block early.
    ///
    /// # Errors
    /// [`StoreError::File`]; the numbers are committed all the same.
    pub fn note(&self, numbers: Numbers) -> Result<(), StoreError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let exact = state.exact.max(numbers);
        if exact != state.exact {
            state.exact = exact;
            self.put(EXACT_AT, exact)?;
        }
        if state.reserved.reserved_by(-BLOCK / 2).is_behind(exact) {
            self.reserve(&mut state)?;
        }
        Ok(())
    }

    /// Only what is on the disk counts as reserved.
    fn reserve(&self, state: &mut State) -> Result<(), StoreError> {
        let reserved = state.exact.reserved_by(BLOCK).max(state.reserved);
        self.put(RESERVED_AT, reserved)?;
        self.sync()?;
        state.reserved = reserved;
        Ok(())
    }

    fn put(&self, at: u64, numbers: Numbers) -> Result<(), StoreError> {
        self.file.write_all_at(&numbers.encode(), at).map_err(|source| self.failed("write", source))
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(|source| self.failed("sync", source))
    }

    fn failed(&self, action: &'static str, source: std::io::Error) -> StoreError {
        StoreError::File { action, path: self.path.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(n: i64) -> Numbers {
        Numbers { flow_no: n, attempt: n, answer: 0, z_no: n / 1_000 }
    }

    #[test]
    fn exact_numbers_read_back_and_never_go_down() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        let mark = Mark::open(&path).unwrap();
        assert_eq!(mark.floor(), Numbers::default());
        mark.note(numbers(41)).unwrap();
        mark.note(numbers(40)).unwrap();
        let again = Mark::open(&path).unwrap();
        assert_eq!(again.floor(), numbers(41));
        assert!(again.above().flow_no >= 41);
        assert!(numbers(40).is_behind(again.floor()));
        assert!(!numbers(41).is_behind(again.floor()));
    }

    #[test]
    fn torn_exact_record_falls_back_to_the_synced_reservation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        let mark = Mark::open(&path).unwrap();
        for n in 1..=5_000 {
            mark.note(numbers(n)).unwrap();
        }
        mark.file.write_all_at(&[7; 9], EXACT_AT + 4).unwrap();
        let torn = Mark::open(&path).unwrap();
        let floor = torn.floor().flow_no;
        assert!((5_000 - BLOCK..=5_000).contains(&floor), "{floor}");
        assert!(torn.above().flow_no >= 5_000);
        assert_eq!((torn.floor().z_no, torn.above().z_no), (5, 5), "every Z number is synced");
    }
}
