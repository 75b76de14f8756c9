//! Pages: where the next thing goes, and what was put where. Lengths in points, y down from the top.

use tillroll_escpos::typeset::GlyphLine;

use crate::day_pdf::typefaces::Weight;

/// A4 (ISO 216), 210 mm.
pub(in crate::day_pdf) const PAGE_WIDTH: f32 = 595.276;
/// A4 (ISO 216), 297 mm.
pub(in crate::day_pdf) const PAGE_HEIGHT: f32 = 841.89;
pub(super) const LEFT: f32 = 48.0;
pub(super) const RIGHT: f32 = PAGE_WIDTH - LEFT;
pub(super) const TEXT_WIDTH: f32 = RIGHT - LEFT;
const TOP: f32 = 44.0;
/// Nothing but the foot stands below this.
const BOTTOM: f32 = PAGE_HEIGHT - 62.0;
/// Where the line over the foot is.
pub(super) const FOOT: f32 = PAGE_HEIGHT - 48.0;

/// A colour by what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::day_pdf) enum Ink {
    /// Text.
    Text,
    /// Text that may be overlooked.
    Muted,
    /// As it should be.
    Good,
    /// Somebody must act.
    Bad,
    /// The product's own.
    Brand,
    /// Thin lines.
    Hairline,
    /// Behind a sum.
    Band,
    /// White.
    Paper,
}

/// A filled rectangle.
#[derive(Debug, Clone)]
pub(in crate::day_pdf) struct Bar {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
    pub ink: Ink,
}

/// A line of text at its place.
#[derive(Debug, Clone)]
pub(in crate::day_pdf) struct Placed {
    pub line: GlyphLine,
    pub x: f32,
    pub baseline: f32,
    pub weight: Weight,
    pub size: f32,
    pub ink: Ink,
}

/// One thing on a page.
#[derive(Debug, Clone)]
pub(in crate::day_pdf) enum Mark {
    /// A filled rectangle.
    Bar(Bar),
    /// A line of text.
    Line(Placed),
}

/// The pages so far; things go onto the last.
pub(super) struct Pages {
    done: Vec<Vec<Mark>>,
    current: Vec<Mark>,
    y: f32,
}

impl Default for Pages {
    fn default() -> Self {
        Self { done: Vec::new(), current: Vec::new(), y: TOP }
    }
}

impl Pages {
    /// Where the next thing goes.
    pub(super) fn y(&self) -> f32 {
        self.y
    }

    /// How much room is left on this page.
    pub(super) fn room(&self) -> f32 {
        BOTTOM - self.y
    }

    /// Leaves room.
    pub(super) fn advance(&mut self, height: f32) {
        self.y += height;
    }

    /// Goes to a new page unless there is that much room on this one, or nothing else on it.
    pub(super) fn keep(&mut self, height: f32) {
        if self.room() < height && self.y > TOP {
            self.done.push(std::mem::take(&mut self.current));
            self.y = TOP;
        }
    }

    /// Fills a rectangle.
    pub(super) fn bar(&mut self, x: f32, y: f32, width: f32, height: f32, ink: Ink) {
        self.current.push(Mark::Bar(Bar { x, y, width, height, ink }));
    }

    /// A thin line over the whole width.
    pub(super) fn hairline(&mut self) {
        self.bar(LEFT, self.y, TEXT_WIDTH, 0.6, Ink::Hairline);
    }

    /// Puts a line of text; `(x, baseline)` is its left end.
    pub(super) fn line(
        &mut self,
        line: GlyphLine,
        (x, baseline): (f32, f32),
        weight: Weight,
        size: f32,
        ink: Ink,
    ) {
        self.current.push(Mark::Line(Placed { line, x, baseline, weight, size, ink }));
    }

    /// How many pages there are.
    pub(super) fn count(&self) -> usize {
        self.done.len() + 1
    }

    /// Puts a line of text at the foot of a page.
    pub(super) fn foot(&mut self, page: usize, line: GlyphLine, x: f32, size: f32) {
        let (baseline, weight, ink) = (FOOT + 14.0, Weight::Regular, Ink::Muted);
        self.on(page).push(Mark::Line(Placed { line, x, baseline, weight, size, ink }));
    }

    /// Puts a thin line over the whole width of a page.
    pub(super) fn bar_on(&mut self, page: usize, y: f32) {
        let bar = Bar { x: LEFT, y, width: TEXT_WIDTH, height: 0.6, ink: Ink::Hairline };
        self.on(page).push(Mark::Bar(bar));
    }

    fn on(&mut self, page: usize) -> &mut Vec<Mark> {
        self.done.get_mut(page).unwrap_or(&mut self.current)
    }

    /// What is on each page.
    pub(super) fn finish(mut self) -> Vec<Vec<Mark>> {
        self.done.push(self.current);
        self.done
    }
}
