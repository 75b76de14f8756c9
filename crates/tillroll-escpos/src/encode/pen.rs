//! Writes commands and coded text, and knows what state the printer is in, so that a command is sent
//! only where something changes.

use super::coding::{Code, CodedText, Mode};
use crate::cjk::Cjk;
use crate::command::{self, FS, LF};
use crate::document::Style;
use crate::profile::Profile;
use crate::typeset::Align;

/// How text looks on the printer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// How many times as wide.
    pub(super) wide: u8,
    /// How many times as tall.
    pub(super) tall: u8,
    /// Emphasised.
    pub(super) bold: bool,
    /// In font B.
    pub(super) small: bool,
}

impl From<Style> for Look {
    fn from(style: Style) -> Self {
        Self {
            wide: 1 + u8::from(style.wide),
            tall: 1 + u8::from(style.tall),
            bold: style.bold,
            small: style.small,
        }
    }
}

/// The state of a printer just initialised, and what has been written to it since.
pub(super) struct Pen<'a> {
    profile: &'a Profile,
    out: Vec<u8>,
    page: Option<usize>,
    /// `None` until told: what a model starts in is not certain.
    double: Option<bool>,
    align: Align,
    look: Look,
}

impl<'a> Pen<'a> {
    pub(super) fn new(profile: &'a Profile) -> Self {
        let look = Style::default().into();
        Self { profile, out: Vec::new(), page: None, double: None, align: Align::Left, look }
    }

    pub(super) fn written(&self) -> usize {
        self.out.len()
    }

    pub(super) fn finished(self) -> Vec<u8> {
        self.out
    }

    /// The mode text is sent in now; `None` before the first that needs one.
    pub(super) fn mode(&self) -> Option<Mode> {
        match (self.double, self.page) {
            (Some(true), _) => Some(Mode::Double),
            (_, page) => page.map(Mode::Page),
        }
    }

    /// How many cells a line has in that look.
    pub(super) fn columns(&self, look: Look) -> u32 {
        let columns = if look.small { self.profile.columns_b } else { self.profile.columns_a };
        (columns / u32::from(look.wide)).max(1)
    }

    /// Whether the sizes of double-byte characters need a command of their own.
    pub(super) fn has_double(&self) -> bool {
        self.profile.cjk.is_some()
    }

    /// At the beginning of a line: leaves double-byte mode there where the line needs code pages alone.
    pub(super) fn begin_line(&mut self, texts: &[&CodedText]) {
        let needs_page = texts.iter().any(|text| text.has_page());
        if needs_page && !texts.iter().any(|text| text.has_double()) {
            self.leave_double();
        }
    }

    /// At the beginning of a line only.
    pub(super) fn align(&mut self, align: Align) {
        if self.align == align {
            return;
        }
        self.align = align;
        let place = match align {
            Align::Left => 0,
            Align::Center => 1,
            Align::Right => 2,
        };
        self.command(&command::justify(place));
    }

    pub(super) fn look(&mut self, look: Look) {
        let before = std::mem::replace(&mut self.look, look);
        if before.small != look.small {
            self.command(&command::font(look.small));
        }
        if before.bold != look.bold {
            self.command(&command::emphasised(look.bold));
        }
        if (before.wide, before.tall) != (look.wide, look.tall) {
            self.command(&command::size(look.wide, look.tall));
            if self.has_double() {
                self.command(&command::double_byte_size(look.wide > 1, look.tall > 1));
            }
        }
    }

    /// Back to plain text at the left.
    pub(super) fn plain(&mut self) {
        self.align(Align::Left);
        self.look(Style::default().into());
    }

    /// Writes text; the first mode it needs is entered in front of it, the others where they begin.
    pub(super) fn codes(&mut self, codes: &[Code]) {
        if let Some(first) = codes.iter().find(|code| code.mode != Mode::Any) {
            self.enter(first.mode);
        }
        for code in codes {
            self.enter(code.mode);
            self.out.extend_from_slice(code.bytes());
        }
    }

    pub(super) fn spaces(&mut self, count: u32) {
        self.out.resize(self.out.len() + count as usize, b' ');
    }

    pub(super) fn end_line(&mut self) {
        self.out.push(LF);
    }

    pub(super) fn feed(&mut self, lines: u8) {
        if lines > 0 {
            self.command(&command::feed_lines(lines));
        }
    }

    pub(super) fn command(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// A line across the paper, the same in all of a document: in a line character where the profile has
    /// a page with one, else in hyphens. A printer with double-byte characters always gets hyphens.
    pub(super) fn rule(&mut self) {
        self.plain();
        let columns = self.profile.columns_a as usize;
        match self.rule_page() {
            Some((at, byte)) => {
                self.enter_page(at);
                self.out.resize(self.out.len() + columns, byte);
            }
            None => self.out.resize(self.out.len() + columns, b'-'),
        }
        self.end_line();
    }

    fn rule_page(&self) -> Option<(usize, u8)> {
        if self.has_double() {
            return None;
        }
        let pages = &self.profile.code_pages;
        let line_of = |at: usize| Some((at, pages.get(at)?.1.encode('─')?));
        self.page.and_then(line_of).or_else(|| (0..pages.len()).find_map(line_of))
    }

    fn enter(&mut self, mode: Mode) {
        match mode {
            Mode::Any => {}
            Mode::Page(at) => self.enter_page(at),
            Mode::Double => self.enter_double(),
        }
    }

    fn enter_page(&mut self, at: usize) {
        self.leave_double();
        if self.page == Some(at) {
            return;
        }
        self.page = Some(at);
        if let Some(&(number, _)) = self.profile.code_pages.get(at) {
            self.command(&command::code_page(number));
        }
    }

    /// FS `.`, once: what a printer sold with Chinese characters starts in is double-byte mode, whatever
    /// profile it is given, and there `é` and a line character are halves of a Hanzi (Xprinter XP-300:
    /// DantSu/ESCPOS-ThermalPrinter-Android#185).
    fn leave_double(&mut self) {
        if self.double != Some(false) {
            self.double = Some(false);
            self.command(&command::FS_PERIOD);
        }
    }

    fn enter_double(&mut self) {
        if self.double == Some(true) {
            return;
        }
        self.double = Some(true);
        self.command(&command::FS_AMPERSAND);
        if self.profile.cjk == Cjk::ShiftJis {
            self.command(&[FS, b'C', 1]);
        }
    }
}
