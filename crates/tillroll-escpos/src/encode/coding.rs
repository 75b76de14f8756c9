//! Characters to the bytes of one printer: which code page, or double-byte mode, for each.
//!
//! Cells follow the bytes, not Unicode: a character that takes two bytes takes two cells.

use unicode_segmentation::UnicodeSegmentation;

use crate::profile::Profile;
use crate::text;
use crate::wrap::{Kind, Unit};

/// What a run of text is sent in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// ASCII, the same in every page and in double-byte mode.
    Any,
    /// A code page, by its place in the profile.
    Page(usize),
    /// Double-byte characters.
    Double,
}

/// One character as sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Code {
    pub(super) mode: Mode,
    bytes: [u8; 2],
}

impl Code {
    /// Its bytes: two in double-byte mode, else one.
    pub(super) fn bytes(&self) -> &[u8] {
        if self.mode == Mode::Double { &self.bytes } else { &self.bytes[..1] }
    }
}

/// A text as sent.
#[derive(Debug, Clone, Default)]
pub(super) struct CodedText {
    codes: Vec<Code>,
    /// The graphemes with their cells.
    pub(super) units: Vec<Unit>,
    /// Where each grapheme's codes end.
    ends: Vec<usize>,
}

impl CodedText {
    /// The codes of a range of graphemes.
    pub(super) fn codes(&self, units: std::ops::Range<usize>) -> &[Code] {
        let end_of = |unit: usize| unit.checked_sub(1).map_or(0, |at| self.ends[at]);
        &self.codes[end_of(units.start)..end_of(units.end)]
    }

    /// The cells of a range of graphemes, in single width.
    pub(super) fn cells(&self, units: std::ops::Range<usize>) -> u32 {
        self.units[units].iter().map(|unit| unit.width).sum()
    }

    /// All of it, in cells.
    pub(super) fn width(&self) -> u32 {
        self.cells(0..self.units.len())
    }

    /// Whether any of it needs a code page.
    pub(super) fn has_page(&self) -> bool {
        self.codes.iter().any(|code| matches!(code.mode, Mode::Page(_)))
    }

    /// Whether any of it is double-byte.
    pub(super) fn has_double(&self) -> bool {
        self.codes.iter().any(|code| code.mode == Mode::Double)
    }
}

/// What of a text must be on paper as it is, or the row is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exact {
    /// Nothing: words, as the name beside an amount.
    Nothing,
    /// Its figures: an amount among words.
    Figures,
    /// All of it: an amount.
    All,
}

impl Exact {
    /// Whether this character must be exact.
    pub(super) fn keeps(self, c: char) -> bool {
        match self {
            Self::Nothing => false,
            Self::Figures => text::is_figure(c),
            Self::All => true,
        }
    }
}

/// A sign that goes out as another.
pub(super) type Mapping = (char, &'static str);

/// The text in characters the printer has, signs of the same meaning put in where needed; `Err` with the
/// first character that has none.
pub(super) fn fitted(
    text: &str,
    profile: &Profile,
    last_resort: bool,
) -> Result<(String, Vec<Mapping>), char> {
    let mut fitted = String::with_capacity(text.len());
    let mut mappings = Vec::new();
    for c in text.chars() {
        match stand_in(c, profile, last_resort) {
            None if coverage(c, profile) != 0 => fitted.push(c),
            None => return Err(c),
            Some(to) => {
                fitted.push_str(to);
                mappings.push((c, to));
            }
        }
    }
    Ok((fitted, mappings))
}

/// The yen sign of a code page sits beside Hanzi as a foreign half-width sign, so a printer that has
/// the full-width one always gets that.
fn stand_in(c: char, profile: &Profile, last_resort: bool) -> Option<&'static str> {
    let full_width_yen = c == '¥' && profile.cjk.encode('￥').is_some();
    if !full_width_yen && coverage(c, profile) != 0 {
        return None;
    }
    let printable = |text: &&str| text.chars().all(|c| coverage(c, profile) != 0);
    let code = last_resort.then(|| text::currency_code(c)).flatten();
    text::same_sign(c).filter(printable).or(code)
}

/// The text with `*` for every character that nothing can stand for, and how many those are; `Err` with
/// the first of them that must be exact.
pub(super) fn starred(text: &str, profile: &Profile, exact: Exact) -> Result<(String, u64), char> {
    let mut starred = String::with_capacity(text.len());
    let mut count = 0;
    for c in text.chars() {
        match stand_in(c, profile, true) {
            Some(to) => starred.push_str(to),
            None if coverage(c, profile) != 0 => starred.push(c),
            None if exact.keeps(c) => return Err(c),
            None => {
                starred.push('*');
                count += 1;
            }
        }
    }
    Ok((starred, count))
}

/// Codes the fitted texts of a row, beginning in the mode the printer is in.
pub(super) fn coded<const N: usize>(
    texts: [&str; N],
    profile: &Profile,
    current: Option<Mode>,
) -> [CodedText; N] {
    let chars = texts.iter().flat_map(|text| text.chars());
    let sets: Vec<u64> = chars.map(|c| coverage(c, profile)).collect();
    let mut modes = modes(&sets, current).into_iter();
    texts.map(|text| grouped(text, &mut modes, profile))
}

fn grouped(text: &str, modes: &mut impl Iterator<Item = Mode>, profile: &Profile) -> CodedText {
    let mut coded = CodedText::default();
    for grapheme in text.graphemes(true) {
        let before = coded.codes.len();
        let codes = grapheme.chars().zip(&mut *modes);
        coded.codes.extend(codes.map(|(c, mode)| code(c, mode, profile)));
        let added = &coded.codes[before..];
        let cells: usize = added.iter().map(|code| code.bytes().len()).sum();
        let wide = added.iter().any(|code| code.mode == Mode::Double);
        let width = u32::try_from(cells).unwrap_or(u32::MAX);
        coded.units.push(Unit { width, kind: Kind::of(grapheme, wide) });
        coded.ends.push(coded.codes.len());
    }
    coded
}

/// A set of modes: bit `n` is the page at place `n`, the highest bit is double-byte mode.
const DOUBLE: u64 = 1 << 63;
const EVERY: u64 = u64::MAX;
/// Pages looked at; no profile has more.
const PAGES: usize = 63;
/// From here on characters are CJK or beyond: no code page has them.
const FIRST_CJK: char = '\u{2e80}';

/// The modes in which the printer has the character.
fn coverage(c: char, profile: &Profile) -> u64 {
    if (' '..='~').contains(&c) || is_hard_blank(c) {
        return EVERY;
    }
    let double = if profile.cjk.encode(c).is_some() { DOUBLE } else { 0 };
    if c >= FIRST_CJK {
        return double;
    }
    let pages = profile.code_pages.iter().take(PAGES).enumerate();
    pages.fold(double, |set, (at, (_, page))| set | u64::from(page.encode(c).is_some()) << at)
}

/// A blank that must not break: sent as a space, since pages draw theirs in different ways.
fn is_hard_blank(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{202f}')
}

/// The longest stretch one mode can carry, again and again: the fewest switches there can be.
fn modes(sets: &[u64], mut current: Option<Mode>) -> Vec<Mode> {
    let mut modes = Vec::with_capacity(sets.len());
    while modes.len() < sets.len() {
        let mut common = EVERY;
        let rest = &sets[modes.len()..];
        let run = rest.iter().take_while(|&&set| {
            let shared = common & set != 0;
            common &= if shared { set } else { EVERY };
            shared
        });
        let length = run.count().max(1);
        let mode = chosen(common, current);
        modes.extend(rest[..length].iter().map(|&set| if set == EVERY { Mode::Any } else { mode }));
        current = if common == EVERY { current } else { Some(mode) };
    }
    modes
}

/// The page the printer is in, else the first that will do; double-byte mode only where no page does,
/// for it makes a Latin letter two cells wide.
fn chosen(set: u64, current: Option<Mode>) -> Mode {
    match current {
        Some(Mode::Page(at)) if set >> at & 1 == 1 => Mode::Page(at),
        _ if set & !DOUBLE != 0 => Mode::Page(set.trailing_zeros() as usize),
        _ => Mode::Double,
    }
}

fn code(c: char, mode: Mode, profile: &Profile) -> Code {
    let single = |byte: Option<u8>| [byte.unwrap_or(b' '), 0];
    let bytes = match mode {
        Mode::Any if c.is_ascii() => [c as u8, 0],
        Mode::Any => [b' ', 0],
        Mode::Page(at) => single(profile.code_pages.get(at).and_then(|(_, page)| page.encode(c))),
        Mode::Double => profile.cjk.encode(c).unwrap_or(*b"  "),
    };
    Code { mode, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::CodePage;

    fn mode_letters(text: &str, profile: &Profile, current: Option<Mode>) -> String {
        let letter = |code: &Code| match code.mode {
            Mode::Any => '.',
            Mode::Page(at) => char::from_digit(at as u32, 36).unwrap_or('#'),
            Mode::Double => 'D',
        };
        coded([text], profile, current)[0].codes.iter().map(letter).collect()
    }

    #[test]
    fn one_page_that_has_all_wins_over_two_switches() {
        let profile = Profile::named("generic-80").unwrap();
        assert_eq!(profile.code_pages[1].1, CodePage::Cp858);
        assert_eq!(mode_letters("é a €", profile, None), "1...1", "CP437 has no euro sign");
        assert_eq!(mode_letters("é", profile, None), "0");
        assert_eq!(
            mode_letters("é", profile, Some(Mode::Page(3))),
            "3",
            "no switch where none is needed"
        );
        assert_eq!(mode_letters("é Я", profile, None), "0.5");
    }

    #[test]
    fn latin_letters_leave_double_byte_mode_only_between_hanzi_runs() {
        let profile = Profile::named("generic-80-gb18030").unwrap();
        assert_eq!(mode_letters("红 x2 烧", profile, None), "D....D");
        assert_eq!(mode_letters("café", profile, Some(Mode::Double)), "...0");
        assert_eq!(mode_letters("25°红", profile, None), "..DD");
    }

    #[test]
    fn cells_are_bytes() {
        let profile = Profile::named("generic-80-gb18030").unwrap();
        let cells = |text: &str| coded([text], profile, None)[0].width();
        assert_eq!(cells("红烧牛肉面（大碗）"), 18);
        assert_eq!(cells("￥28.00"), 7);
        assert_eq!(cells("4,50\u{a0}€"), 6);
    }

    #[test]
    fn yen_sign_becomes_the_one_the_printer_has() {
        let chinese = Profile::named("generic-80-gb18030").unwrap();
        assert_eq!(fitted("¥28", chinese, false).unwrap().0, "￥28");
        let latin = Profile::named("generic-80").unwrap();
        assert_eq!(fitted("￥28", latin, false).unwrap().0, "¥28");
        assert_eq!(fitted("红", latin, false).unwrap_err(), '红');
    }
}
