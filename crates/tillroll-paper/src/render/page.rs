//! The paper as dots, as the print head laid them down.

use tillroll_escpos::{bitmap::Bitmap, typeset::Typesetter};

use super::END_MARGIN;
use crate::{
    dots::{inverted, scaled, upside_down},
    paper::{Element, Line, Run, Style, Ticket, Underline},
};

/// The whole ticket with its margins.
pub(super) fn ticket(ticket: &Ticket, typesetter: &mut Typesetter) -> Bitmap {
    let width = ticket.width + 2 * ticket.side_margin;
    let mut page = Bitmap::new(width, ticket.height() + 2 * END_MARGIN);
    let mut y = END_MARGIN;
    for element in &ticket.elements {
        match element {
            Element::Line(line) => {
                let dots = text_line(line, ticket.width, typesetter);
                page.draw(&dots, ticket.side_margin, y);
            }
            Element::Image(image) => page.draw(&image.dots, ticket.side_margin + image.x, y),
            Element::Feed(_) => {}
        }
        y += element.height();
    }
    page
}

fn text_line(line: &Line, width: u32, typesetter: &mut Typesetter) -> Bitmap {
    let runs = line.runs.iter().map(|run| run.style.height());
    let strips = line.strips.iter().map(|strip| strip.dots.height);
    let base = runs.chain(strips).max().unwrap_or(0);
    let mut dots = Bitmap::new(width, line.height);
    for run in &line.runs {
        draw_run(&mut dots, run, base, typesetter);
    }
    for strip in &line.strips {
        dots.draw(&strip.dots, strip.x, base - strip.dots.height);
    }
    if line.upside_down { upside_down(&dots) } else { dots }
}

/// Characters stand on the line's base.
fn draw_run(dots: &mut Bitmap, run: &Run, base: u32, typesetter: &mut Typesetter) {
    let y = base - run.style.height();
    let mut utf8 = [0; 4];
    for (index, c) in (0..).zip(run.text.chars()) {
        let cell = character(c.encode_utf8(&mut utf8), run.advance, run.style, typesetter);
        dots.draw(&cell, run.x + index * run.advance, y);
    }
}

/// One character with its spacing, underline and background.
fn character(c: &str, advance: u32, style: Style, typesetter: &mut Typesetter) -> Bitmap {
    let (width, height) = style.font.cell();
    let glyph = typesetter.cell(c, width, height, style.bold);
    let mut cell = Bitmap::new(advance, style.height());
    cell.draw(&scaled(glyph, style.across, style.down), 0, 0);
    let rule = match style.underline {
        Underline::None => 0,
        Underline::Thin => 1,
        Underline::Thick => 2,
    };
    cell.fill(0, cell.height - rule, advance, rule);
    if style.reverse { inverted(&cell) } else { cell }
}
