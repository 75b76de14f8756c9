//! What happened in a run: the log with its hash, and for how long each shop was connected, killed or
//! without paper. The judge believes nothing else.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tillroll_domain::ids::JobId;
use tokio::time::Instant;

/// The state of a shop that lasts a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Spell {
    /// Its register was welcomed and the call has not broken.
    Connected,
    /// Its register was killed and has not started.
    Killed,
    /// Its printer has no paper.
    NoPaper,
    /// Its line is slow.
    Slow,
}

/// A book to hand on: what another process saw of shops and paper, each since it began.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Record {
    pub spells: Vec<(usize, Spell, Vec<Range<Duration>>)>,
    pub papers: Vec<(JobId, Vec<Duration>)>,
    pub dials: Vec<Duration>,
}

/// What happened. Clones write into the same book.
#[derive(Clone)]
pub struct History(Arc<Mutex<Book>>);

struct Book {
    began: Instant,
    is_shown: bool,
    hash: Sha256,
    spells: BTreeMap<(usize, Spell), Vec<Range<Duration>>>,
    papers: BTreeMap<JobId, Vec<Duration>>,
    pushes: BTreeMap<JobId, Vec<Duration>>,
    dials: Vec<Duration>,
}

impl History {
    /// An empty book. Must be called in a runtime, whose time it takes.
    pub fn new(is_shown: bool) -> Self {
        let book = Book {
            began: Instant::now(),
            is_shown,
            hash: Sha256::new(),
            spells: BTreeMap::new(),
            papers: BTreeMap::new(),
            pushes: BTreeMap::new(),
            dials: Vec::new(),
        };
        Self(Arc::new(Mutex::new(book)))
    }

    /// Writes a line.
    pub fn note(&self, what: fmt::Arguments<'_>) {
        self.book().note(what);
    }

    /// A spell begins; one that had begun goes on.
    pub fn begin(&self, shop: usize, spell: Spell) {
        let mut book = self.book();
        let now = book.began.elapsed();
        let spells = book.spells.entry((shop, spell)).or_default();
        if spells.last().is_none_or(|last| last.end != Duration::MAX) {
            spells.push(now..Duration::MAX);
            book.note(format_args!("{spell:?} {shop}"));
        }
    }

    /// A spell ends.
    pub fn end(&self, shop: usize, spell: Spell) {
        let mut book = self.book();
        let now = book.began.elapsed();
        let spells = book.spells.entry((shop, spell)).or_default();
        if let Some(last) = spells.last_mut().filter(|last| last.end == Duration::MAX) {
            last.end = now;
            book.note(format_args!("no longer {spell:?} {shop}"));
        }
    }

    /// A shop is connected; the number of its connection. One that was not seen to end has ended.
    pub fn connect(&self, shop: usize) -> usize {
        self.end(shop, Spell::Connected);
        self.begin(shop, Spell::Connected);
        self.book().spells[&(shop, Spell::Connected)].len() - 1
    }

    /// A connection ends, and none that came after it.
    pub fn disconnect(&self, shop: usize, no: usize) {
        if self.spells(shop, Spell::Connected).len() == no + 1 {
            self.end(shop, Spell::Connected);
        }
    }

    /// A job came out on paper.
    pub fn paper(&self, shop: usize, job: JobId) {
        let mut book = self.book();
        let now = book.began.elapsed();
        book.note(format_args!("paper {shop} {job}"));
        book.papers.entry(job).or_default().push(now);
    }

    /// A push left the dispatcher.
    pub fn pushed(&self, shop: usize, job: &JobId) {
        let mut book = self.book();
        let now = book.began.elapsed();
        book.note(format_args!("push {shop} {job}"));
        book.pushes.entry(job.clone()).or_default().push(now);
    }

    /// A register tries to connect.
    pub fn dials(&self, shop: usize) {
        let mut book = self.book();
        let now = book.began.elapsed();
        book.note(format_args!("dial {shop}"));
        book.dials.push(now);
    }

    /// Spells of a shop, oldest first; one that has not ended ends at [`Duration::MAX`].
    pub fn spells(&self, shop: usize, spell: Spell) -> Vec<Range<Duration>> {
        self.book().spells.get(&(shop, spell)).cloned().unwrap_or_default()
    }

    /// Every job on paper.
    pub fn papers(&self) -> BTreeMap<JobId, Vec<Duration>> {
        self.book().papers.clone()
    }

    /// When a job was pushed first.
    pub fn first_push(&self, job: &JobId) -> Option<Duration> {
        self.book().pushes.get(job).and_then(|pushes| pushes.first().copied())
    }

    /// Every push, oldest first.
    pub fn pushes(&self) -> Vec<Duration> {
        let mut pushes: Vec<_> = self.book().pushes.values().flatten().copied().collect();
        pushes.sort();
        pushes
    }

    /// Every try to connect, oldest first.
    pub fn all_dials(&self) -> Vec<Duration> {
        self.book().dials.clone()
    }

    /// What others need of it.
    pub fn record(&self) -> Record {
        let book = self.book();
        let spells = book.spells.iter();
        Record {
            spells: spells.map(|((shop, spell), at)| (*shop, *spell, at.clone())).collect(),
            papers: book.papers.clone().into_iter().collect(),
            dials: book.dials.clone(),
        }
    }

    /// Takes over what another process saw.
    pub fn take_over(&self, record: Record) {
        let mut book = self.book();
        for (shop, spell, at) in record.spells {
            book.spells.entry((shop, spell)).or_default().extend(at);
        }
        book.papers.extend(record.papers);
        book.dials.extend(record.dials);
    }

    /// The hash of every line so far.
    pub fn hash(&self) -> String {
        self.book().hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Book {
    fn note(&mut self, what: fmt::Arguments<'_>) {
        let line = format!("{:>8} {what}\n", self.began.elapsed().as_millis());
        self.hash.update(line.as_bytes());
        if self.is_shown {
            eprint!("{line}");
        }
    }
}
