//! Single-byte code pages: which byte a character has in which page.
//!
//! Only pages with one character a cell from left to right are here. Bytes below 80h are ASCII in
//! all of them. The tables are those of oem_cp (IBM pages) and encoding_rs (Windows and ISO pages).

use encoding_rs::Encoding;
use oem_cp::code_table::{
    ENCODING_TABLE_CP437, ENCODING_TABLE_CP737, ENCODING_TABLE_CP775, ENCODING_TABLE_CP850,
    ENCODING_TABLE_CP852, ENCODING_TABLE_CP855, ENCODING_TABLE_CP857, ENCODING_TABLE_CP858,
    ENCODING_TABLE_CP860, ENCODING_TABLE_CP861, ENCODING_TABLE_CP863, ENCODING_TABLE_CP865,
    ENCODING_TABLE_CP866, ENCODING_TABLE_CP869,
};
use serde::{Deserialize, Serialize};

/// A code page, by the name escpos-printer-db gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the definition")]
pub enum CodePage {
    #[serde(rename = "CP437")]
    Cp437,
    #[serde(rename = "CP737")]
    Cp737,
    #[serde(rename = "CP775")]
    Cp775,
    #[serde(rename = "CP850")]
    Cp850,
    #[serde(rename = "CP852")]
    Cp852,
    #[serde(rename = "CP855")]
    Cp855,
    #[serde(rename = "CP857")]
    Cp857,
    #[serde(rename = "CP858")]
    Cp858,
    #[serde(rename = "CP860")]
    Cp860,
    #[serde(rename = "CP861")]
    Cp861,
    #[serde(rename = "CP863")]
    Cp863,
    #[serde(rename = "CP865")]
    Cp865,
    #[serde(rename = "CP866")]
    Cp866,
    #[serde(rename = "CP869")]
    Cp869,
    #[serde(rename = "CP1250")]
    Windows1250,
    #[serde(rename = "CP1251")]
    Windows1251,
    #[serde(rename = "CP1252")]
    Windows1252,
    #[serde(rename = "CP1253")]
    Windows1253,
    #[serde(rename = "CP1254")]
    Windows1254,
    #[serde(rename = "CP1257")]
    Windows1257,
    #[serde(rename = "ISO_8859-2")]
    Iso8859Part2,
    #[serde(rename = "ISO_8859-4")]
    Iso8859Part4,
    #[serde(rename = "ISO_8859-5")]
    Iso8859Part5,
    #[serde(rename = "ISO_8859-7")]
    Iso8859Part7,
    #[serde(rename = "ISO_8859-15")]
    Iso8859Part15,
}

impl CodePage {
    /// The byte of a printable character in this page.
    #[must_use]
    pub fn encode(self, c: char) -> Option<u8> {
        if c.is_ascii() {
            return (' '..='~').contains(&c).then_some(c as u8);
        }
        if c.is_control() {
            return None;
        }
        match self.table() {
            Table::Oem(table) => table.get(&c).copied(),
            Table::Web(encoding) => single_byte(encoding, c),
        }
    }

    fn table(self) -> Table {
        match self {
            Self::Cp437 => Table::Oem(&ENCODING_TABLE_CP437),
            Self::Cp737 => Table::Oem(&ENCODING_TABLE_CP737),
            Self::Cp775 => Table::Oem(&ENCODING_TABLE_CP775),
            Self::Cp850 => Table::Oem(&ENCODING_TABLE_CP850),
            Self::Cp852 => Table::Oem(&ENCODING_TABLE_CP852),
            Self::Cp855 => Table::Oem(&ENCODING_TABLE_CP855),
            Self::Cp857 => Table::Oem(&ENCODING_TABLE_CP857),
            Self::Cp858 => Table::Oem(&ENCODING_TABLE_CP858),
            Self::Cp860 => Table::Oem(&ENCODING_TABLE_CP860),
            Self::Cp861 => Table::Oem(&ENCODING_TABLE_CP861),
            Self::Cp863 => Table::Oem(&ENCODING_TABLE_CP863),
            Self::Cp865 => Table::Oem(&ENCODING_TABLE_CP865),
            Self::Cp866 => Table::Oem(&ENCODING_TABLE_CP866),
            Self::Cp869 => Table::Oem(&ENCODING_TABLE_CP869),
            Self::Windows1250 => Table::Web(encoding_rs::WINDOWS_1250),
            Self::Windows1251 => Table::Web(encoding_rs::WINDOWS_1251),
            Self::Windows1252 => Table::Web(encoding_rs::WINDOWS_1252),
            Self::Windows1253 => Table::Web(encoding_rs::WINDOWS_1253),
            Self::Windows1254 => Table::Web(encoding_rs::WINDOWS_1254),
            Self::Windows1257 => Table::Web(encoding_rs::WINDOWS_1257),
            Self::Iso8859Part2 => Table::Web(encoding_rs::ISO_8859_2),
            Self::Iso8859Part4 => Table::Web(encoding_rs::ISO_8859_4),
            Self::Iso8859Part5 => Table::Web(encoding_rs::ISO_8859_5),
            Self::Iso8859Part7 => Table::Web(encoding_rs::ISO_8859_7),
            Self::Iso8859Part15 => Table::Web(encoding_rs::ISO_8859_15),
        }
    }
}

enum Table {
    Oem(&'static oem_cp::OEMCPHashMap<char, u8>),
    Web(&'static Encoding),
}

fn single_byte(encoding: &'static Encoding, c: char) -> Option<u8> {
    match encoded(encoding, c)?.as_slice() {
        &[byte] if byte >= 0x80 => Some(byte),
        _ => None,
    }
}

/// The bytes of one character; `None` where the encoding does not have it.
pub(crate) fn encoded(encoding: &'static Encoding, c: char) -> Option<Vec<u8>> {
    let mut utf8 = [0; 4];
    let (bytes, _, unmappable) = encoding.encode(c.encode_utf8(&mut utf8));
    (!unmappable).then(|| bytes.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accented_letters_and_euro_have_the_bytes_of_their_page() {
        assert_eq!(CodePage::Cp858.encode('è'), Some(0x8a));
        assert_eq!(CodePage::Cp858.encode('€'), Some(0xd5));
        assert_eq!(CodePage::Windows1252.encode('€'), Some(0x80));
        assert_eq!(CodePage::Cp437.encode('€'), None);
        assert_eq!(CodePage::Cp866.encode('Я'), Some(0x9f));
        assert_eq!(CodePage::Cp437.encode('─'), Some(0xc4));
    }

    #[test]
    fn control_characters_have_no_byte_in_any_page() {
        for page in [CodePage::Cp437, CodePage::Windows1252, CodePage::Iso8859Part2] {
            for c in ('\0'..' ').chain('\u{7f}'..='\u{9f}') {
                assert_eq!(page.encode(c), None, "{c:?} in {page:?}");
            }
        }
    }
}
