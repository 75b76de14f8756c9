//! Rows of text: in the printer's characters, or set in dots.

use super::coding::{self, CodedText};
use super::pen::Look;
use super::{EncodeError, Encoder, Note};
use crate::text::cleaned;
use crate::typeset::Align;
use crate::wrap::wrap;

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
        match self.prepared(at, [text], money)? {
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
        match self.prepared(at, [left, right], money)? {
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
        let look = look_for(look, &[text]);
        self.pen.align(align);
        self.pen.look(look);
        for line in wrap(&text.units, self.pen.columns(look)) {
            self.pen.codes(text.codes(line));
            self.pen.end_line();
        }
    }

    fn coded_columns(&mut self, left: &CodedText, right: &CodedText, look: Look) {
        let look = look_for(look, &[left, right]);
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

    /// In this order: the printer's characters, dots, a currency code for its sign, and for rows without
    /// money boxes or stars.
    fn prepared<const N: usize>(
        &mut self,
        at: usize,
        texts: [&str; N],
        money: bool,
    ) -> Result<Prepared<N>, EncodeError> {
        let texts = texts.map(cleaned);
        let missing = match self.fitted(at, &texts, false) {
            Ok(coded) => return Ok(Prepared::Coded(coded)),
            Err(missing) => missing,
        };
        let pictures = self.profile.prints_pictures();
        if pictures && texts.iter().all(|text| self.typesetter.covers(text)) {
            return Ok(Prepared::Dots(texts));
        }
        match self.fitted(at, &texts, true) {
            Ok(coded) => Ok(Prepared::Coded(coded)),
            Err(_) if money => Err(EncodeError::MoneyRowNotRenderable { row: at, missing }),
            Err(_) if pictures => Ok(Prepared::Dots(texts)),
            Err(_) => Ok(Prepared::Coded(self.starred(at, &texts))),
        }
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

    fn starred<const N: usize>(&mut self, at: usize, texts: &[String; N]) -> [CodedText; N] {
        let mut count = 0;
        let starred = std::array::from_fn(|n| {
            let (text, stars) = coding::starred(&texts[n], self.profile);
            count += stars;
            text
        });
        self.notes.push(Note::Starred { row: at, count });
        self.coded(&starred)
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
