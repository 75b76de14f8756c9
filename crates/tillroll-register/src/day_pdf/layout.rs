//! Where everything stands: blocks flow down A4 pages, tables break between rows and repeat their head.

mod page;
mod table;

use self::page::Pages;
pub(super) use self::page::{Bar, Ink, Mark, PAGE_HEIGHT, PAGE_WIDTH, Placed};
use super::typefaces::{Typefaces, Weight};

/// What a document is made of, top to bottom.
#[derive(Debug, Clone)]
pub(super) enum Block {
    /// The title, with the verdict on its right.
    Title { text: String, verdict: String, good: bool },
    /// Small words with what they name below, side by side.
    Facts(Vec<(String, String)>),
    /// The heading of what follows.
    Section(String),
    /// A sentence.
    Sentence(Cell),
    /// Rows and columns.
    Table(Table),
}

/// Rows and columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// What stands over it; a table whose heads are all empty has none.
    pub head: String,
    /// Its share of the table's width.
    pub share: f32,
    /// It stands at the right edge, in one line.
    pub is_number: bool,
}

impl Column {
    /// A column of words, broken over lines where they need more room.
    pub(super) fn words(head: impl Into<String>, share: f32) -> Self {
        Self { head: head.into(), share, is_number: false }
    }

    /// A column of numbers, set smaller where they need more room.
    pub(super) fn numbers(head: impl Into<String>, share: f32) -> Self {
        Self { head: head.into(), share, is_number: true }
    }
}

/// A row of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    /// One for each column.
    pub cells: Vec<Cell>,
    /// A line below that spans the columns.
    pub note: Option<Cell>,
    /// It stands on a band, as a sum does.
    pub is_sum: bool,
}

impl Row {
    /// A plain row.
    pub(super) fn of(cells: impl Into<Vec<Cell>>) -> Self {
        Self { cells: cells.into(), ..Self::default() }
    }
}

/// A text and how it is shown.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// The text.
    pub text: String,
    /// Its colour.
    pub ink: Ink,
    /// Its weight.
    pub weight: Weight,
}

impl Cell {
    /// Text as it is.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ink: Ink::Text, weight: Weight::Regular }
    }

    /// Text that may be overlooked.
    pub(super) fn muted(text: impl Into<String>) -> Self {
        Self { ink: Ink::Muted, ..Self::plain(text) }
    }

    /// Text that stands out.
    pub(super) fn strong(text: impl Into<String>) -> Self {
        Self { weight: Weight::Bold, ..Self::plain(text) }
    }

    /// Text that somebody must act on.
    pub(super) fn bad(text: impl Into<String>) -> Self {
        Self { ink: Ink::Bad, ..Self::strong(text) }
    }

    /// Text that says all is well.
    pub(super) fn good(text: impl Into<String>) -> Self {
        Self { ink: Ink::Good, ..Self::strong(text) }
    }
}

/// What stands at the foot of each page.
#[derive(Debug, Clone)]
pub(super) struct Footer {
    /// On the left.
    pub left: String,
    /// On the right, with `{page}` and `{pages}` in it.
    pub page: &'static str,
}

const TITLE: f32 = 22.0;
const VERDICT: f32 = 9.5;
const SECTION: f32 = 12.0;
const TEXT: f32 = 9.0;
const SMALL: f32 = 7.5;
/// From one baseline to the next, in type sizes: room for Chinese and for accents on capitals.
const LEADING: f32 = 1.4;
/// From the top of a line to its baseline, in type sizes.
const ASCENT: f32 = 1.07;
/// A heading stays with the head of its table and a few rows.
const KEPT_WITH_HEADING: f32 = 96.0;

/// Lays the blocks out.
pub(super) fn pages(
    blocks: &[Block],
    footer: &Footer,
    typefaces: &mut Typefaces,
) -> Vec<Vec<Mark>> {
    let mut flow = Flow { pages: Pages::default(), typefaces };
    flow.pages.bar(0.0, 0.0, PAGE_WIDTH, 6.0, Ink::Brand);
    blocks.iter().for_each(|block| flow.place(block));
    flow.number(footer);
    flow.pages.finish()
}

struct Flow<'a> {
    pages: Pages,
    typefaces: &'a mut Typefaces,
}

impl Flow<'_> {
    fn place(&mut self, block: &Block) {
        match block {
            Block::Title { text, verdict, good } => self.title(text, verdict, *good),
            Block::Facts(facts) => self.facts(facts),
            Block::Section(text) => self.section(text),
            Block::Sentence(cell) => self.sentence(cell),
            Block::Table(table) => table::place(table, &mut self.pages, self.typefaces),
        }
    }

    fn title(&mut self, text: &str, verdict: &str, good: bool) {
        let lines = self.typefaces.lines(verdict, Weight::Bold, VERDICT, None);
        for line in lines {
            let ink = if good { Ink::Good } else { Ink::Bad };
            let (width, height) = (line.width + 20.0, 22.0);
            let (left, top) = (page::RIGHT - width, self.pages.y() + 5.0);
            self.pages.bar(left, top, width, height, ink);
            let baseline = top + height / 2.0 + VERDICT * 0.36;
            self.pages.line(line, (left + 10.0, baseline), Weight::Bold, VERDICT, Ink::Paper);
        }
        self.paragraph(&Cell::strong(text), TITLE, page::LEFT);
        self.pages.advance(10.0);
    }

    fn facts(&mut self, facts: &[(String, String)]) {
        let each = page::TEXT_WIDTH / facts.len().max(1) as f32;
        let (top, mut bottom) = (self.pages.y(), self.pages.y());
        for (at, (name, value)) in facts.iter().enumerate() {
            let left = page::LEFT + at as f32 * each;
            let y = self.column(&Cell::muted(name), SMALL, left, each - 8.0, top);
            let y = self.column(&Cell::strong(value), 10.5, left, each - 8.0, y + 1.0);
            bottom = bottom.max(y);
        }
        self.pages.advance(bottom - top + 4.0);
    }

    /// Sets a text into a width from `top` down; where it ends.
    fn column(&mut self, cell: &Cell, size: f32, left: f32, width: f32, top: f32) -> f32 {
        let mut y = top;
        for line in self.typefaces.lines(&cell.text, cell.weight, size, Some(width)) {
            self.pages.line(line, (left, y + size * ASCENT), cell.weight, size, cell.ink);
            y += size * LEADING;
        }
        y
    }

    fn section(&mut self, text: &str) {
        self.pages.advance(18.0);
        self.pages.keep(KEPT_WITH_HEADING);
        self.paragraph(&Cell { ink: Ink::Brand, ..Cell::strong(text) }, SECTION, page::LEFT);
        self.pages.advance(3.0);
    }

    fn sentence(&mut self, cell: &Cell) {
        self.pages.advance(4.0);
        self.paragraph(cell, TEXT, page::LEFT + table::INSET);
    }

    fn paragraph(&mut self, cell: &Cell, size: f32, left: f32) {
        let width = page::RIGHT - left;
        for line in self.typefaces.lines(&cell.text, cell.weight, size, Some(width)) {
            self.pages.keep(size * LEADING);
            let baseline = self.pages.y() + size * ASCENT;
            self.pages.line(line, (left, baseline), cell.weight, size, cell.ink);
            self.pages.advance(size * LEADING);
        }
    }

    /// Foots come last, when it is known how many pages there are.
    fn number(&mut self, footer: &Footer) {
        let pages = self.pages.count();
        for page in 0..pages {
            self.pages.bar_on(page, page::FOOT);
            let number = footer.page.replace("{page}", &(page + 1).to_string());
            let number = number.replace("{pages}", &pages.to_string());
            for (text, is_right) in [(footer.left.as_str(), false), (number.as_str(), true)] {
                for line in self.typefaces.lines(text, Weight::Regular, SMALL, None) {
                    let x = if is_right { page::RIGHT - line.width } else { page::LEFT };
                    self.pages.foot(page, line, x, SMALL);
                }
            }
        }
    }
}
