//! Commands on standard input.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::os::fd::AsFd as _;
use std::str::FromStr;
use std::thread;

use rustix::fs::FileType;
use serde_json::json;
use tillroll_paper::printer::BadFault;
use tillroll_paper::{DeviceError, Fault, Paper, VirtualPrinter};
use tokio::sync::mpsc;

use crate::output::Output;

/// The longest line that is read, in bytes.
const LINE_MOST: u64 = 1_000;
/// Lines that wait at most; whoever writes more waits too.
const WAITING: usize = 16;

/// What the printer can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Control {
    Paper(Paper),
    Cover { open: bool },
    Power { on: bool },
    Offline(bool),
    Error(Option<DeviceError>),
    Fault(Fault),
    ClearFaults,
    Quit,
}

/// The line is no command.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum BadControl {
    #[error("not a command; see: tillctl paper --help")]
    Unknown,
    #[error(transparent)]
    Fault(#[from] BadFault),
}

impl FromStr for Control {
    type Err = BadControl;

    fn from_str(line: &str) -> Result<Self, BadControl> {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        if word == "fault" {
            return Ok(Self::Fault(rest.parse()?));
        }
        Ok(match (word, rest) {
            ("paper", "ok") => Self::Paper(Paper::Ok),
            ("paper", "near-end") => Self::Paper(Paper::NearEnd),
            ("paper", "end") => Self::Paper(Paper::End),
            ("cover", "open") => Self::Cover { open: true },
            ("cover", "close") => Self::Cover { open: false },
            ("power", "on") => Self::Power { on: true },
            ("power", "off") => Self::Power { on: false },
            ("offline", "on") => Self::Offline(true),
            ("offline", "off") => Self::Offline(false),
            ("error", "cutter") => Self::Error(Some(DeviceError::Cutter)),
            ("error", "recoverable") => Self::Error(Some(DeviceError::Recoverable)),
            ("error", "unrecoverable") => Self::Error(Some(DeviceError::Unrecoverable)),
            ("error", "none") => Self::Error(None),
            ("faults", "clear") => Self::ClearFaults,
            ("quit", "") => Self::Quit,
            _ => return Err(BadControl::Unknown),
        })
    }
}

impl Control {
    fn apply(self, printer: &VirtualPrinter) {
        match self {
            Self::Paper(paper) => printer.set_paper(paper),
            Self::Cover { open } => printer.set_cover(open),
            Self::Power { on: true } => printer.power_on(),
            Self::Power { on: false } => printer.power_off(),
            Self::Offline(offline) => printer.set_offline(offline),
            Self::Error(error) => printer.set_error(error),
            Self::Fault(fault) => printer.fault(fault),
            Self::ClearFaults => printer.clear_faults(),
            Self::Quit => {}
        }
    }
}

/// Does what the line says, and says so.
pub(super) fn answer(
    line: &str,
    control: Result<Control, BadControl>,
    printer: &VirtualPrinter,
    output: &Output,
) {
    let said = match control {
        Ok(control) => {
            control.apply(printer);
            json!({ "done": line.trim() })
        }
        Err(error) => json!({ "error": error.to_string(), "line": line.trim() }),
    };
    // Whoever drives it need not listen: a closed standard output is no reason to end.
    let _ = output.json(&said);
}

/// The lines of standard input, read on a thread of its own.
pub(super) struct Lines {
    lines: mpsc::Receiver<String>,
}

impl Lines {
    pub(super) fn of_stdin() -> Self {
        let (sender, lines) = mpsc::channel(WAITING);
        thread::spawn(move || read(&sender));
        Self { lines }
    }

    /// The next line; waits for good when there are no more.
    pub(super) async fn next(&mut self) -> String {
        match self.lines.recv().await {
            Some(line) => line,
            None => std::future::pending().await,
        }
    }
}

fn read(lines: &mpsc::Sender<String>) {
    if is_in_the_background() {
        return;
    }
    let mut stdin = io::stdin().lock();
    loop {
        let mut line = String::new();
        match stdin.by_ref().take(LINE_MOST).read_line(&mut line) {
            Ok(1..) => {
                if !line.trim().is_empty() && lines.blocking_send(line).is_err() {
                    return;
                }
            }
            Ok(0) | Err(_) => break,
        }
    }
    if end_means_quit() {
        // The program may have ended already.
        let _ = lines.blocking_send("quit".to_owned());
    }
}

/// A job in the background of a terminal is stopped by the system when it reads from it.
fn is_in_the_background() -> bool {
    let foreground = rustix::termios::tcgetpgrp(io::stdin().as_fd());
    foreground.is_ok_and(|group| group != rustix::process::getpgrp())
}

/// Whoever holds a pipe or a terminal ends the printer by closing it; `</dev/null` and a standard input
/// that never was mean nothing.
fn end_means_quit() -> bool {
    let stdin = io::stdin();
    let Ok(stat) = rustix::fs::fstat(stdin.as_fd()) else { return false };
    let kind = FileType::from_raw_mode(stat.st_mode);
    stdin.is_terminal() || matches!(kind, FileType::Fifo | FileType::Socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_from_lines() {
        assert_eq!("paper end\n".parse(), Ok(Control::Paper(Paper::End)));
        assert_eq!("cover close".parse(), Ok(Control::Cover { open: false }));
        let fault = Control::Fault(Fault::ResetAfterBytes(40));
        assert_eq!("fault reset-after-bytes=40".parse(), Ok(fault));
        assert_eq!("quit".parse(), Ok(Control::Quit));
    }

    #[test]
    fn line_that_is_no_command_is_an_error() {
        for line in ["", "paper", "paper full", "quit now", "fault", "fault fire=1"] {
            assert!(line.parse::<Control>().is_err(), "{line:?}");
        }
    }
}
