//! What a process uses, as the system counts it.

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result};

/// Of a second, in `/proc/PID/stat`; the same on every Linux.
const TICKS_A_SECOND: u64 = 100;

/// Where user and system time stand behind the name in `/proc/PID/stat`: a process's own, and those of its
/// children that ended.
const OWN: [usize; 2] = [11, 12];
const ENDED_CHILDREN: [usize; 2] = [13, 14];

/// User and system time of a process so far, all threads, in steps of 10 ms.
///
/// # Errors
/// When there is no such process.
pub fn cpu(pid: u32) -> Result<Duration> {
    ticks(pid, OWN)
}

/// The same of a process with its children, those that ended too.
///
/// # Errors
/// When there is no such process.
pub fn family(pid: u32) -> Result<Duration> {
    let mut sum = ticks(pid, OWN)? + ticks(pid, ENDED_CHILDREN)?;
    for child in fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?.split_whitespace()
    {
        // One that ends meanwhile is counted with those that ended, at the next look.
        sum += ticks(child.parse()?, OWN).unwrap_or_default();
    }
    Ok(sum)
}

fn ticks(pid: u32, at: [usize; 2]) -> Result<Duration> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name before it may hold anything.
    let (_, rest) = text.rsplit_once(')').context("no name")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |at: usize| -> Result<u64> { Ok(fields.get(at).context("cut off")?.parse()?) };
    Ok(Duration::from_millis((ticks(at[0])? + ticks(at[1])?) * 1_000 / TICKS_A_SECOND))
}

/// Files, sockets and whatever else a process holds open.
///
/// # Errors
/// When there is no such process, or it is somebody else's.
pub fn handles(pid: u32) -> Result<usize> {
    Ok(fs::read_dir(format!("/proc/{pid}/fd"))?.count())
}

/// Bytes a process holds; what it shares with others counts by its share (PSS).
///
/// # Errors
/// When there is no such process, or it is somebody else's.
pub fn memory(pid: u32) -> Result<u64> {
    kib(&fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?, "Pss:")
}

/// The most bytes it ever held (peak RSS).
///
/// # Errors
/// When there is no such process.
pub fn peak(pid: u32) -> Result<u64> {
    kib(&fs::read_to_string(format!("/proc/{pid}/status"))?, "VmHWM:")
}

fn kib(text: &str, name: &str) -> Result<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1_024)
}
