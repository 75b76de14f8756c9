//! Tables: numbers at the right edge of their column, words broken over lines, rows never broken.

use tillroll_escpos::typeset::GlyphLine;

use super::page::{self, Ink, Pages};
use super::{ASCENT, Cell, Column, LEADING, Row, SMALL, TEXT, Table};
use crate::day_pdf::typefaces::{Typefaces, Weight};

/// Above and below the text of a row.
const PADDING: f32 = 3.2;
/// Between two columns.
const GUTTER: f32 = 10.0;
/// From the edge of the table to its text.
pub(super) const INSET: f32 = 6.0;

/// Puts a table onto the pages, its head on each.
pub(super) fn place(table: &Table, pages: &mut Pages, typefaces: &mut Typefaces) {
    let columns = spans(&table.columns);
    let head = head(&table.columns).map(|head| measured(&head, &columns, SMALL, typefaces));
    let head_height = head.as_ref().map_or(0.0, |head| head.height);
    let mut needs_head = true;
    for row in &table.rows {
        let row = measured(row, &columns, TEXT, typefaces);
        if pages.room() < row.height || needs_head {
            pages.keep(row.height + head_height);
            if let Some(head) = &head {
                head.clone().draw(pages, &columns);
            }
            needs_head = false;
        }
        row.draw(pages, &columns);
    }
}

/// Where a column stands.
struct Span {
    left: f32,
    width: f32,
    is_number: bool,
}

fn spans(columns: &[Column]) -> Vec<Span> {
    let gutters = GUTTER * columns.len().saturating_sub(1) as f32;
    let space = page::TEXT_WIDTH - 2.0 * INSET - gutters;
    let shares: f32 = columns.iter().map(|column| column.share).sum();
    let mut left = page::LEFT + INSET;
    let mut spans = Vec::with_capacity(columns.len());
    for column in columns {
        let width = space * column.share / shares.max(f32::EPSILON);
        spans.push(Span { left, width, is_number: column.is_number });
        left += width + GUTTER;
    }
    spans
}

fn head(columns: &[Column]) -> Option<Row> {
    let is_bare = columns.iter().all(|column| column.head.is_empty());
    let cells = columns.iter().map(|column| Cell::muted(&column.head)).collect::<Vec<_>>();
    (!is_bare).then(|| Row::of(cells))
}

/// A text that was set.
#[derive(Clone)]
struct Set {
    lines: Vec<GlyphLine>,
    size: f32,
    weight: Weight,
    ink: Ink,
}

impl Set {
    fn height(&self) -> f32 {
        self.lines.len() as f32 * self.size * LEADING
    }
}

/// A row that was set.
#[derive(Clone)]
struct Measured {
    cells: Vec<Set>,
    note: Option<Set>,
    is_sum: bool,
    height: f32,
}

fn measured(row: &Row, columns: &[Span], size: f32, typefaces: &mut Typefaces) -> Measured {
    let cells = row.cells.iter().zip(columns);
    let cells: Vec<_> = cells
        .map(|(cell, span)| {
            // What stands over numbers is words.
            let fits_one_line = span.is_number && size > SMALL;
            let weight = if row.is_sum { Weight::Bold } else { cell.weight };
            let cell = Cell { weight, ..cell.clone() };
            set(&cell, size, span.width, fits_one_line, typefaces)
        })
        .collect();
    let across = page::TEXT_WIDTH - 2.0 * INSET;
    let note = row.note.as_ref().map(|note| set(note, size, across, false, typefaces));
    let tallest = cells.iter().map(Set::height).fold(size * LEADING, f32::max);
    let height = tallest + note.as_ref().map_or(0.0, Set::height) + 2.0 * PADDING;
    Measured { cells, note, is_sum: row.is_sum, height }
}

fn set(cell: &Cell, size: f32, width: f32, one_line: bool, typefaces: &mut Typefaces) -> Set {
    let Cell { text, ink, weight } = cell;
    let broken_at = (!one_line).then_some(width);
    let mut size = size;
    let mut lines = typefaces.lines(text, *weight, size, broken_at);
    let widest = lines.iter().map(|line| line.width).fold(0.0, f32::max);
    if one_line && widest > width {
        size *= width / widest;
        lines = typefaces.lines(text, *weight, size, None);
    }
    Set { lines, size, weight: *weight, ink: *ink }
}

impl Measured {
    fn draw(self, pages: &mut Pages, columns: &[Span]) {
        let top = pages.y();
        if self.is_sum {
            pages.bar(page::LEFT, top, page::TEXT_WIDTH, self.height, Ink::Band);
        }
        let mut bottom = top + PADDING;
        for (cell, span) in self.cells.into_iter().zip(columns) {
            bottom = bottom.max(draw(cell, span, top + PADDING, pages));
        }
        if let Some(note) = self.note {
            let across =
                Span { left: page::LEFT + INSET, width: page::TEXT_WIDTH, is_number: false };
            draw(note, &across, bottom, pages);
        }
        pages.advance(self.height);
        pages.hairline();
    }
}

/// Draws a text from `top` down; where it ends.
fn draw(set: Set, span: &Span, top: f32, pages: &mut Pages) -> f32 {
    let Set { lines, size, weight, ink } = set;
    let mut y = top;
    for line in lines {
        let x = if span.is_number { span.left + span.width - line.width } else { span.left };
        pages.line(line, (x, y + size * ASCENT), weight, size, ink);
        y += size * LEADING;
    }
    y
}
