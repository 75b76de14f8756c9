//! Code 128 (ISO/IEC 15417) with Epson's escapes: `{A {B {C` sets, `{S` shift, `{1..{4` functions,
//! `{{` a brace; in set C each byte is a pair of digits, 0..=99 (Epson GS k reference).

use super::{Barcode, widths};
use crate::paper::SymbolKind;

const SHIFT: u8 = 98;
const STOP: u8 = 106;

/// A character set; its discriminant is the start symbol.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    A = 103,
    B = 104,
    C = 105,
}

impl Set {
    fn named(byte: u8) -> Option<Self> {
        match byte {
            b'A' => Some(Self::A),
            b'B' => Some(Self::B),
            b'C' => Some(Self::C),
            _ => None,
        }
    }

    /// Symbol that changes to this set.
    fn latch(self) -> u8 {
        match self {
            Self::A => 101,
            Self::B => 100,
            Self::C => 99,
        }
    }

    /// Symbol of function character 1..=4.
    fn function(self, number: u8) -> Option<u8> {
        match (number, self) {
            (1, _) => Some(102),
            (2, Self::A | Self::B) => Some(97),
            (3, Self::A | Self::B) => Some(96),
            (4, Self::A) => Some(101),
            (4, Self::B) => Some(100),
            _ => None,
        }
    }

    /// Symbol of a data byte.
    fn value(self, byte: u8) -> Option<u8> {
        match self {
            Self::A if byte < 0x20 => Some(byte + 64),
            Self::A => (0x20..0x60).contains(&byte).then(|| byte - 0x20),
            Self::B => (0x20..0x80).contains(&byte).then(|| byte - 0x20),
            Self::C => (byte < 100).then_some(byte),
        }
    }

    fn shifted(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
            Self::C => Self::C,
        }
    }
}

/// Encodes `{A`, `{B` or `{C` followed by data; `None` where the data does not fit the set.
pub(super) fn encode(content: &[u8]) -> Option<Barcode> {
    let [b'{', set, data @ ..] = content else { return None };
    let Encoder { mut symbols, text, .. } = Encoder::run(Set::named(*set)?, data)?;
    if symbols.len() < 2 {
        return None;
    }
    symbols.push(checksum(&symbols));
    symbols.push(STOP);
    let widths = symbols.iter().flat_map(|symbol| widths(PATTERNS[usize::from(*symbol)])).collect();
    Some(Barcode { kind: SymbolKind::Code128, content: text, widths })
}

/// Symbols so far and the set in force.
struct Encoder {
    set: Set,
    shifted: bool,
    symbols: Vec<u8>,
    text: String,
}

impl Encoder {
    fn run(set: Set, mut data: &[u8]) -> Option<Self> {
        let symbols = vec![set as u8];
        let mut encoder = Self { set, shifted: false, symbols, text: String::new() };
        while !data.is_empty() {
            data = encoder.step(data)?;
        }
        Some(encoder)
    }

    /// Encodes one character or escape; what is left.
    fn step<'a>(&mut self, data: &'a [u8]) -> Option<&'a [u8]> {
        let (symbol, rest) = match data {
            [b'{', b'S', rest @ ..] if self.set != Set::C => {
                self.shifted = true;
                (SHIFT, rest)
            }
            [b'{', number @ b'1'..=b'4', rest @ ..] => (self.set.function(number - b'0')?, rest),
            [b'{', name @ b'A'..=b'C', rest @ ..] => {
                self.set = Set::named(*name)?;
                (self.set.latch(), rest)
            }
            [b'{', b'{', rest @ ..] => (self.character(b'{')?, rest),
            [byte, rest @ ..] => (self.character(*byte)?, rest),
            [] => return None,
        };
        self.symbols.push(symbol);
        Some(rest)
    }

    fn character(&mut self, byte: u8) -> Option<u8> {
        let set = if std::mem::take(&mut self.shifted) { self.set.shifted() } else { self.set };
        match set {
            Set::C => self.text.push_str(&format!("{byte:02}")),
            Set::A | Set::B if (0x20..0x7F).contains(&byte) => self.text.push(char::from(byte)),
            Set::A | Set::B => self.text.push(' '),
        }
        set.value(byte)
    }
}

fn checksum(symbols: &[u8]) -> u8 {
    let weighted =
        symbols.iter().enumerate().map(|(index, symbol)| index.max(1) as u32 * u32::from(*symbol));
    (weighted.sum::<u32>() % 103) as u8
}

const PATTERNS: [&str; 107] = [
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_distinct_and_eleven_modules_wide() {
        let distinct: std::collections::BTreeSet<_> = PATTERNS.iter().collect();
        assert_eq!(distinct.len(), PATTERNS.len());
        assert!(PATTERNS[..106].iter().all(|pattern| widths(pattern).sum::<u8>() == 11));
    }

    #[test]
    fn checksum_weighs_symbols_by_position() {
        // 103 + 1*48 + 2*42 + 3*42 + 4*17 + 5*18 + 6*19 + 7*35 = 878 = 8*103 + 54
        let encoder = Encoder::run(Set::A, b"PJJ123C").unwrap();
        assert_eq!((checksum(&encoder.symbols), encoder.text.as_str()), (54, "PJJ123C"));
    }

    #[test]
    fn digit_pairs_are_read_out_as_digits() {
        assert_eq!(encode(&[b'{', b'C', 20, 26, 5]).unwrap().content, "202605");
    }

    #[test]
    fn content_outside_the_set_is_refused() {
        assert!(encode(b"{Aabc").is_none());
        assert!(encode(b"{C\x64").is_none());
        assert!(encode(b"ABC").is_none());
        assert!(encode(b"{B").is_none());
    }
}
