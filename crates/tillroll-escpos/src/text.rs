//! Text from receipts, made fit for a printer: no control character ever comes out of here.

/// The text with every control character and line separator turned into a space, and without
/// characters that only order or format other characters (bidi marks, zero-width spaces, tags), which
/// could show a reader another amount than the one printed.
#[must_use]
pub fn cleaned(text: &str) -> String {
    text.chars().filter(|&c| !is_format(c)).map(|c| if breaks_line(c) { ' ' } else { c }).collect()
}

/// A control character or a separator of lines or paragraphs.
pub(crate) fn breaks_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Without shape of its own; joiners stay, since scripts are written with them.
fn is_format(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'
        | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// What may stand for a sign the printer does not have and still mean the same.
pub(crate) fn same_sign(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => " ",
        '¥' => "￥",
        '￥' => "¥",
        '‘' | '’' | '‚' | '′' => "'",
        '“' | '”' | '„' | '″' => "\"",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => "-",
        '…' => "...",
        '×' => "x",
        _ => return None,
    })
}

/// A character of which figures are made: a digit, a sign between or before digits, a currency.
pub(crate) fn is_figure(c: char) -> bool {
    c.is_numeric()
        || matches!(c,
            '+' | '-' | '.' | ',' | '\'' | '%' | '/' | '$' | '¢'..='¥' | '−' | '×' | '֏' | '؋' | '٪'
            | '٫' | '٬' | '৳' | '฿' | '៛' | '\u{20a0}'..='\u{20cf}' | '﷼' | '＄' | '￠' | '￡' | '￥' | '￦')
}

/// The currency code that stands for a sign where it can neither be printed nor drawn.
pub(crate) fn currency_code(c: char) -> Option<&'static str> {
    Some(match c {
        '€' => "EUR",
        '£' => "GBP",
        '₩' => "KRW",
        '₹' => "INR",
        '₽' => "RUB",
        '₺' => "TRY",
        '₫' => "VND",
        '₴' => "UAH",
        '₪' => "ILS",
        '฿' => "THB",
        '₱' => "PHP",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_separators_become_spaces() {
        assert_eq!(cleaned("a\u{1b}@\u{0}b\r\n\tc\u{85}d\u{2028}e\u{7f}"), "a @ b   c d e ");
    }

    #[test]
    fn marks_that_reorder_text_are_taken_out() {
        assert_eq!(cleaned("12\u{202e}00\u{200f}\u{feff}€\u{2066}"), "1200€");
        assert_eq!(cleaned("می\u{200c}خواهم"), "می\u{200c}خواهم", "a joiner is part of the word");
    }

    #[test]
    fn stand_ins_are_plain_text() {
        for c in '\0'..='\u{ffff}' {
            for text in [same_sign(c), currency_code(c)].into_iter().flatten() {
                assert!(!text.is_empty() && !text.contains('?') && cleaned(text) == text);
            }
        }
    }
}
