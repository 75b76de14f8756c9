//! The line buffer: what was received for the current line and is not printed yet.

use tillroll_escpos::bitmap::Bitmap;

use crate::paper::{Line, Run, Strip, Style};

/// Runs and column images one line holds at most; a host that overprints more loses the rest.
const MAX_PIECES: usize = 1024;

/// Text and column images by position from the left end of the print area.
#[derive(Debug, Default)]
pub(super) struct LineBuffer {
    runs: Vec<Run>,
    strips: Vec<Strip>,
    /// Next print position in dots.
    pub(super) x: u32,
    height: u32,
    end: u32,
}

impl LineBuffer {
    /// Whether the printer is at the beginning of a line.
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.strips.is_empty()
    }

    /// Height of the tallest thing in it.
    pub(super) fn height(&self) -> u32 {
        self.height
    }

    /// All its characters in order of arrival.
    pub(super) fn text(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }

    /// Adds a character at the print position.
    pub(super) fn character(&mut self, c: char, style: Style, (before, after): (u32, u32)) {
        let advance = before + style.width() + after;
        let x = self.x + before;
        let full = self.is_full();
        match self.runs.last_mut() {
            Some(run) if run.style == style && run.advance == advance && run.end() == x => {
                run.text.push(c);
            }
            _ if full => {}
            _ => self.runs.push(Run { x, text: c.into(), advance, style }),
        }
        self.occupy(advance, style.height());
    }

    /// Adds a column image at the print position.
    pub(super) fn strip(&mut self, dots: Bitmap) {
        let (width, height) = (dots.width, dots.height);
        if !self.is_full() {
            self.strips.push(Strip { x: self.x, dots });
        }
        self.occupy(width, height);
    }

    /// The line, shifted right by what `place` answers for its width.
    pub(super) fn into_line(self, place: impl FnOnce(u32) -> u32) -> Line {
        let Self { mut runs, mut strips, end, .. } = self;
        let shift = place(end);
        runs.iter_mut().for_each(|run| run.x += shift);
        strips.iter_mut().for_each(|strip| strip.x += shift);
        Line { runs, strips, height: 0, upside_down: false }
    }

    fn is_full(&self) -> bool {
        self.runs.len() + self.strips.len() >= MAX_PIECES
    }

    fn occupy(&mut self, width: u32, height: u32) {
        self.x += width;
        self.end = self.end.max(self.x);
        self.height = self.height.max(height);
    }
}
