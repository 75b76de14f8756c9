//! International character sets: twelve ASCII places replaced by `ESC R n`.

/// The places that `ESC R` replaces (Epson ESC R reference).
const PLACES: &[u8; 12] = b"#$@[\\]^`{|}~";

/// The twelve characters of set `n`, in the order of [`PLACES`].
const SETS: [&str; 16] = [
    "#$@[\\]^`{|}~", // USA
    "#$à°ç§^`éùè¨",  // France
    "#$§ÄÖÜ^`äöüß",  // Germany
    "£$@[\\]^`{|}~", // United Kingdom
    "#$@ÆØÅ^`æøå~",  // Denmark I
    "#¤ÉÄÖÅÜéäöåü",  // Sweden
    "#$@°\\é^ùàòèì", // Italy
    "₧$@¡Ñ¿^`¨ñ}~",  // Spain I
    "#$@[¥]^`{|}~",  // Japan
    "#¤ÉÆØÅÜéæøåü",  // Norway
    "#$ÉÆØÅÜéæøåü",  // Denmark II
    "#$á¡Ñ¿é`íñóú",  // Spain II
    "#$á¡Ñ¿éüíñóú",  // Latin America
    "#$@[₩]^`{|}~",  // Korea
    "#$ŽŠĐĆČžšđćč",  // Slovenia, Croatia
    "#¥@[\\]^`{|}~", // China
];

/// What a code below 80h prints under international set `set`.
pub(crate) fn substitute(set: u8, byte: u8) -> char {
    let place = PLACES.iter().position(|place| *place == byte);
    let replaced = place.and_then(|place| SETS.get(usize::from(set))?.chars().nth(place));
    replaced.unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_replaces_exactly_the_twelve_places() {
        assert!(SETS.iter().all(|set| set.chars().count() == PLACES.len()));
    }

    #[test]
    fn chinese_set_turns_dollar_into_yuan() {
        assert_eq!(substitute(15, b'$'), '¥');
        assert_eq!(substitute(15, b'A'), 'A');
        assert_eq!(substitute(200, b'$'), '$');
    }
}
