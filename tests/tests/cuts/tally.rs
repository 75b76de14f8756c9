//! What the cuts of a run left, counted.

use std::fmt;

use crate::run::Plan;

/// What a run came to.
#[derive(Debug, Default)]
pub struct Tally {
    pub lives: usize,
    pub cuts: usize,
    pub acknowledged: usize,
    /// Cuts after which something acknowledged was gone.
    pub lost: usize,
    /// Cuts after which something was there that nobody made, or twice.
    pub impossible: usize,
    /// Cuts after which the database was damaged, or the program did not start.
    pub corrupt: usize,
    /// Cuts after which the program said that something is wrong, and nothing was.
    pub needless: usize,
    /// Cuts after which something was wrong and nobody said so.
    pub silent: usize,
    /// The first of each kind.
    pub examples: Vec<String>,
}

impl Tally {
    pub fn is_clean(&self) -> bool {
        self.lost + self.impossible + self.corrupt + self.needless == 0
    }

    /// Adds another run.
    pub fn add(&mut self, other: Self) {
        self.lives += other.lives;
        self.cuts += other.cuts;
        self.acknowledged += other.acknowledged;
        self.lost += other.lost;
        self.impossible += other.impossible;
        self.corrupt += other.corrupt;
        self.needless += other.needless;
        self.silent += other.silent;
        self.examples.extend(other.examples);
    }

    /// Counts what was found after a cut.
    pub fn note(&mut self, plan: &Plan, Found { verdict, told, .. }: &Found, cut: usize) {
        let count = match (verdict, told) {
            (Verdict::Good, None) => return,
            (Verdict::Good, Some(_)) => &mut self.needless,
            (Verdict::Lost(_), _) => &mut self.lost,
            (Verdict::Impossible(_), _) => &mut self.impossible,
            (Verdict::Corrupt(_), _) => &mut self.corrupt,
        };
        *count += 1;
        self.silent += usize::from(told.is_none());
        if *count == 1 {
            let Plan { failing, seed, .. } = plan;
            let place = format!("seed {seed}, {failing:?}, life {}, cut {cut}", self.lives);
            self.examples.push(format!("{place}: {verdict:?} {told:?}"));
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lives, cuts, acknowledged, lost, impossible, corrupt, .. } = self;
        write!(f, "{cuts} cuts in {lives} lives, {acknowledged} acknowledged: {lost} lost, ")?;
        write!(f, "{impossible} impossible, {corrupt} corrupt, ")?;
        write!(f, "{} needless alarms, {} silent", self.needless, self.silent)
    }
}

/// What a cut left.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Good,
    Lost(Vec<String>),
    Impossible(Vec<String>),
    Corrupt(String),
}

/// What was found after a cut.
pub struct Found {
    pub verdict: Verdict,
    /// What the program itself said of it.
    pub told: Option<String>,
    /// How many facts there are.
    pub facts: usize,
}
