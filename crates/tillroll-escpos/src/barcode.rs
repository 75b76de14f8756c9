//! Bar codes as bars and spaces, for printers that do not draw them and for pictures of paper.
//!
//! A code is a row of modules, `true` for a bar, without the quiet zones. Code 128 is ISO/IEC 15417,
//! EAN-13 ISO/IEC 15420.

/// Quiet modules that must stay free on each side.
pub const QUIET: u32 = 10;

/// Widths of the bars and spaces of each Code 128 symbol value, six digits; 103 to 105 start sets A
/// to C, 106 is the stop with its last bar.
const CODE128: [&str; 107] = [
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212",
    "221213", "221312", "231212", "112232", "122132", "122231", "113222", "123122", "123221",
    "223211", "221132", "221231", "213212", "223112", "312131", "311222", "321122", "321221",
    "312212", "322112", "322211", "212123", "212321", "232121", "111323", "131123", "131321",
    "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331", "132131",
    "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131",
    "311123", "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111",
    "111224", "111422", "121124", "121421", "141122", "141221", "112214", "112412", "122114",
    "122411", "142112", "142211", "241211", "221114", "413111", "241112", "134111", "111242",
    "121142", "121241", "114212", "124112", "124211", "411212", "421112", "421211", "212141",
    "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
    "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112",
];

const CODE_C: u8 = 99;
const CODE_B: u8 = 100;
const START_B: u8 = 104;
const START_C: u8 = 105;
const STOP: u8 = 106;

/// Code 128 of printable ASCII, with pairs of digits in set C where that is shorter; `None` for an
/// empty text or another character.
#[must_use]
pub fn code128(text: &str) -> Option<Vec<bool>> {
    let plain = text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    if text.is_empty() || !plain {
        return None;
    }
    let mut symbols = code128_symbols(text.as_bytes());
    symbols.push(check_symbol(&symbols));
    symbols.push(STOP);
    Some(symbols.iter().flat_map(|&symbol| bars(CODE128[usize::from(symbol)])).collect())
}

/// Start symbol and data. Set C is entered for four digits or more, or where all are digits.
fn code128_symbols(text: &[u8]) -> Vec<u8> {
    let mut symbols = Vec::new();
    let mut set = None;
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let pairs = pairs_ahead(rest, set == Some(CODE_C), text.len() == rest.len());
        let wanted = if pairs > 0 { CODE_C } else { CODE_B };
        if set != Some(wanted) {
            symbols.push(switch(set.is_none(), wanted));
            set = Some(wanted);
        }
        if pairs == 0 {
            symbols.push(first - 0x20);
            rest = &rest[1..];
            continue;
        }
        let (digits, after) = rest.split_at(pairs * 2);
        symbols.extend(digits.chunks_exact(2).map(|pair| (pair[0] - b'0') * 10 + pair[1] - b'0'));
        rest = after;
    }
    symbols
}

fn switch(first: bool, wanted: u8) -> u8 {
    match (first, wanted) {
        (true, CODE_C) => START_C,
        (true, _) => START_B,
        (false, set) => set,
    }
}

/// How many pairs of digits set C should take from here; 0 for set B.
fn pairs_ahead(rest: &[u8], in_c: bool, at_start: bool) -> usize {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let all = at_start && digits == rest.len() && digits >= 2 && digits.is_multiple_of(2);
    let even_from_here = digits.is_multiple_of(2) || digits < rest.len() || at_start;
    let worth = in_c || all || (digits >= 4 && even_from_here);
    if worth { digits / 2 } else { 0 }
}

fn check_symbol(symbols: &[u8]) -> u8 {
    let weighted = symbols.iter().enumerate().map(|(at, &symbol)| at.max(1) * usize::from(symbol));
    u8::try_from(weighted.sum::<usize>() % 103).unwrap_or_default()
}

/// Widths as digits, a bar first, to modules.
fn bars(widths: &str) -> Vec<bool> {
    let runs = widths.bytes().enumerate();
    runs.flat_map(|(at, width)| vec![at % 2 == 0; usize::from(width - b'0')]).collect()
}

/// Odd-parity left patterns of EAN-13 digits; even parity is the right pattern backwards, and the
/// right pattern is the complement of this.
const EAN_LEFT: [u8; 10] = [
    0b000_1101, 0b001_1001, 0b001_0011, 0b011_1101, 0b010_0011, 0b011_0001, 0b010_1111, 0b011_1011,
    0b011_0111, 0b000_1011,
];
/// Which of the six left digits have even parity, the first in the highest bit, by the leading digit.
const EAN_PARITY: [u8; 10] = [
    0b00_0000, 0b00_1011, 0b00_1101, 0b00_1110, 0b01_0011, 0b01_1001, 0b01_1100, 0b01_0101,
    0b01_0110, 0b01_1010,
];

/// EAN-13 of 13 digits with a right check digit; `None` for anything else.
#[must_use]
pub fn ean13(text: &str) -> Option<Vec<bool>> {
    if !is_ean13(text) {
        return None;
    }
    let digits: Vec<usize> = text.bytes().map(|byte| usize::from(byte - b'0')).collect();
    let parity = EAN_PARITY[digits[0]];
    let mut modules = vec![true, false, true];
    for (at, &digit) in digits[1..7].iter().enumerate() {
        let even = parity >> (5 - at) & 1 == 1;
        let right = !EAN_LEFT[digit] & 0x7f;
        modules.extend(seven(if even { right.reverse_bits() >> 1 } else { EAN_LEFT[digit] }));
    }
    modules.extend([false, true, false, true, false]);
    modules.extend(digits[7..].iter().flat_map(|&digit| seven(!EAN_LEFT[digit] & 0x7f)));
    modules.extend([true, false, true]);
    Some(modules)
}

/// Whether the text is 13 digits of which the last is the check digit.
#[must_use]
pub fn is_ean13(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let weight = |at: usize| if at.is_multiple_of(2) { 1 } else { 3 };
    let sum: u32 =
        text.bytes().enumerate().map(|(at, byte)| weight(at) * u32::from(byte & 0xf)).sum();
    text.len() == 13 && digits && sum.is_multiple_of(10)
}

fn seven(pattern: u8) -> impl Iterator<Item = bool> {
    (0..7).map(move |at| pattern >> (6 - at) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(modules: &[bool]) -> String {
        modules.iter().map(|&bar| if bar { '1' } else { '0' }).collect()
    }

    #[test]
    fn code128_starts_checks_and_stops() {
        assert_eq!(code128_symbols(b"AB"), [START_B, 33, 34]);
        let modules = code128("AB").unwrap();
        assert_eq!(modules.len(), 11 * 4 + 13);
        assert!(drawn(&modules).ends_with("1100011101011"), "the stop pattern of the standard");
        assert_eq!(check_symbol(&[START_B, 33, 34]), 102);
    }

    #[test]
    fn digits_in_pairs_take_half_the_room() {
        assert_eq!(code128_symbols(b"1234"), [START_C, 12, 34]);
        assert_eq!(code128_symbols(b"12345"), [START_C, 12, 34, CODE_B, 21]);
        assert_eq!(code128_symbols(b"A123456B"), [START_B, 33, CODE_C, 12, 34, 56, CODE_B, 34]);
        assert_eq!(code128_symbols(b"A12345"), [START_B, 33, 17, CODE_C, 23, 45]);
        assert_eq!(code128_symbols(b"123"), [START_B, 17, 18, 19]);
    }

    #[test]
    fn every_symbol_is_eleven_modules() {
        for widths in &CODE128[..106] {
            assert_eq!(bars(widths).len(), 11, "{widths}");
        }
    }

    #[test]
    fn anything_but_printable_ascii_is_refused() {
        for text in ["", "é", "a\u{10}b", "\u{7f}"] {
            assert_eq!(code128(text), None, "{text:?}");
        }
    }

    #[test]
    fn ean13_has_its_guards_and_parities() {
        let modules = ean13("4006381333931").unwrap();
        assert_eq!(modules.len(), 95);
        let drawn = drawn(&modules);
        assert!(drawn.starts_with("101") && drawn.ends_with("101"));
        assert_eq!(&drawn[45..50], "01010");
        assert_eq!(&drawn[3..10], "0001101", "0 in odd parity");
        assert_eq!(&drawn[17..24], "0101111", "6 in odd parity");
    }

    #[test]
    fn ean13_needs_thirteen_digits_and_their_check() {
        assert!(is_ean13("4006381333931") && is_ean13("0000000000000"));
        for text in ["4006381333932", "400638133393", "40063813339310", "40063813339a1", ""] {
            assert!(!is_ean13(text), "{text}");
            assert_eq!(ean13(text), None);
        }
    }
}
