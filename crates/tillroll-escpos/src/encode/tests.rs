mod amounts;
mod codes;
mod golden;
mod pages;
mod pictures;
mod safety;
mod walker;

use super::*;
use crate::document::Style;
use crate::test_fonts;

fn profile(name: &str) -> Profile {
    Profile::named(name).unwrap().clone()
}

/// Encodes with the fonts of this machine and no pictures.
fn encoded(rows: &[Row], profile: &Profile) -> Encoded {
    encode(rows, profile, &(), &mut test_fonts::typesetter()).unwrap()
}

/// Encodes text that needs no fonts.
fn plain(rows: &[Row], profile: &Profile) -> Result<Encoded, EncodeError> {
    encode(rows, profile, &(), &mut Typesetter::from_fonts(Vec::new()))
}

fn body(rows: &[Row], profile: &Profile) -> Vec<u8> {
    plain(rows, profile).unwrap().body
}

fn amount_row(left: &str, right: &str) -> Row {
    Row::amount(left, right, Style::default())
}
