//! Breaking text into lines. Widths are given: cells for a printer's own characters, dots for a
//! picture. Nothing smaller than a unit, one grapheme, is ever split.

use std::ops::Range;

/// How a unit behaves at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A blank: lines break after it, and it is not printed there.
    Blank,
    /// A part of a word.
    Letter,
    /// A full-width character: lines break on both sides.
    Wide,
    /// A sign that must not start a line.
    Closing,
    /// A sign that must not end a line.
    Opening,
}

/// One grapheme with its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Cells or dots.
    pub(crate) width: u32,
    /// How it breaks.
    pub(crate) kind: Kind,
}

impl Kind {
    /// The kind of a grapheme; `wide` when it takes two cells.
    pub(crate) fn of(grapheme: &str, wide: bool) -> Self {
        match grapheme {
            " " => Self::Blank,
            "，" | "。" | "、" | "！" | "？" | "；" | "：" | "）" | "」" | "』" | "】" | "》"
            | "％" | "," | "." | "!" | "?" | ";" | ":" | ")" | "]" | "}" | "%" => Self::Closing,
            "（" | "「" | "『" | "【" | "《" | "￥" | "＄" | "(" | "[" | "{" => {
                Self::Opening
            }
            _ if wide => Self::Wide,
            _ => Self::Letter,
        }
    }
}

/// Lines as ranges of units, each at most `width` wide unless a single unit is wider. Blanks at both
/// ends of a broken line are left out. Always at least one line.
pub(crate) fn wrap(units: &[Unit], width: u32) -> Vec<Range<usize>> {
    wrap_indented(units, width, 0)
}

/// The same with every line but the first `indent` narrower.
pub(crate) fn wrap_indented(units: &[Unit], width: u32, indent: u32) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    loop {
        let room = if lines.is_empty() { width } else { width.saturating_sub(indent) };
        let fits = fitting(units, start, room);
        if fits == units.len() {
            lines.push(start..trimmed(units, start, fits));
            return lines;
        }
        let end = break_before(units, start, fits).unwrap_or(fits.max(start + 1));
        lines.push(start..trimmed(units, start, end));
        start = end + units[end..].iter().take_while(|unit| unit.kind == Kind::Blank).count();
        if start == units.len() {
            return lines;
        }
    }
}

/// How wide the widest stretch is that no line may break in.
pub(crate) fn widest_word(units: &[Unit]) -> u32 {
    let words = units.chunk_by(|before, after| !may_break(before.kind, after.kind));
    words.map(|word| word.iter().map(|unit| unit.width).sum()).max().unwrap_or(0)
}

/// How many characters of a text its later lines are indented by: the blanks it begins with, and the
/// bullet behind them.
pub(crate) fn indent(text: impl Iterator<Item = u8>) -> usize {
    let mut text = text.peekable();
    let mut blanks = 0;
    while text.next_if_eq(&b' ').is_some() {
        blanks += 1;
    }
    let bullet = blanks > 0 && text.next() == Some(b'*') && text.next() == Some(b' ');
    if bullet { blanks + 2 } else { blanks }
}

/// The end of what fits, blanks hanging over the edge included.
fn fitting(units: &[Unit], start: usize, width: u32) -> usize {
    let mut used = 0;
    let rest = units[start..].iter();
    let fits = rest.take_while(|unit| {
        used += unit.width;
        used <= width
    });
    let end = start + fits.count();
    let hanging = units[end..].iter().take_while(|unit| unit.kind == Kind::Blank).count();
    if end + hanging == units.len() { units.len() } else { end }
}

/// The last place at or before `end` where the line may break; none at its very start.
fn break_before(units: &[Unit], start: usize, end: usize) -> Option<usize> {
    (start + 1..=end).rev().find(|&at| may_break(units[at - 1].kind, units[at].kind))
}

fn may_break(before: Kind, after: Kind) -> bool {
    match (before, after) {
        (_, Kind::Closing) | (Kind::Opening, _) => false,
        (Kind::Blank, _) | (_, Kind::Blank) | (Kind::Wide, _) | (_, Kind::Wide) => true,
        (Kind::Closing, Kind::Opening) => true,
        (Kind::Closing | Kind::Letter, Kind::Letter | Kind::Opening) => false,
    }
}

fn trimmed(units: &[Unit], start: usize, end: usize) -> usize {
    let blanks = units[start..end].iter().rev().take_while(|unit| unit.kind == Kind::Blank);
    end - blanks.count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    fn units(text: &str) -> Vec<Unit> {
        let unit = |grapheme: &str| {
            let width = grapheme.width() as u32;
            Unit { width, kind: Kind::of(grapheme, width > 1) }
        };
        text.graphemes(true).map(unit).collect()
    }

    fn wrapped(text: &str, width: u32) -> Vec<String> {
        let graphemes: Vec<&str> = text.graphemes(true).collect();
        wrap(&units(text), width).into_iter().map(|line| graphemes[line].concat()).collect()
    }

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(wrapped("pain au chocolat", 8), ["pain au", "chocolat"]);
        assert_eq!(wrapped("pain  au", 4), ["pain", "au"]);
        assert_eq!(wrapped("croissants", 4), ["croi", "ssan", "ts"]);
        assert_eq!(wrapped("", 4), [""]);
        assert_eq!(wrapped("pain    ", 4), ["pain"]);
    }

    #[test]
    fn hanzi_break_anywhere_but_signs_stay_with_them() {
        assert_eq!(wrapped("红烧牛肉面（大碗）", 12), ["红烧牛肉面", "（大碗）"]);
        assert_eq!(wrapped("谢谢光临。再来", 8), ["谢谢光", "临。再来"]);
    }

    #[test]
    fn amount_joined_by_a_hard_space_is_not_torn() {
        assert_eq!(wrapped("Total 4,50\u{a0}€", 9), ["Total", "4,50\u{a0}€"]);
    }

    #[test]
    fn later_lines_are_narrower_by_the_indent() {
        let lines = wrap_indented(&units("  * no onions, please"), 14, 4);
        assert_eq!(lines, [0..14, 15..21]);
        assert_eq!(
            ["  * no", "  2 x", "**** ok", ""].map(|text| indent(text.bytes())),
            [4, 2, 0, 0]
        );
    }

    #[test]
    fn widest_word_is_what_cannot_be_broken() {
        assert_eq!(widest_word(&units("红烧 -￥12345.00/kg x")), 14);
        assert_eq!(widest_word(&[]), 0);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_but_blanks_and_no_line_is_too_wide(text in "[a-c红（），. ]{0,40}", width in 2_u32..12) {
            let lines = wrapped(&text, width);
            prop_assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
            for line in &lines {
                prop_assert!(line.width() as u32 <= width, "{line:?}");
            }
        }
    }
}
