//! Lives of a program on a disk whose power goes: each begins with what a cut left of the one before. The
//! power goes many times in a life without the program noticing; what each cut left is looked at afterwards.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tempfile::TempDir;
use tillroll_sqlite::{Options, Synchronous};
use tillroll_testkit::Dice;

use crate::disk::{Cut, Disk, Failing, Left};
use crate::ledger::{Answering, Facts, Ledger};
use crate::tally::{Found, Tally, Verdict};
use crate::vfs::{self, Mounted};

/// A program on its store, driven at random.
pub trait Program: Sized {
    /// The name of its database.
    const DATABASE: &'static str;

    /// Makes its files in an empty folder.
    fn make(folder: &Path);

    /// Starts it; an error when it does not, and what it has to tell a person otherwise.
    ///
    /// # Errors
    /// Why it cannot start.
    fn open(folder: &Path, options: Options) -> Result<(Self, Option<String>), String>;

    /// Does something.
    fn step(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice);

    /// Ends it in order, if it can.
    fn close(self);

    /// The facts in its database.
    fn facts(database: &Connection) -> rusqlite::Result<Facts>;

    /// Queries that count what must never be.
    const NEVER: &'static [&'static str];
}

/// A run: how often the power goes, and what is wrong with the world on purpose.
#[derive(Debug, Clone)]
pub struct Plan {
    pub seed: u64,
    /// It ends once the power went so often.
    pub cuts: usize,
    /// Operations of one life.
    pub steps: u64,
    /// Calls between two cuts, about.
    pub calls: u64,
    /// A life begins anew once its database has so many facts: the larger it is, the longer it takes to look
    /// at. With 0 every life begins with the files as they were made.
    pub facts: usize,
    pub synchronous: Synchronous,
    pub ignores_syncs: bool,
    pub answering: Answering,
    pub failing: Option<Failing>,
}

impl Plan {
    pub fn new(seed: u64, cuts: usize) -> Self {
        Self {
            seed,
            cuts,
            steps: 40,
            calls: 20,
            facts: 250,
            synchronous: Synchronous::Full,
            ignores_syncs: false,
            answering: Answering::AfterCommit,
            failing: None,
        }
    }
}

/// Runs until there were enough cuts.
pub fn run<P: Program>(plan: &Plan) -> Tally {
    let mut dice = Dice::new(plan.seed);
    let made = made::<P>();
    let mut start: Vec<Left> = Vec::new();
    let mut tally = Tally::default();
    while tally.cuts < plan.cuts {
        let from = if start.is_empty() { &made } else { &start };
        start = life::<P>(plan, from, &mut dice, &mut tally).unwrap_or_default();
        tally.lives += 1;
    }
    tally
}

/// The files of a program that was just made.
fn made<P: Program>() -> Vec<Left> {
    let folder = memory();
    P::make(folder.path());
    let mut disk = Disk::new(folder.path(), Dice::new(0));
    disk.cut();
    disk.cuts.remove(0).files
}

/// One life. Returns what its last good cut left, to go on from.
fn life<P: Program>(
    plan: &Plan,
    start: &[Left],
    dice: &mut Dice,
    tally: &mut Tally,
) -> Option<Vec<Left>> {
    let folder = memory();
    put(folder.path(), start);
    let before = facts::<P>(folder.path()).ok()?;
    let mounted = Mounted::new(folder.path(), Disk::new(folder.path(), dice.of(1)));
    let mut ledger = Ledger::new(&mounted, before, plan.answering);
    lived::<P>(plan, folder.path(), &mut ledger, &mut dice.of(2));
    dice.roll();
    tally.acknowledged += ledger.acknowledged();
    let cuts = std::mem::take(&mut mounted.disk().cuts);
    let mut next = None;
    for (number, cut) in cuts.into_iter().enumerate() {
        let found = looked_at::<P>(&ledger, &cut);
        tally.note(plan, &found, number);
        tally.cuts += 1;
        if found.verdict == Verdict::Good && found.told.is_none() && found.facts < plan.facts {
            next = Some(cut.files);
        }
    }
    next
}

/// The program starts, works, and now and then ends in order and starts again.
fn lived<P: Program>(plan: &Plan, folder: &Path, ledger: &mut Ledger<'_>, dice: &mut Dice) {
    ledger.disk().ignores_syncs = plan.ignores_syncs;
    ledger.disk().cut_every(plan.calls);
    if let Some(failing) = plan.failing {
        ledger.disk().fail(failing);
    }
    let mut left = plan.steps;
    while left > 0 {
        // A program that does not start on a failing disk is started again.
        let Ok((mut program, _)) = P::open(folder, options(plan)) else {
            left -= 1;
            continue;
        };
        let steps = left.min(1 + dice.below(plan.steps));
        (0..steps).for_each(|_| program.step(ledger, dice));
        left -= steps;
        if dice.per_mille(500) {
            program.close();
        }
    }
    ledger.disk().cut();
}

fn options(plan: &Plan) -> Options {
    Options {
        inline: true,
        synchronous: plan.synchronous,
        vfs: Some(vfs::NAME),
        // Small, so that a life meets many checkpoints and a log that begins anew.
        checkpoint_bytes: 120 << 10,
        wal_limit_bytes: 240 << 10,
        ..Options::default()
    }
}

/// What is found when the program starts on what the cut left.
fn looked_at<P: Program>(ledger: &Ledger<'_>, cut: &Cut) -> Found {
    let folder = memory();
    put(folder.path(), &cut.files);
    judged::<P>(folder.path(), ledger, cut.acknowledged, cut.acknowledged + 1)
}

/// Starts the program in a folder after a cut, and holds what it has against the driver's list.
pub fn judged<P: Program>(folder: &Path, ledger: &Ledger<'_>, told: usize, begun: usize) -> Found {
    let corrupt = |error| Found { verdict: Verdict::Corrupt(error), told: None, facts: 0 };
    let says = match P::open(folder, Options { inline: true, ..Options::default() }) {
        Err(error) => return corrupt(error),
        Ok((_ended_by_its_drop, says)) => says,
    };
    let facts = match facts::<P>(folder) {
        Err(error) => return corrupt(error),
        Ok(facts) => facts,
    };
    let faults = ledger.judge(told, begun, &facts);
    let verdict = match (faults.lost.is_empty(), faults.impossible.is_empty()) {
        (true, true) => Verdict::Good,
        (false, _) => Verdict::Lost(faults.lost),
        (true, false) => Verdict::Impossible(faults.impossible),
    };
    Found { verdict, told: says, facts: facts.len() }
}

/// The facts in a folder whose database is sound; otherwise what is wrong with it.
pub fn facts<P: Program>(folder: &Path) -> Result<Facts, String> {
    sound::<P>(folder).map_err(|error| error.to_string())?
}

fn sound<P: Program>(folder: &Path) -> rusqlite::Result<Result<Facts, String>> {
    let database = Connection::open(folder.join(P::DATABASE))?;
    database.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let integrity: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    if integrity != "ok" {
        return Ok(Err(integrity));
    }
    let foreign = "SELECT count(*) FROM pragma_foreign_key_check";
    for query in P::NEVER.iter().chain([&foreign]) {
        let count: i64 = database.query_row(query, [], |row| row.get(0))?;
        if count != 0 {
            return Ok(Err(format!("{count} of: {query}")));
        }
    }
    P::facts(&database).map(Ok)
}

fn put(folder: &Path, files: &[Left]) {
    for file in files {
        fs::write(folder.join(&file.name), &file.bytes).unwrap();
    }
}

/// A folder in memory where there is one: thousands are written.
pub fn memory() -> TempDir {
    let place = Path::new("/dev/shm");
    match place.is_dir() {
        true => tempfile::tempdir_in(place).unwrap(),
        false => tempfile::tempdir().unwrap(),
    }
}

/// A first query's rows of two words as facts.
pub fn rows(database: &Connection, query: &str) -> rusqlite::Result<Facts> {
    let mut statement = database.prepare_cached(query)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}
