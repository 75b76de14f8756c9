//! Double-byte character sets of Asian models.

use encoding_rs::{BIG5, EUC_KR, GB18030, SHIFT_JIS};

/// A double-byte character set. Devices know its two-byte area only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cjk {
    /// Simplified Chinese; GBK is its two-byte area.
    Gb18030,
    /// Traditional Chinese.
    Big5,
    /// Japanese, JIS X 0208 by Shift JIS or, after `FS C 0`, by JIS codes.
    ShiftJis,
    /// Korean.
    Ksc,
}

impl Cjk {
    /// Whether the byte begins a double-byte character.
    pub(crate) fn is_lead(self, byte: u8) -> bool {
        match self {
            Self::Gb18030 | Self::Big5 | Self::Ksc => (0x81..=0xFE).contains(&byte),
            Self::ShiftJis => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
        }
    }

    /// Whether the byte may end a double-byte character.
    pub(crate) fn is_trail(self, byte: u8) -> bool {
        match self {
            Self::Gb18030 | Self::ShiftJis => matches!(byte, 0x40..=0x7E | 0x80..=0xFE),
            Self::Big5 => matches!(byte, 0x40..=0x7E | 0xA1..=0xFE),
            Self::Ksc => matches!(byte, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE),
        }
    }

    /// The character, or the replacement character for an empty code point.
    pub(crate) fn decode(self, lead: u8, trail: u8) -> char {
        let encoding = match self {
            Self::Gb18030 => GB18030,
            Self::Big5 => BIG5,
            Self::ShiftJis => SHIFT_JIS,
            Self::Ksc => EUC_KR,
        };
        let bytes = [lead, trail];
        let text = encoding.decode_without_bom_handling(&bytes).0;
        text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// Turns a JIS X 0208 code (both bytes 21h..7Eh) into Shift JIS.
pub(crate) fn jis_to_shift_jis(lead: u8, trail: u8) -> [u8; 2] {
    let row = (lead.clamp(0x21, 0x7E) - 0x21) / 2;
    let first = if row < 0x1F { 0x81 + row } else { 0xC1 + row };
    let column = trail.clamp(0x21, 0x7E);
    let second = match (lead % 2, column) {
        (1, 0x60..) => column + 0x20,
        (1, _) => column + 0x1F,
        _ => column + 0x7E,
    };
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euro_is_a_two_byte_character_of_gb18030() {
        assert_eq!(Cjk::Gb18030.decode(0xA2, 0xE3), '€');
    }

    #[test]
    fn jis_codes_reach_the_same_characters() {
        let [lead, trail] = jis_to_shift_jis(0x34, 0x41);
        assert_eq!(Cjk::ShiftJis.decode(lead, trail), '漢');
    }
}
