//! Rows of text: in the printer's characters, or set in dots.

use super::coding::{self, CodedText, Exact};
use super::pen::Look;
use super::{EncodeError, Encoder, Note};
use crate::text::cleaned;
use crate::typeset::Align;
use crate::wrap::{indent, widest_word, wrap, wrap_indented};

/// Cells kept free between the two texts of a row.
const GAP: u32 = 1;
/// Cells the left text has at least; with less beside it the right text gets a line of its own.
const LEFT_LEAST: u32 = 6;
/// Width and height of a banner, in times of plain text.
const BANNER_SIZE: u8 = 3;
/// The same where double-byte characters are in it: they only double.
const BANNER_DOUBLE_BYTE_SIZE: u8 = 2;

/// How the texts of a row go out.
enum Prepared<const N: usize> {
    Coded([CodedText; N]),
    Dots([String; N]),
}

impl Encoder<'_> {
    pub(super) fn text(
        &mut self,
        at: usize,
        text: &str,
        align: Align,
        look: Look,
        money: bool,
    ) -> Result<(), EncodeError> {
        let exact = if money { Exact::Figures } else { Exact::Nothing };
        match self.prepared(at, [(text, exact)])? {
            Prepared::Dots([text]) => self.text_in_dots(at, &text, align, look),
            Prepared::Coded([text]) => self.coded_text(&text, align, look),
        }
        Ok(())
    }

    pub(super) fn columns(
        &mut self,
        at: usize,
        left: &str,
        right: &str,
        look: Look,
        money: bool,
    ) -> Result<(), EncodeError> {
        let exact = if money { Exact::All } else { Exact::Nothing };
        match self.prepared(at, [(left, Exact::Nothing), (right, exact)])? {
            Prepared::Dots([left, right]) => self.columns_in_dots(at, &left, &right, look),
            Prepared::Coded([left, right]) => self.coded_columns(&left, &right, look),
        }
        Ok(())
    }

    pub(super) fn banner(&mut self, at: usize, text: &str) -> Result<(), EncodeError> {
        let wanted = if self.pen.has_double() { BANNER_DOUBLE_BYTE_SIZE } else { BANNER_SIZE };
        let plain = Look { wide: 1, tall: 1, bold: true, small: false };
        let room = self.pen.columns(plain) / cleaned(text).chars().count().max(1) as u32;
        let size = wanted.min(u8::try_from(room).unwrap_or(wanted)).max(1);
        self.text(at, text, Align::Center, Look { wide: size, tall: size, ..plain }, false)
    }

    fn coded_text(&mut self, text: &CodedText, align: Align, look: Look) {
        let look = self.holding(widest_word(&text.units), look_for(look, &[text]));
        self.pen.begin_line(&[text]);
        self.pen.align(align);
        self.pen.look(look);
        let columns = self.pen.columns(look);
        let indent = if align == Align::Left { indent_of(text, columns) } else { 0 };
        for (number, line) in wrap_indented(&text.units, columns, indent).into_iter().enumerate() {
            self.pen.spaces(if number == 0 { 0 } else { indent });
            self.pen.codes(text.codes(line));
            self.pen.end_line();
        }
    }

    fn coded_columns(&mut self, left: &CodedText, right: &CodedText, look: Look) {
        let look = self.holding(right.width(), look_for(look, &[left, right]));
        let columns = self.pen.columns(look);
        let gap = if left.units.is_empty() { 0 } else { GAP };
        let beside = columns.checked_sub(right.width() + gap);
        let Some(beside) = beside.filter(|&cells| cells >= LEFT_LEAST.min(left.width())) else {
            if !left.units.is_empty() {
                self.coded_text(left, Align::Left, look);
            }
            self.coded_text(right, Align::Right, look);
            return;
        };
        self.pen.begin_line(&[left, right]);
        self.pen.align(Align::Left);
        self.pen.look(look);
        for (number, line) in wrap(&left.units, beside).into_iter().enumerate() {
            self.pen.codes(left.codes(line.clone()));
            if number == 0 {
                self.pen.spaces(columns.saturating_sub(left.cells(line) + right.width()));
                self.pen.codes(right.codes(0..right.units.len()));
            }
            self.pen.end_line();
        }
    }

    /// The look, in single size where so many cells would not fit into a line: an amount or a word is not
    /// torn for being large.
    fn holding(&self, cells: u32, look: Look) -> Look {
        let fits = look.wide == 1 || cells <= self.pen.columns(look);
        if fits { look } else { Look { wide: 1, tall: 1, ..look } }
    }

    /// In this order: the printer's characters, dots, a currency code for its sign; then boxes or stars
    /// for what need not be exact.
    fn prepared<const N: usize>(
        &mut self,
        at: usize,
        texts: [(&str, Exact); N],
    ) -> Result<Prepared<N>, EncodeError> {
        let exact = texts.map(|(_, exact)| exact);
        let texts = texts.map(|(text, _)| cleaned(text));
        if let Ok(coded) = self.fitted(at, &texts, false) {
            return Ok(Prepared::Coded(coded));
        }
        let pictures = self.profile.prints_pictures();
        if pictures && self.undrawn(&texts, [Exact::All; N]).is_none() {
            return Ok(Prepared::Dots(texts));
        }
        if let Ok(coded) = self.fitted(at, &texts, true) {
            return Ok(Prepared::Coded(coded));
        }
        let undrawn = if pictures { self.undrawn(&texts, exact) } else { None };
        if pictures && undrawn.is_none() {
            return Ok(Prepared::Dots(texts));
        }
        match self.starred(at, &texts, exact) {
            Ok(coded) => Ok(Prepared::Coded(coded)),
            Err(unprintable) => {
                let missing = undrawn.unwrap_or(unprintable);
                Err(EncodeError::MoneyRowNotRenderable { row: at, missing })
            }
        }
    }

    /// The first character that must be exact in a grapheme no font draws.
    fn undrawn<const N: usize>(&mut self, texts: &[String; N], exact: [Exact; N]) -> Option<char> {
        texts.iter().zip(exact).find_map(|(text, exact)| {
            let missing = self.typesetter.missing_in(text);
            missing.iter().flat_map(|grapheme| grapheme.chars()).find(|&c| exact.keeps(c))
        })
    }

    fn fitted<const N: usize>(
        &mut self,
        at: usize,
        texts: &[String; N],
        last_resort: bool,
    ) -> Result<[CodedText; N], char> {
        let mut fitted = std::array::from_fn::<_, N, _>(|_| String::new());
        let mut notes = Vec::new();
        for (fitted, text) in fitted.iter_mut().zip(texts) {
            let (text, mappings) = coding::fitted(text, self.profile, last_resort)?;
            *fitted = text;
            let note = |(from, to)| Note::MappedSign { row: at, from, to };
            notes.extend(mappings.into_iter().map(note));
        }
        self.notes.append(&mut notes);
        Ok(self.coded(&fitted))
    }

    fn starred<const N: usize>(
        &mut self,
        at: usize,
        texts: &[String; N],
        exact: [Exact; N],
    ) -> Result<[CodedText; N], char> {
        let mut count = 0;
        let mut starred = std::array::from_fn::<_, N, _>(|_| String::new());
        for ((starred, text), exact) in starred.iter_mut().zip(texts).zip(exact) {
            let (text, stars) = coding::starred(text, self.profile, exact)?;
            *starred = text;
            count += stars;
        }
        self.notes.push(Note::Starred { row: at, count });
        Ok(self.coded(&starred))
    }

    fn coded<const N: usize>(&self, texts: &[String; N]) -> [CodedText; N] {
        coding::coded(texts.each_ref().map(String::as_str), self.profile, self.pen.mode())
    }
}

/// Double-byte characters have no small font: beside it columns would not hold.
fn look_for(look: Look, texts: &[&CodedText]) -> Look {
    let small = look.small && !texts.iter().any(|text| text.has_double());
    Look { small, ..look }
}

/// The cells by which the later lines of a text are indented: a quarter of the line at most.
fn indent_of(text: &CodedText, columns: u32) -> u32 {
    let codes = text.codes(0..text.units.len()).iter();
    let cells = indent(codes.filter_map(|code| code.bytes().first().copied()));
    u32::try_from(cells).unwrap_or(columns).min(columns / 4)
}
