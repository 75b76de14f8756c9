//! The paper as an SVG drawing: text stays text, pictures and codes are embedded.

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tillroll_escpos::bitmap::Bitmap;

use super::{END_MARGIN, RenderError, png};
use crate::paper::{Element, Font, Line, Roll, Run, Ticket, Underline};

/// Desk around the paper, in dots.
const DESK: u32 = 24;
/// Height of a tooth of torn paper, in dots.
const TOOTH: u32 = 8;
/// Millimetres of one dot at 203 dpi.
const MM_PER_DOT: f64 = 25.4 / 203.0;
/// Part of a cell above the base line of its glyph.
const ASCENT: f64 = 0.8;

impl Ticket {
    /// The ticket as it would lie on a desk.
    ///
    /// # Errors
    /// [`RenderError`] if a picture on it cannot be encoded.
    pub fn svg(&self) -> Result<String, RenderError> {
        drawing(&[self])
    }
}

impl Roll {
    /// All tickets, one below the other.
    ///
    /// # Errors
    /// [`RenderError`] if a picture on them cannot be encoded.
    pub fn svg(&self) -> Result<String, RenderError> {
        drawing(&self.tickets().collect::<Vec<_>>())
    }
}

fn drawing(tickets: &[&Ticket]) -> Result<String, RenderError> {
    let width = tickets.iter().map(|ticket| paper_width(ticket)).max().unwrap_or(0) + 2 * DESK;
    let height: u32 = tickets.iter().map(|ticket| paper_height(ticket) + DESK).sum::<u32>() + DESK;
    let mut drawing = Drawing(String::new());
    let [wide_mm, high_mm] = [width, height].map(|dots| f64::from(dots) * MM_PER_DOT);
    drawing.add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{wide_mm:.1}mm\" height=\"{high_mm:.1}mm\" xml:space=\"preserve\" font-family=\"'DejaVu Sans Mono', \
         'Noto Sans Mono CJK SC', 'Noto Sans CJK SC', monospace\">\n"
    ));
    let mut y = DESK;
    for ticket in tickets {
        drawing.ticket(ticket, y)?;
        y += paper_height(ticket) + DESK;
    }
    drawing.add(format_args!("</svg>\n"));
    Ok(drawing.0)
}

fn paper_width(ticket: &Ticket) -> u32 {
    ticket.width + 2 * ticket.side_margin
}

fn paper_height(ticket: &Ticket) -> u32 {
    ticket.height() + 2 * END_MARGIN
}

struct Drawing(String);

impl Drawing {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(text);
    }

    fn ticket(&mut self, ticket: &Ticket, y: u32) -> Result<(), RenderError> {
        self.add(format_args!("<g transform=\"translate({DESK} {y})\">\n"));
        self.paper(paper_width(ticket), paper_height(ticket), ticket.complete());
        let (left, top) = (ticket.side_margin, END_MARGIN);
        self.add(format_args!("<g transform=\"translate({left} {top})\" fill=\"#1c1c1c\">\n"));
        let mut y = 0;
        for element in &ticket.elements {
            match element {
                Element::Line(line) => self.line(line, ticket.width, y)?,
                Element::Image(image) => self.image(&image.dots, image.x, y)?,
                Element::Feed(_) => {}
            }
            y += element.height();
        }
        self.add(format_args!("</g>\n</g>\n"));
        Ok(())
    }

    /// White paper, its lower edge cut straight, or torn if it still hangs in the printer.
    fn paper(&mut self, width: u32, height: u32, cut: bool) {
        let mut edge = format!("M0 0H{width}V{height}");
        if !cut {
            for x in (0..width).step_by(2 * TOOTH as usize).collect::<Vec<_>>().into_iter().rev() {
                let (middle, above) = (x + TOOTH, height.saturating_sub(TOOTH));
                let _ = write!(edge, "L{middle} {above}L{x} {height}");
            }
        }
        self.add(format_args!(
            "<path d=\"{edge}H0Z\" fill=\"#fffefb\" stroke=\"#d8d4cc\" stroke-width=\"2\"/>\n"
        ));
    }

    fn line(&mut self, line: &Line, width: u32, y: u32) -> Result<(), RenderError> {
        if line.upside_down {
            let (x, turned) = (width, y + line.height);
            self.add(format_args!("<g transform=\"translate({x} {turned}) rotate(180)\">\n"));
        } else {
            self.add(format_args!("<g transform=\"translate(0 {y})\">\n"));
        }
        let runs = line.runs.iter().map(|run| run.style.height());
        let strips = line.strips.iter().map(|strip| strip.dots.height);
        let base = runs.chain(strips).max().unwrap_or(0);
        for run in &line.runs {
            self.run(run, base - run.style.height());
        }
        for strip in &line.strips {
            self.image(&strip.dots, strip.x, base - strip.dots.height)?;
        }
        self.add(format_args!("</g>\n"));
        Ok(())
    }

    fn run(&mut self, run: &Run, y: u32) {
        let style = run.style;
        let (x, width, height) = (run.x, run.end() - run.x, style.height());
        if style.reverse {
            self.add(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
            ));
        }
        let (cell_width, cell_height) = style.font.cell();
        let base = f64::from(cell_height) * ASCENT;
        let size = if style.font == Font::Wide { cell_width } else { cell_height * 5 / 6 };
        let (across, down) = (style.across, style.down);
        self.add(format_args!(
            "<text transform=\"translate({x} {y}) scale({across} {down})\" y=\"{base:.1}\" \
             font-size=\"{size}\"{}{} x=\"",
            if style.bold { " font-weight=\"bold\"" } else { "" },
            if style.reverse { " fill=\"#fffefb\"" } else { "" },
        ));
        for index in 0..run.text.chars().count() as u32 {
            self.add(format_args!("{} ", index * run.advance / across));
        }
        self.add(format_args!("\">{}</text>\n", Escaped(&run.text)));
        let rule = match style.underline {
            Underline::None => return,
            Underline::Thin => 1,
            Underline::Thick => 2,
        };
        let y = y + height - rule;
        self.add(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{rule}\"/>\n"));
    }

    fn image(&mut self, dots: &Bitmap, x: u32, y: u32) -> Result<(), RenderError> {
        let Bitmap { width, height, .. } = dots;
        let png = STANDARD.encode(png::encode(dots)?);
        self.add(format_args!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             style=\"image-rendering:pixelated;mix-blend-mode:multiply\" \
             href=\"data:image/png;base64,{png}\"/>\n"
        ));
        Ok(())
    }
}

/// Text with the characters escaped that mean something in XML.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            c => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    #[test]
    fn markup_in_text_is_escaped() {
        let roll = Roll::preview(Device::mm80(), b"<b>&\n\x1dVB\x00");
        assert!(roll.svg().unwrap().contains(">&lt;b&gt;&amp;</text>"));
    }

    #[test]
    fn images_are_embedded() {
        let roll = Roll::preview(Device::mm80(), b"\x1dv0\x00\x01\x00\x01\x00\xff");
        assert!(roll.svg().unwrap().contains("href=\"data:image/png;base64,"));
    }
}
