//! Single-byte code pages, numbered by `ESC t n`.
//!
//! The default numbering is Epson's (ESC t reference); other makers number theirs differently.

use std::collections::BTreeMap;

use encoding_rs::Encoding;
use oem_cp::code_table_type::TableType;

/// One single-byte character table; its lower half is always ASCII.
#[derive(Debug, Clone, Copy)]
pub enum CodePage {
    /// An OEM page by number, such as 437 or 858.
    Oem(u16),
    /// A page of the WHATWG encoding standard.
    Whatwg(&'static Encoding),
    /// Half-width Katakana with line drawing in 80h..9Fh (Epson page 1).
    Katakana,
}

impl CodePage {
    /// Finds a page by its usual name (`CP858`, `windows-1252`, `ISO8859-15`, `Katakana`).
    pub fn named(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        if lower == "katakana" {
            return Some(Self::Katakana);
        }
        let number = lower.trim_start_matches(|c: char| !c.is_ascii_digit());
        if let Some(page) = number.parse().ok().filter(|number| oem_table(*number).is_some()) {
            return Some(Self::Oem(page));
        }
        let windows = format!("windows-{number}");
        let iso = lower.replace("iso8859", "iso-8859").replace('_', "-");
        [lower.as_str(), &windows, &iso]
            .iter()
            .find_map(|label| Encoding::for_label_no_replacement(label.as_bytes()))
            .filter(|encoding| encoding.is_single_byte())
            .map(Self::Whatwg)
    }

    /// The character of one byte; the replacement character where the page is empty.
    pub fn decode(self, byte: u8) -> char {
        if byte < 0x80 {
            return char::from(byte);
        }
        match self {
            Self::Oem(number) => decode_oem(number, byte),
            Self::Whatwg(encoding) => {
                let bytes = [byte];
                let text = encoding.decode_without_bom_handling(&bytes).0;
                text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            Self::Katakana => decode_katakana(byte),
        }
    }
}

/// The pages of a model by their `ESC t` number.
#[derive(Debug, Clone)]
pub struct CodePages(BTreeMap<u8, CodePage>);

impl CodePages {
    /// Builds a table from (number, page) pairs.
    pub fn new(pages: impl IntoIterator<Item = (u8, CodePage)>) -> Self {
        Self(pages.into_iter().collect())
    }

    /// Epson's numbers (ESC t reference), pages without a known table left out.
    pub fn epson() -> Self {
        let named = EPSON
            .iter()
            .filter_map(|(number, name)| CodePage::named(name).map(|page| (*number, page)));
        Self::new(named)
    }

    /// The page with that number; page 437 for a number the model does not have.
    pub fn get(&self, number: u8) -> CodePage {
        self.0.get(&number).copied().unwrap_or(CodePage::Oem(437))
    }
}

fn oem_table(number: u16) -> Option<&'static TableType> {
    oem_cp::code_table::DECODING_TABLE_CP_MAP.get(&number)
}

fn decode_oem(number: u16, byte: u8) -> char {
    let index = usize::from(byte - 0x80);
    let decoded = match oem_table(number) {
        Some(TableType::Complete(table)) => Some(table[index]),
        Some(TableType::Incomplete(table)) => table[index],
        None => None,
    };
    decoded.unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn decode_katakana(byte: u8) -> char {
    let graphics = |table: &str, first: u8| table.chars().nth(usize::from(byte - first));
    let decoded = match byte {
        0x80..=0x9F => graphics("▁▂▃▄▅▆▇█▏▎▍▌▋▊▉┼┴┬┤├▔─│▕┌┐└┘╭╮╰╯", 0x80),
        0xA1..=0xDF => char::from_u32(0xFF61 + u32::from(byte - 0xA1)),
        0xE0..=0xFE => graphics("═╞╪╡◢◣◥◤♠♥♦♣●○╱╲╳円年月日時分秒〒市区町村人▒", 0xE0),
        _ => Some(' '),
    };
    decoded.unwrap_or(char::REPLACEMENT_CHARACTER)
}

const EPSON: &[(u8, &str)] = &[
    (0, "CP437"),
    (1, "Katakana"),
    (2, "CP850"),
    (3, "CP860"),
    (4, "CP863"),
    (5, "CP865"),
    (13, "CP857"),
    (14, "CP737"),
    (15, "ISO8859-7"),
    (16, "CP1252"),
    (17, "CP866"),
    (18, "CP852"),
    (19, "CP858"),
    (21, "CP874"),
    (26, "CP874"),
    (32, "CP720"),
    (33, "CP775"),
    (34, "CP855"),
    (35, "CP861"),
    (36, "CP862"),
    (37, "CP864"),
    (38, "CP869"),
    (39, "ISO8859-2"),
    (40, "ISO8859-15"),
    (45, "CP1250"),
    (46, "CP1251"),
    (47, "CP1253"),
    (48, "CP1254"),
    (49, "CP1255"),
    (50, "CP1256"),
    (51, "CP1257"),
    (52, "CP1258"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epson_pages_have_the_euro_where_the_manual_says() {
        let pages = CodePages::epson();
        assert_eq!(pages.get(19).decode(0xD5), '€');
        assert_eq!(pages.get(16).decode(0x80), '€');
        assert_eq!(pages.get(0).decode(0xC4), '─');
    }

    #[test]
    fn every_epson_name_is_known() {
        for (number, name) in EPSON {
            assert!(CodePage::named(name).is_some(), "page {number} {name}");
        }
    }

    #[test]
    fn double_byte_encodings_are_not_code_pages() {
        assert!(CodePage::named("gbk").is_none());
    }

    #[test]
    fn katakana_page_rules_lines() {
        let page = CodePage::Katakana;
        let drawn: String = [0x98, 0x95, 0x91, 0x99].map(|byte| page.decode(byte)).iter().collect();
        assert_eq!(drawn, "┌─┬┐");
        assert_eq!(page.decode(0xB1), 'ｱ');
    }
}
