//! The processes of an open window as Linux sees them: the program and the children that draw its page.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};

/// Of `starttime`, `utime` and `stime` in `/proc/PID/stat`: `USER_HZ`, 100 on every Linux.
const TICKS_A_SECOND: u64 = 100;

/// The program and its children.
pub struct Processes {
    program: Pid,
}

/// What the processes hold, in bytes: memory shared with others counts by its share (PSS).
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// The program: register and window.
    pub program: u64,
    /// WebKit's processes: the page and its loader.
    pub pages: u64,
}

impl Processes {
    /// The processes of the program that works on a data folder; none when it does not run.
    pub fn of(program: &Path, data: &Path) -> Result<Option<Self>> {
        for pid in all()? {
            let Ok(command) = fs::read_to_string(format!("/proc/{pid}/cmdline")) else { continue };
            let mut words = command.split('\0');
            let is_ours =
                words.next() == program.to_str() && words.any(|word| Some(word) == data.to_str());
            if is_ours && let Some(program) = Pid::from_raw(pid) {
                return Ok(Some(Self { program }));
            }
        }
        Ok(None)
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        Ok(kill_process(self.program, signal)?)
    }

    /// When the program began, on the clock that counts since the computer's start.
    pub fn began(&self) -> Result<Duration> {
        Ok(Stat::of(self.program.as_raw_nonzero().get())?.began)
    }

    /// CPU time of the program and of its children so far.
    pub fn cpu(&self) -> Result<(Duration, Duration)> {
        let program = Stat::of(self.program.as_raw_nonzero().get())?.cpu;
        let children = self.children()?.into_iter().filter_map(|pid| Stat::of(pid).ok());
        Ok((program, children.map(|stat| stat.cpu).sum()))
    }

    /// What they hold now.
    pub fn memory(&self) -> Result<Memory> {
        let program = pss(self.program.as_raw_nonzero().get())?;
        let pages = self.children()?.into_iter().map(pss).sum::<Result<u64>>()?;
        Ok(Memory { program, pages })
    }

    /// All that the program started, and what those started.
    fn children(&self) -> Result<Vec<i32>> {
        let mut family = vec![self.program.as_raw_nonzero().get()];
        let stats: Vec<(i32, Stat)> =
            all()?.into_iter().filter_map(|pid| Some((pid, Stat::of(pid).ok()?))).collect();
        let mut next = 0;
        while let Some(&parent) = family.get(next) {
            family
                .extend(stats.iter().filter(|(_, stat)| stat.parent == parent).map(|(pid, _)| pid));
            next += 1;
        }
        Ok(family.split_off(1))
    }
}

/// What is read of `/proc/PID/stat`.
struct Stat {
    parent: i32,
    cpu: Duration,
    began: Duration,
}

impl Stat {
    fn of(pid: i32) -> Result<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
        // The name before it may hold anything.
        let (_, rest) = text.rsplit_once(')').context("no name")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| -> Result<u64> { Ok(fields.get(at).context("cut off")?.parse()?) };
        let ticks = |count: u64| Duration::from_millis(count * 1_000 / TICKS_A_SECOND);
        Ok(Self {
            parent: i32::try_from(number(1)?)?,
            cpu: ticks(number(11)? + number(12)?),
            began: ticks(number(19)?),
        })
    }
}

fn all() -> Result<Vec<i32>> {
    let mut pids = Vec::new();
    for entry in fs::read_dir("/proc")? {
        pids.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    Ok(pids)
}

fn pss(pid: i32) -> Result<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("no Pss")?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024)
}
