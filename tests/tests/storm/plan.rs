//! What a run is: its seed, its size, what goes wrong, and which part of the product is taken out of it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, Error, bail};

/// A run. Its text form, `seed=7 shops=40 ...`, replays it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Decides everything else that happens.
    pub seed: u64,
    /// Stores with one register and one printer each.
    pub shops: usize,
    /// Jobs, spread over the length.
    pub jobs: u32,
    /// How long jobs come and faults happen, in seconds. After that everything gets time to settle.
    pub length_s: u64,
    /// Packets lost, of a thousand. Without loss no message is held up or comes twice either.
    pub lost: u32,
    /// What happens on top of the everyday faults.
    pub drill: Drill,
    /// What is taken out.
    pub without: Without,
}

/// An event for all at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drill {
    /// None.
    None,
    /// 30 % of all lines are cut at once and restored together.
    Cut,
}

/// A part of the product that a run does without, to show what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Without {
    /// The product as it is.
    Nothing,
    /// Whoever was connected once is believed to be there, ready to print.
    StateCheck,
    /// No push and no question is repeated.
    Wheels,
    /// What waited for a register leaves all at once when it comes back.
    Recovery,
    /// No job is ever too late.
    Deadline,
    /// A push that comes again is another job.
    Dedup,
}

const WITHOUT: [(&str, Without); 6] = [
    ("nothing", Without::Nothing),
    ("state_check", Without::StateCheck),
    ("wheels", Without::Wheels),
    ("recovery", Without::Recovery),
    ("deadline", Without::Deadline),
    ("dedup", Without::Dedup),
];

impl Plan {
    /// 500 jobs for 16 stores within two minutes.
    pub const fn short(seed: u64) -> Self {
        let (drill, without) = (Drill::None, Without::Nothing);
        Self { seed, shops: 16, jobs: 500, length_s: 120, lost: 150, drill, without }
    }

    /// 2,000 jobs for 40 stores within five minutes.
    pub const fn usual(seed: u64) -> Self {
        Self { shops: 40, jobs: 2_000, length_s: 300, ..Self::short(seed) }
    }

    /// How long jobs come.
    pub fn length(&self) -> Duration {
        Duration::from_secs(self.length_s)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, shops, jobs, length_s, lost, drill, without } = self;
        let drill = if *drill == Drill::Cut { "cut" } else { "none" };
        write!(f, "seed={seed} shops={shops} jobs={jobs} length_s={length_s} lost={lost}")?;
        write!(f, " drill={drill} without={without}")
    }
}

impl fmt::Display for Without {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = WITHOUT.iter().find(|(_, without)| without == self).map(|(name, _)| *name);
        f.write_str(name.unwrap_or_default())
    }
}

impl FromStr for Plan {
    type Err = Error;

    /// What is not named is as in the short plan.
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut plan = Self::short(1);
        for part in text.split_whitespace() {
            let (key, value) = part.split_once('=').with_context(|| format!("{part}: no ="))?;
            match key {
                "seed" => plan.seed = value.parse()?,
                "shops" => plan.shops = value.parse()?,
                "jobs" => plan.jobs = value.parse()?,
                "length_s" => plan.length_s = value.parse()?,
                "lost" => plan.lost = value.parse()?,
                "drill" => plan.drill = if value == "cut" { Drill::Cut } else { Drill::None },
                "without" => plan.without = value.parse()?,
                _ => bail!("{key} is no part of a plan"),
            }
        }
        Ok(plan)
    }
}

impl FromStr for Without {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = WITHOUT.iter().find(|(name, _)| *name == text);
        found.map(|(_, without)| *without).with_context(|| format!("{text} cannot be left out"))
    }
}

#[test]
fn plan_reads_back_from_its_text() {
    let plan = Plan { drill: Drill::Cut, without: Without::Wheels, ..Plan::usual(42) };
    assert_eq!(plan.to_string().parse::<Plan>().unwrap(), plan);
    assert!("seed=x".parse::<Plan>().is_err());
}
