//! The print area, alignment, and the printing of lines.

use super::Interpreter;
use crate::{
    device::FONT_A_HEIGHT,
    paper::{Element, Line},
};

impl Interpreter {
    /// Width of the print area in dots, from the left margin.
    pub(super) fn area_width(&self) -> u32 {
        let free = self.device.dots.saturating_sub(self.mode.left_margin);
        self.mode.area_width.min(free)
    }

    /// Left edge of something `width` wide under the current alignment.
    pub(super) fn placed(&self, width: u32) -> u32 {
        let spare = self.area_width().saturating_sub(width);
        let shift = match self.mode.alignment {
            1 => spare / 2,
            2 => spare,
            _ => 0,
        };
        self.mode.left_margin + shift
    }

    /// LF: prints the line, or feeds a blank one.
    pub(super) fn print_line(&mut self) {
        self.print_and_feed(self.mode.line_spacing);
    }

    /// Prints the line if there is one.
    pub(super) fn print_pending(&mut self) {
        if !self.line.is_empty() {
            self.print_line();
        }
    }

    /// Prints the line and feeds `spacing` dots, at least the height of its characters.
    pub(super) fn print_and_feed(&mut self, spacing: u32) {
        self.line.x = 0;
        if self.line.is_empty() {
            let height = if spacing == 0 { FONT_A_HEIGHT } else { spacing };
            return self.feed_paper(height, 1);
        }
        let height = self.line.height().max(spacing);
        let upside_down = self.mode.upside_down;
        let line = std::mem::take(&mut self.line).into_line(|width| self.placed(width));
        self.put(Element::Line(Line { height, upside_down, ..line }));
    }

    /// `ESC d n`: prints the line and feeds n lines.
    pub(super) fn feed_lines(&mut self, lines: u8) {
        let lines = u32::from(lines);
        let spacing = self.mode.line_spacing;
        if self.line.is_empty() {
            return self.feed_paper(spacing * lines, lines);
        }
        self.print_and_feed(if lines == 0 { 0 } else { spacing });
        self.feed_paper(spacing * lines.saturating_sub(1), lines.saturating_sub(1));
    }

    /// `ESC J n`: prints the line and feeds n vertical units.
    pub(super) fn feed_units(&mut self, units: u8) {
        let dots = self.mode.units.down(units.into());
        if self.line.is_empty() {
            self.feed_paper(dots, 0);
        } else {
            self.print_and_feed(dots);
        }
    }

    /// HT: to the next tab stop; without one the position stays.
    pub(super) fn tab(&mut self) {
        let next = self.mode.tab_stops.iter().find(|stop| **stop > self.line.x);
        if let Some(stop) = next.filter(|stop| **stop < self.area_width()) {
            self.line.x = *stop;
        }
    }

    /// `ESC $`: absolute position; ignored beyond the area.
    pub(super) fn move_to(&mut self, units: u16) {
        let x = self.mode.units.across(units.into());
        if x <= self.area_width() {
            self.line.x = x;
        }
    }

    /// `ESC \`: relative position, two's complement; ignored beyond the area.
    pub(super) fn move_by(&mut self, units: i16) {
        let distance = self.mode.units.across(units.unsigned_abs().into());
        let moved = match units {
            0.. => self.line.x.checked_add(distance),
            _ => self.line.x.checked_sub(distance),
        };
        if let Some(x) = moved.filter(|x| *x <= self.area_width()) {
            self.line.x = x;
        }
    }
}
