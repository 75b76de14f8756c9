//! Rows of two texts: the amount stays whole, at the right edge, and right.

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::*;
use crate::profile::CodePage;

const NOODLES: &str = "红烧牛肉面（大碗）";

fn gbk_lines(row: Row, columns: u32) -> (Vec<String>, Vec<Note>) {
    let profile = profile("generic-80-gb18030").with_columns(columns).unwrap();
    let encoded = plain(&[row], &profile).unwrap();
    let mut lines = walker::lines(&encoded.body, &profile);
    assert_eq!(lines.pop().as_deref(), Some(""), "the line fed at the end");
    (lines, encoded.notes)
}

#[test]
fn hanzi_name_and_price_fill_the_line_exactly() {
    let (lines, _) = gbk_lines(amount_row(NOODLES, "￥28.00"), 32);
    assert_eq!(lines, [format!("{NOODLES}{}￥28.00", " ".repeat(7))]);
    let cells: usize = encoding_rs::GBK.encode(&lines[0]).0.len();
    assert_eq!(cells, 32);
}

#[test]
fn name_wraps_on_a_narrow_line_and_the_price_stays_whole() {
    let (lines, _) = gbk_lines(amount_row(NOODLES, "￥28.00"), 20);
    assert_eq!(lines, ["红烧牛肉面   ￥28.00", "（大碗）"]);
}

#[test]
fn yen_sign_of_latin_pages_is_mapped_and_measured_again() {
    let (lines, notes) = gbk_lines(amount_row(NOODLES, "¥28.00"), 32);
    assert_eq!(lines, [format!("{NOODLES}{}￥28.00", " ".repeat(7))]);
    assert_eq!(notes, [Note::MappedSign { row: 0, from: '¥', to: "￥" }]);
}

#[test]
fn double_width_counts_double() {
    let wide = Style { wide: true, ..Style::default() };
    let (lines, _) = gbk_lines(Row::amount("合计", "￥54.00", wide), 32);
    assert_eq!(lines, ["合计     ￥54.00"], "16 cells of double width");
}

#[test]
fn amount_longer_than_the_line_leaves_gets_its_own() {
    let (lines, _) = gbk_lines(amount_row("Total", "￥999999999999.99"), 20);
    assert_eq!(lines, ["Total", "￥999999999999.99"]);
    let (lines, _) = gbk_lines(amount_row("", "-￥999999999999.99"), 20);
    assert_eq!(lines, ["  -￥999999999999.99"], "the largest amount, on the narrowest paper");
}

#[test]
fn amount_that_cannot_be_printed_is_refused_and_names_the_character() {
    let latin = Profile {
        code_pages: vec![(0, CodePage::Cp437)],
        raster: false,
        graphics: false,
        ..profile("generic-80")
    };
    let error = plain(&[Row::Rule, amount_row("红烧", "28.00")], &latin).unwrap_err();
    assert_eq!(error.code(), "money_row_not_renderable");
    assert_eq!(error.to_string(), "row 1: the amount cannot be printed, this printer has no '红'");
}

#[test]
fn amount_without_a_glyph_is_refused_but_other_text_gets_a_box() {
    let latin = profile("generic-80");
    let error = plain(&[amount_row("红烧", "28.00")], &latin).unwrap_err();
    assert_eq!(error.code(), "money_row_not_renderable", "a printer that draws, but no fonts");
    let boxes = plain(&[Row::text("红烧")], &latin).unwrap();
    let expected = [Note::RasterFallback { row: 0 }, Note::MissingGlyphs { row: 0, count: 2 }];
    assert_eq!(boxes.notes, expected);
}

#[test]
fn text_on_a_printer_without_pictures_is_starred() {
    let latin = Profile { raster: false, graphics: false, ..profile("generic-80") };
    let starred = plain(&[Row::text("红烧 ok")], &latin).unwrap();
    assert_eq!(starred.body, b"** ok\n\n");
    assert_eq!(starred.notes, [Note::Starred { row: 0, count: 2 }]);
}

#[test]
fn fallback_row_is_one_picture_as_wide_as_the_paper() {
    let row = amount_row("شكرا جزيلا", "28.00");
    let drawn = encoded(std::slice::from_ref(&row), &profile("pos-5890"));
    assert_eq!(drawn.notes, [Note::RasterFallback { row: 0 }]);
    assert_eq!(drawn.body[..8], *b"\x1dv0\0\x30\0\x1c\0", "48 bytes by 28 rows");
    let again = encoded(&[row], &profile("pos-5890"));
    assert_eq!(drawn, again, "same input, same bytes");
}

proptest! {
    #[test]
    fn every_line_fits_and_the_right_text_is_whole(
        left in "[a-z红烧牛（） ]{0,60}",
        right in "[0-9.￥]{1,10}",
        columns in 20_u32..=48,
    ) {
        let (lines, _) = gbk_lines(amount_row(&left, &right), columns);
        let cells = |line: &str| UnicodeWidthStr::width(line) as u32;
        prop_assert!(lines.iter().all(|line| cells(line) <= columns), "{lines:?}");
        let whole = lines.iter().filter(|line| line.ends_with(&right)).count();
        prop_assert!(whole >= 1, "{lines:?}");
        prop_assert_eq!(lines.concat().replace(' ', "").chars().count(),
            format!("{left}{right}").replace(' ', "").chars().count());
    }
}
