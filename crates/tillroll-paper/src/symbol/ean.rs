//! EAN-13, EAN-8 and UPC-A (GS1 General Specifications, section 5.2).

use super::{Barcode, widths};
use crate::paper::SymbolKind;

/// Widths of digits of set A, space first; set C is the same with a bar first, set B is A reversed.
const DIGITS: [&str; 10] =
    ["3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112"];

/// Which of the six left digits are of set B, by the first digit of EAN-13.
const SET_B: [&str; 10] = [
    "000000", "001011", "001101", "001110", "010011", "011001", "011100", "010101", "010110",
    "011010",
];

const GUARD: &str = "111";
const CENTRE: &str = "11111";

/// 12 digits, or 13 with a right check digit.
pub(super) fn ean13(content: &[u8]) -> Option<Barcode> {
    let digits = checked(content, 12)?;
    Some(barcode(SymbolKind::Ean13, &digits, SET_B[usize::from(digits[0])], &digits[1..]))
}

/// 7 digits, or 8 with a right check digit.
pub(super) fn ean8(content: &[u8]) -> Option<Barcode> {
    let digits = checked(content, 7)?;
    Some(barcode(SymbolKind::Ean8, &digits, "0000", &digits))
}

/// 11 digits, or 12 with a right check digit; drawn as EAN-13 with a leading 0.
pub(super) fn upc_a(content: &[u8]) -> Option<Barcode> {
    let digits = checked(content, 11)?;
    Some(barcode(SymbolKind::UpcA, &digits, SET_B[0], &digits))
}

fn barcode(kind: SymbolKind, digits: &[u8], sets: &str, drawn: &[u8]) -> Barcode {
    let (left, right) = drawn.split_at(sets.len());
    let mut bars: Vec<u8> = widths(GUARD).collect();
    for (digit, set) in left.iter().zip(sets.bytes()) {
        let pattern = widths(DIGITS[usize::from(*digit)]);
        if set == b'1' {
            let mut reversed: Vec<u8> = pattern.collect();
            reversed.reverse();
            bars.extend(reversed);
        } else {
            bars.extend(pattern);
        }
    }
    bars.extend(widths(CENTRE));
    bars.extend(right.iter().flat_map(|digit| widths(DIGITS[usize::from(*digit)])));
    bars.extend(widths(GUARD));
    let content = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    Barcode { kind, content, widths: bars }
}

/// The digits with their check digit, which is added or, when given, verified.
fn checked(content: &[u8], length: usize) -> Option<Vec<u8>> {
    if !content.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut digits: Vec<u8> = content.iter().map(|digit| digit - b'0').collect();
    let given = if digits.len() == length + 1 { digits.pop() } else { None };
    if digits.len() != length {
        return None;
    }
    let sum: u32 = digits.iter().rev().zip([3, 1].iter().cycle()).map(weighted).sum();
    let check = ((10 - sum % 10) % 10) as u8;
    digits.push(check);
    given.is_none_or(|given| given == check).then_some(digits)
}

fn weighted((digit, weight): (&u8, &u32)) -> u32 {
    u32::from(*digit) * weight
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digit_is_added_or_verified() {
        assert_eq!(ean13(b"400638133393").unwrap().content, "4006381333931");
        assert!(ean13(b"4006381333931").is_some());
        assert!(ean13(b"4006381333932").is_none());
        assert_eq!(ean8(b"9638507").unwrap().content, "96385074");
        assert_eq!(upc_a(b"03600029145").unwrap().content, "036000291452");
    }

    #[test]
    fn widths_fill_the_standard_number_of_modules() {
        let modules =
            |code: Barcode| code.widths.iter().map(|width| u32::from(*width)).sum::<u32>();
        assert_eq!(modules(ean13(b"400638133393").unwrap()), 95);
        assert_eq!(modules(ean8(b"9638507").unwrap()), 67);
    }

    #[test]
    fn other_content_is_refused() {
        assert!(ean13(b"12345").is_none());
        assert!(ean13(b"40063813339x").is_none());
        assert!(ean8(b"").is_none());
    }
}
