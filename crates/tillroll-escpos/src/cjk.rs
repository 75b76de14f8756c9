//! Double-byte characters: the code sent between FS & and FS ., two cells each.
//!
//! Printers called GB18030 have its two-byte area only, so a four-byte code is no code here.

use encoding_rs::Encoding;
use serde::{Deserialize, Serialize};

use crate::code_page::encoded;

/// The double-byte characters a printer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cjk {
    /// None.
    #[default]
    None,
    /// Simplified Chinese: GB18030, two-byte area.
    Gb18030,
    /// Traditional Chinese: Big5.
    Big5,
    /// Japanese: Shift JIS.
    ShiftJis,
    /// Korean: KS C 5601 (EUC-KR).
    Ksc,
}

impl Cjk {
    /// Whether the printer has double-byte characters at all.
    #[must_use]
    pub fn is_some(self) -> bool {
        self != Self::None
    }

    /// The two bytes of a character.
    #[must_use]
    pub fn encode(self, c: char) -> Option<[u8; 2]> {
        if c.is_ascii() {
            return None;
        }
        match encoded(self.encoding()?, c)?.as_slice() {
            &[lead, trail] if lead >= 0x80 => Some([lead, trail]),
            _ => None,
        }
    }

    fn encoding(self) -> Option<&'static Encoding> {
        match self {
            Self::None => None,
            Self::Gb18030 => Some(encoding_rs::GB18030),
            Self::Big5 => Some(encoding_rs::BIG5),
            Self::ShiftJis => Some(encoding_rs::SHIFT_JIS),
            Self::Ksc => Some(encoding_rs::EUC_KR),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_byte_codes_go_out() {
        assert_eq!(Cjk::Gb18030.encode('红'), Some([0xba, 0xec]));
        assert_eq!(Cjk::Gb18030.encode('￥'), Some([0xa3, 0xa4]));
        assert_eq!(Cjk::Gb18030.encode('¥'), None, "four bytes in GB18030");
        assert_eq!(Cjk::Gb18030.encode('ï'), None, "four bytes in GB18030");
        assert_eq!(Cjk::Gb18030.encode('A'), None);
        assert_eq!(Cjk::ShiftJis.encode('ア'), Some([0x83, 0x41]));
        assert_eq!(Cjk::ShiftJis.encode('¥'), None, "one byte, shared with the backslash");
        assert_eq!(Cjk::None.encode('红'), None);
    }

    #[test]
    fn no_code_has_a_control_byte() {
        for cjk in [Cjk::Gb18030, Cjk::Big5, Cjk::ShiftJis, Cjk::Ksc] {
            for c in '\u{a0}'..='\u{ffff}' {
                let code = cjk.encode(c).unwrap_or([0xff, 0xff]);
                assert!(code.iter().all(|&byte| byte >= 0x30 && byte != 0x7f), "{c:?} {code:02x?}");
            }
        }
    }
}
