//! Percent-encoding of the paths and values inside a device URI.

use std::fmt::Write as _;

/// Writes `text` so that it holds no byte with a meaning in a URI and no space or control byte.
pub(super) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for char in text.chars() {
        if matches!(char, '%' | '?' | '#' | '&' | '=' | '+')
            || char.is_whitespace()
            || char.is_control()
        {
            let mut utf8 = [0; 4];
            for byte in char.encode_utf8(&mut utf8).bytes() {
                // Writing to a String cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        } else {
            encoded.push(char);
        }
    }
    encoded
}

/// Undoes [`encode`]; `None` for a broken escape or text that is not UTF-8.
pub(super) fn decode(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' { hex_pair(bytes.next()?, bytes.next()?)? } else { byte });
    }
    String::from_utf8(decoded).ok()
}

fn hex_pair(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}
