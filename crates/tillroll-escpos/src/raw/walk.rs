//! The walk over a raw job: one command at a time is kept, taken out, or stands for the end.

use std::borrow::Cow;

use super::grammar::{self, Command, Effect, Stop};
use super::reset::Changed;
use super::{REMOVED_MAX, Removed, Sanitized, What, pulse};
use crate::command::{ESC, LF};
use crate::realtime;

/// ESC S: back to standard mode; what stands on the page is lost, as with `ESC @`.
const ESC_S: [u8; 2] = [ESC, b'S'];

pub(super) fn walk(job: &[u8]) -> Sanitized {
    let mut job = Cow::Borrowed(job);
    let mut walk = Walk::default();
    let mut at = 0;
    while at < job.len() {
        let rest = &job[at..];
        match grammar::next(rest) {
            Ok(command) => {
                walk.take(&rest[..command.len], command, at);
                at += command.len;
            }
            Err(Stop::Unknown) => {
                // Where a pulse stood in its parameters, the command may be known without it.
                if !walk.blank_pulses(&mut job.to_mut()[at..], at) {
                    return walk.end_unknown(&job[at..]);
                }
            }
            Err(Stop::Truncated) => {
                walk.remove(What::Truncated, at);
                return walk.end(false);
            }
        }
    }
    walk.end(true)
}

#[derive(Default)]
struct Walk {
    out: Vec<u8>,
    /// Length of `out` behind the last printing before the tail.
    printed: usize,
    /// A cut was seen behind the last ink: the tail has begun.
    in_tail: bool,
    /// Ink waits for the end of its line.
    line_open: bool,
    page_mode: bool,
    /// Something stood in the job that devices differ on.
    doubtful: bool,
    changed: Changed,
    cuts: u32,
    drawer_pulses: u32,
    removed: Vec<Removed>,
}

impl Walk {
    fn take(&mut self, bytes: &[u8], command: Command, offset: usize) {
        match command.effect {
            Effect::Remove(what) => return self.remove(what, offset),
            Effect::Cut => self.before_cut(),
            Effect::EnterPage => self.enter_page(),
            Effect::Mode => self.changed.note(bytes),
            Effect::LineInk | Effect::BlockInk | Effect::Feed | Effect::LeavePage => {}
        }
        self.keep(bytes, command.picture);
        match command.effect {
            Effect::LineInk => self.inked(true),
            Effect::BlockInk => self.inked(false),
            Effect::Feed => self.fed(),
            Effect::LeavePage => self.leave_page(),
            Effect::Cut | Effect::Mode | Effect::EnterPage | Effect::Remove(_) => {}
        }
    }

    fn keep(&mut self, bytes: &[u8], picture: Option<usize>) {
        let start = self.out.len();
        self.out.extend_from_slice(bytes);
        if let Some(head) = picture {
            // The byte before the picture may begin a sequence; it stays as it is.
            realtime::defuse(&mut self.out[start + head - 1..]);
        }
    }

    fn inked(&mut self, line_open: bool) {
        self.in_tail = false;
        self.line_open = line_open;
        self.printed = self.out.len();
    }

    fn fed(&mut self) {
        self.line_open = false;
        if !self.in_tail {
            self.printed = self.out.len();
        }
    }

    /// In standard mode, FF and ESC S are nothing to most devices.
    fn leave_page(&mut self) {
        if std::mem::take(&mut self.page_mode) {
            self.fed();
        }
    }

    /// Page mode begins at the beginning of a line only.
    fn enter_page(&mut self) {
        self.close_line();
        self.page_mode = true;
    }

    /// A cut works at the beginning of a line only, so a line still open is printed first.
    /// Devices differ on a cut in page mode.
    fn before_cut(&mut self) {
        if self.page_mode {
            self.doubtful = true;
            return;
        }
        self.close_line();
        self.in_tail = true;
        self.cuts = self.cuts.saturating_add(1);
    }

    /// Prints the open line with the settings that stood behind its last ink.
    fn close_line(&mut self) {
        if self.line_open && !self.page_mode {
            self.out.insert(self.printed, LF);
            self.printed += 1;
            self.line_open = false;
        }
    }

    fn remove(&mut self, what: What, offset: usize) {
        if self.removed.len() < REMOVED_MAX {
            self.removed.push(Removed { what, offset });
        }
        match what {
            What::Initialise => self.initialise(),
            What::DrawerPulse => self.drawer_pulses = self.drawer_pulses.saturating_add(1),
            What::StatusBack | What::Realtime | What::StatusRequest | What::Truncated => {}
        }
    }

    /// What `ESC @` did, without its ending automatic status. The open line, which a device would drop,
    /// is printed: nothing of a receipt is lost.
    fn initialise(&mut self) {
        if self.page_mode {
            self.out.extend(ESC_S);
            self.leave_page();
        }
        self.close_line();
        self.changed.reset(&mut self.out);
    }

    fn end(mut self, whole: bool) -> Sanitized {
        self.close_line();
        let certain = whole && !self.page_mode && !self.doubtful;
        let understood = certain && !realtime::is_in(&self.out);
        let cut = self.out.split_off(self.printed);
        self.finish(cut, understood)
    }

    /// Overwrites the drawer pulses from an unknown command on; whether there were any.
    fn blank_pulses(&mut self, rest: &mut [u8], offset: usize) -> bool {
        let blanked = pulse::blank(rest);
        for at in &blanked {
            self.remove(What::DrawerPulse, offset + at);
        }
        self.doubtful |= !blanked.is_empty();
        !blanked.is_empty()
    }

    /// From an unknown command on the job passes as it is, its end included.
    fn end_unknown(mut self, rest: &[u8]) -> Sanitized {
        self.out.extend_from_slice(rest);
        self.finish(Vec::new(), false)
    }

    fn finish(self, cut: Vec<u8>, understood: bool) -> Sanitized {
        let left = pulse::left(&self.out) + pulse::left(&cut);
        Sanitized {
            body: self.out,
            cut,
            cuts: self.cuts,
            removed: self.removed,
            drawer_pulses: self.drawer_pulses.saturating_add(left),
            pulse_left: left > 0,
            understood,
        }
    }
}
