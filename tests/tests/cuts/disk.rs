//! A disk of which only what was synced is certain.
//!
//! It stands beside real files in a folder in memory, which hold what programs read back: what was written,
//! synced or not. The disk keeps apart what certainly survives. When the power goes, each file is what was
//! synced last and any part of what came since: nothing, all, the first writes, any sectors, or the first
//! writes and some sectors of the next. Bytes beside a write in the same sector stay as they are, as SQLite
//! takes for granted by default (`SQLITE_POWERSAFE_OVERWRITE`).
//!
//! A name that was deleted may come back until the folder is synced, which SQLite does where it deletes a
//! journal for good, and with the first sync of a journal or log that it made. Syncs of the folder by the
//! program itself are not seen here, so that the disk forgets rather too much than too little.
//!
//! A sync that failed has brought some sectors down, and the rest never comes: the system calls those pages
//! clean, and a second sync returns without a word.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use tillroll_testkit::Dice;

/// What a disk writes at once or not at all.
const SECTOR: u64 = 512;

/// Something a program asks of the disk.
#[derive(Debug)]
pub enum Call<'a> {
    Write { offset: u64, bytes: &'a [u8] },
    Truncate(u64),
    Sync,
}

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// EIO.
    Broken,
    /// ENOSPC.
    Full,
}

/// Which calls fail: so many, from the n-th on, counted from the next call.
#[derive(Debug, Clone, Copy)]
pub struct Failing {
    pub trouble: Trouble,
    pub first: u64,
    pub calls: u64,
}

/// A file the power went under.
#[derive(Debug)]
pub struct Left {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What is found when the power is back, and what had been acknowledged when it went.
#[derive(Debug)]
pub struct Cut {
    pub files: Vec<Left>,
    pub acknowledged: usize,
}

#[derive(Debug)]
enum Change {
    Write { offset: u64, bytes: Vec<u8> },
    Truncate(u64),
}

#[derive(Debug, Default)]
struct File {
    synced: Vec<u8>,
    since: Vec<Change>,
    /// Made by the program, and never synced: its name may not survive.
    is_new: bool,
}

/// The disk under one folder.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    dice: Dice,
    files: BTreeMap<u64, File>,
    /// Deleted, but the folder was not synced since: they may come back.
    deleted: BTreeMap<String, File>,
    calls: u64,
    /// The power goes about once in so many calls.
    cut_every: Option<u64>,
    next_cut: u64,
    failing: Option<Failing>,
    /// It answers syncs and does nothing.
    pub ignores_syncs: bool,
    /// Operations the driver has acknowledged.
    pub acknowledged: usize,
    /// The power cuts so far.
    pub cuts: Vec<Cut>,
}

impl Disk {
    pub fn new(folder: &Path, dice: Dice) -> Self {
        Self {
            folder: folder.to_owned(),
            dice,
            files: BTreeMap::new(),
            deleted: BTreeMap::new(),
            calls: 0,
            cut_every: None,
            next_cut: 0,
            failing: None,
            ignores_syncs: false,
            acknowledged: 0,
            cuts: Vec::new(),
        }
    }

    /// From now on the power goes about once in so many calls; the program does not notice and goes on.
    pub fn cut_every(&mut self, calls: u64) {
        self.cut_every = Some(calls);
        self.next_cut = self.calls + 1 + self.dice.below(2 * calls);
    }

    /// Lets calls fail, counted from now.
    pub fn fail(&mut self, failing: Failing) {
        self.failing = Some(Failing { first: self.calls + failing.first, ..failing });
    }

    /// The power goes now.
    pub fn cut(&mut self) {
        let files = self.survivors();
        self.cuts.push(Cut { files, acknowledged: self.acknowledged });
    }

    /// A file was opened; `is_new` if that made it.
    pub fn opened(&mut self, path: &Path, is_new: bool) -> Option<u64> {
        let inode = fs::metadata(path).ok()?.ino();
        if let Entry::Vacant(unknown) = self.files.entry(inode) {
            unknown.insert(File { synced: fs::read(path).ok()?, since: Vec::new(), is_new });
        }
        Some(inode)
    }

    /// A file is about to be deleted. Where its name is made durable, it is gone for good.
    pub fn deleted(&mut self, path: &Path, is_synced: bool) {
        self.tick();
        let inode = fs::metadata(path).map(|metadata| metadata.ino());
        let file = inode.ok().and_then(|inode| self.files.remove(&inode));
        let name = path.file_name().and_then(|name| name.to_str());
        if is_synced {
            self.deleted.clear();
        } else if let (Some(file), Some(name)) = (file, name) {
            self.deleted.insert(name.to_owned(), file);
        }
    }

    /// A call on an open file; an error where it is to fail.
    pub fn call(&mut self, inode: u64, call: &Call<'_>) -> Result<(), Trouble> {
        self.tick();
        let trouble = self.trouble();
        let Some(file) = self.files.get_mut(&inode) else { return Ok(()) };
        match (call, trouble) {
            (Call::Sync, None) if self.ignores_syncs => {}
            (Call::Sync, None) => {
                if file.sync() {
                    self.deleted.clear();
                }
            }
            (Call::Sync, Some(_)) => file.sync_in_part(&mut self.dice),
            (_, Some(_)) => {}
            (Call::Write { offset, bytes }, None) => {
                file.since.push(Change::Write { offset: *offset, bytes: bytes.to_vec() });
            }
            (Call::Truncate(length), None) => file.since.push(Change::Truncate(*length)),
        }
        trouble.map_or(Ok(()), Err)
    }

    /// A cut comes before the call it meets.
    fn tick(&mut self) {
        self.calls += 1;
        if let Some(calls) = self.cut_every
            && self.calls >= self.next_cut
        {
            self.cut();
            self.next_cut = self.calls + 1 + self.dice.below(2 * calls);
        }
    }

    fn trouble(&self) -> Option<Trouble> {
        let failing = self.failing?;
        let meets = (failing.first..failing.first + failing.calls).contains(&self.calls);
        meets.then_some(failing.trouble)
    }

    /// What a power cut at this moment leaves in the folder. Files that no SQLite writes are as they are.
    fn survivors(&mut self) -> Vec<Left> {
        let mut paths: Vec<_> =
            fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let mut left = Vec::new();
        for path in paths {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            // The shared memory of the log is no file on the disk.
            if name.ends_with("-shm") {
                continue;
            }
            let bytes = match self.files.get(&fs::metadata(&path).unwrap().ino()) {
                Some(file) if file.is_new && self.dice.per_mille(500) => continue,
                Some(file) => file.survivor(&mut self.dice),
                None => fs::read(&path).unwrap(),
            };
            left.push(Left { name, bytes });
        }
        for (name, file) in &self.deleted {
            if left.iter().all(|other| other.name != *name) && self.dice.per_mille(500) {
                left.push(Left { name: name.clone(), bytes: file.survivor(&mut self.dice) });
            }
        }
        left
    }
}

impl File {
    /// True if it was the first: the folder was synced with it.
    fn sync(&mut self) -> bool {
        let mut synced = std::mem::take(&mut self.synced);
        self.since.drain(..).for_each(|change| change.apply(&mut synced));
        self.synced = synced;
        std::mem::take(&mut self.is_new)
    }

    fn sync_in_part(&mut self, dice: &mut Dice) {
        self.synced = self.survivor(dice);
        self.since.clear();
    }

    /// The file after a power cut.
    fn survivor(&self, dice: &mut Dice) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        let kept = usize::try_from(dice.below(self.since.len() as u64 + 1)).unwrap();
        match dice.below(5) {
            0 => {}
            1 => self.since.iter().for_each(|change| change.apply(&mut bytes)),
            2 => self.since[..kept].iter().for_each(|change| change.apply(&mut bytes)),
            3 => self.since.iter().for_each(|change| change.apply_in_part(&mut bytes, dice)),
            _ => {
                self.since[..kept].iter().for_each(|change| change.apply(&mut bytes));
                if let Some(next) = self.since.get(kept) {
                    next.apply_in_part(&mut bytes, dice);
                }
            }
        }
        bytes
    }
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write { offset, bytes: written } => put(bytes, *offset, written),
            Self::Truncate(length) => bytes.resize(usize::try_from(*length).unwrap(), 0),
        }
    }

    /// Each sector comes down or does not.
    fn apply_in_part(&self, bytes: &mut Vec<u8>, dice: &mut Dice) {
        let Self::Write { offset, bytes: written } = self else {
            if dice.per_mille(500) {
                self.apply(bytes);
            }
            return;
        };
        let (mut at, mut rest) = (*offset, &written[..]);
        while !rest.is_empty() {
            let room = usize::try_from(SECTOR - at % SECTOR).unwrap().min(rest.len());
            let (sector, more) = rest.split_at(room);
            if dice.per_mille(500) {
                put(bytes, at, sector);
            }
            at += room as u64;
            rest = more;
        }
    }
}

/// Writes at an offset; a gap before it reads as zeros.
fn put(bytes: &mut Vec<u8>, offset: u64, written: &[u8]) {
    let start = usize::try_from(offset).unwrap();
    let end = start + written.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[start..end].copy_from_slice(written);
}
