//! The IEEE 1284 device id: how a USB printer names itself, `MFG:EPSON;MDL:TM-T20III;...`.

/// Longest id that is looked at, in bytes.
const MAX_LENGTH: usize = 4096;

/// Maker, model and serial number of a printer, as far as it tells them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ieee1284Id {
    /// Key `MFG` or `MANUFACTURER`.
    pub maker: Option<String>,
    /// Key `MDL` or `MODEL`.
    pub model: Option<String>,
    /// Key `SN`, `SERN` or `SERIALNUMBER`.
    pub serial: Option<String>,
}

impl Ieee1284Id {
    /// Reads an id; keys that are not known and parts that are not `KEY:value` are passed over.
    pub fn parse(text: &str) -> Self {
        let mut id = Self::default();
        let text = text.get(..MAX_LENGTH).unwrap_or(text);
        for (key, value) in text.split(';').filter_map(|part| part.split_once(':')) {
            let slot = match key.trim().to_ascii_uppercase().as_str() {
                "MFG" | "MANUFACTURER" => &mut id.maker,
                "MDL" | "MODEL" => &mut id.model,
                "SN" | "SERN" | "SERIALNUMBER" => &mut id.serial,
                _ => continue,
            };
            let value: String = value.trim().chars().filter(|char| !char.is_control()).collect();
            if slot.is_none() && !value.is_empty() {
                *slot = Some(value);
            }
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maker_model_and_serial_are_read_under_their_long_and_short_keys() {
        let short = Ieee1284Id::parse("MFG:EPSON;CMD:ESC/POS;MDL:TM-T20III;CLS:PRINTER;SN: AB12 ;");
        let long = Ieee1284Id::parse("manufacturer:EPSON;model:TM-T20III;SERIALNUMBER:AB12\n");
        let expected = Ieee1284Id {
            maker: Some("EPSON".into()),
            model: Some("TM-T20III".into()),
            serial: Some("AB12".into()),
        };
        assert_eq!((short, long), (expected.clone(), expected));
    }

    #[test]
    fn nonsense_yields_nothing() {
        for text in ["", ";;;", "MFG", ":EPSON", "MDL:;MDL: \u{1b}", "\u{0}"] {
            assert_eq!(Ieee1284Id::parse(text), Ieee1284Id::default(), "{text:?}");
        }
    }
}
