//! The paper model: what came out of the printer, ticket by ticket.

mod element;
mod roll;

pub use element::{
    Element, Feed, Font, Image, Line, Run, Strip, Style, Symbol, SymbolKind, Underline,
};
pub use roll::{Roll, RollLimit};

use crate::effect::{Cut, Oddity};

/// Oddities remembered for one ticket.
const MAX_ODDITIES: usize = 64;

/// The paper between two cuts.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticket {
    /// Counts from 1 over the life of the roll.
    pub number: u64,
    /// Printable width in dots.
    pub width: u32,
    /// Unprinted paper at each side, in dots.
    pub side_margin: u32,
    /// What was printed, from the top.
    pub elements: Vec<Element>,
    /// How the ticket ended; `None` while it still hangs in the printer.
    pub cut: Option<Cut>,
    /// What the stream did that real devices dislike; the first 64.
    pub oddities: Vec<Oddity>,
}

impl Ticket {
    pub(crate) fn new(number: u64, width: u32, side_margin: u32) -> Self {
        let (elements, oddities) = (Vec::new(), Vec::new());
        Self { number, width, side_margin, elements, cut: None, oddities }
    }

    /// Whether the ticket was cut off.
    pub fn complete(&self) -> bool {
        self.cut.is_some()
    }

    /// Whether nothing but blank paper is there.
    pub fn is_blank(&self) -> bool {
        !self.elements.iter().any(Element::has_ink)
    }

    /// Length of the paper in dots.
    pub fn height(&self) -> u32 {
        self.elements.iter().map(Element::height).fold(0, u32::saturating_add)
    }

    pub(crate) fn push(&mut self, element: Element) {
        match (self.elements.last_mut(), element) {
            (Some(Element::Image(above)), Element::Image(below)) if below.continues => {
                above.extend(&below);
            }
            (Some(Element::Feed(above)), Element::Feed(below)) => above.extend(below),
            (_, element) => self.elements.push(element),
        }
    }

    pub(crate) fn remember(&mut self, oddity: Oddity) {
        if self.oddities.len() < MAX_ODDITIES {
            self.oddities.push(oddity);
        }
    }
}
