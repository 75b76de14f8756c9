//! The paper as monospace text; double-byte characters take two columns.

use crate::{
    device::FONT_A_WIDTH,
    paper::{Element, Font, Image, Line, Roll, Run, Ticket},
};

impl Ticket {
    /// What is printed, a line of text for each printed line; codes as `[QR: content]`, pictures as
    /// `[image WxH]`.
    pub fn text(&self) -> String {
        self.elements.iter().map(element).collect()
    }
}

impl Roll {
    /// All tickets, a mark after each telling whether it was cut.
    pub fn text(&self) -> String {
        self.tickets()
            .map(|ticket| {
                let mark = if ticket.complete() { "cut" } else { "not cut" };
                format!("{}-------- {mark} --------\n", ticket.text())
            })
            .collect()
    }
}

fn element(element: &Element) -> String {
    match element {
        Element::Line(line) => text_line(line),
        Element::Feed(feed) => "\n".repeat(feed.lines as usize),
        Element::Image(image) => format!("{}\n", caption(image)),
    }
}

fn caption(image: &Image) -> String {
    match &image.symbol {
        Some(symbol) => format!("[{}: {}]", symbol.kind.name(), shown(&symbol.content)),
        None => format!("[image {}x{}]", image.dots.width, image.dots.height),
    }
}

/// The content of a code may be any bytes: control characters are written out, so that a line stays one.
fn shown(content: &str) -> String {
    let mut shown = String::with_capacity(content.len());
    for c in content.chars() {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

fn text_line(line: &Line) -> String {
    let mut runs: Vec<&Run> = line.runs.iter().collect();
    runs.sort_by_key(|run| run.x);
    let mut columns = Columns::default();
    for run in runs {
        columns.run(run);
    }
    for strip in &line.strips {
        columns.text.push_str(&format!("[image {}x{}]", strip.dots.width, strip.dots.height));
    }
    columns.text.push('\n');
    columns.text
}

/// Text that grows to the right by columns.
#[derive(Default)]
struct Columns {
    text: String,
    used: u32,
}

impl Columns {
    fn run(&mut self, run: &Run) {
        for (index, c) in run.text.chars().enumerate() {
            self.pad_to(column(run.x + run.advance * index as u32));
            self.text.push(c);
            self.used += if run.style.font == Font::Wide { 2 } else { 1 };
        }
    }

    fn pad_to(&mut self, column: u32) {
        for _ in self.used..column {
            self.text.push(' ');
            self.used += 1;
        }
    }
}

fn column(x: u32) -> u32 {
    (x + FONT_A_WIDTH / 2) / FONT_A_WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    #[track_caller]
    fn assert_text(bytes: &[u8], expected: &str) {
        let roll = Roll::preview(Device::mm58(), bytes);
        let text: String = roll.tickets().map(Ticket::text).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_text(b"\xc3\xe6\x1b$\x24\x00|\n", "面 |\n");
    }

    #[test]
    fn enlarged_characters_keep_their_columns() {
        assert_text(b"\x1d!\x10ab\x1d!\x00c\n", "a b c\n");
    }

    #[test]
    fn right_alignment_reaches_the_last_column() {
        let spaces = " ".repeat(28);
        assert_text(b"\x1ba\x02abcd\n", &format!("{spaces}abcd\n"));
    }

    /// Found by a search with chance.
    #[test]
    fn control_characters_of_a_code_are_written_out() {
        assert_text(b"\x1d(k\x06\x001P0a\x1e\n\x1d(k\x03\x001Q0", "[QR: a\\u{1e}\\n]\n");
    }

    #[test]
    fn overprinted_text_appears_once_per_position() {
        assert_text(b"left\x1b$\x78\x00right\n", "left      right\n");
    }
}
