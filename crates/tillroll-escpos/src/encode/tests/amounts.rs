//! Rows of two texts: the amount stays whole, at the right edge, and right.

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::*;
use crate::profile::CodePage;
use crate::typeset::Align;

const NOODLES: &str = "红烧牛肉面（大碗）";

fn gbk_lines(row: Row, columns: u32) -> (Vec<String>, Vec<Note>) {
    let profile = profile("generic-80-gb18030").with_columns(columns).unwrap();
    let encoded = plain(&[row], &profile).unwrap();
    let mut lines = walker::lines(&encoded.body, &profile);
    assert_eq!(lines.pop().as_deref(), Some(""), "the line fed at the end");
    (lines, encoded.notes)
}

/// Cells are measured, not characters (wwandreww/esc_pos_utils#103).
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
    let error = plain(&[Row::Rule, amount_row("红烧", "28.00元")], &latin).unwrap_err();
    assert_eq!(error.code(), "money_row_not_renderable");
    let expected = "row 1: the amount cannot be printed: neither printer nor fonts have '元'";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn amount_without_a_glyph_is_refused_but_other_text_gets_a_box() {
    let latin = profile("generic-80");
    let error = plain(&[amount_row("红烧", "28.00元")], &latin).unwrap_err();
    assert_eq!(error.code(), "money_row_not_renderable", "a printer that draws, but no fonts");
    let rows = [amount_row("红\u{12345}", "₪\u{12346}5")];
    let error = encode(&rows, &latin, &(), &mut test_fonts::typesetter()).unwrap_err();
    assert!(error.to_string().ends_with("'\u{12346}'"), "what the fonts lack: {error}");
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
fn name_that_no_font_has_stands_in_boxes_beside_its_exact_amount() {
    let rows = [amount_row("红\u{12345}烧", "28.00"), {
        let text = "  2 \u{12345} x 28.00/\u{12345}".into();
        Row::Text { text, align: Align::Left, style: Style::default(), money: true }
    }];
    let sent = encoded(&rows, &profile("generic-80"));
    let expected = [
        Note::RasterFallback { row: 0 },
        Note::MissingGlyphs { row: 0, count: 1 },
        Note::RasterFallback { row: 1 },
        Note::MissingGlyphs { row: 1, count: 2 },
    ];
    assert_eq!(sent.notes, expected);
}

#[test]
fn name_without_fonts_or_pictures_is_starred_beside_its_exact_amount() {
    let drawing = profile("generic-80");
    let blind = Profile { raster: false, graphics: false, ..profile("generic-80") };
    for profile in [drawing, blind] {
        let sent = plain(&[amount_row("红烧 x2…", "28.00 ₪")], &profile).unwrap();
        let expected = format!("** x2…{}28.00 ILS", " ".repeat(33));
        assert_eq!(walker::lines(&sent.body, &profile)[0], expected);
        assert_eq!(sent.notes, [Note::Starred { row: 0, count: 2 }]);
    }
}

#[test]
fn large_amount_steps_down_to_single_size_and_is_not_torn() {
    let tall = Style { tall: true, bold: true, ..Style::default() };
    let wide = Style { wide: true, ..tall };
    let narrow = profile("generic-58");
    let drawn = encoded(&[Row::amount("合计", "￥1234567950.34", tall)], &narrow);
    assert_eq!(drawn.body[..8], *b"\x1dv0\0\x30\0\x1c\0", "one line of 28 rows");
    let alone = encoded(&[Row::amount("", "-￥999999999999.99元", wide)], &narrow);
    assert_eq!(alone.body[..8], *b"\x1dv0\0\x30\0\x1c\0");
    let small = encoded(&[Row::amount("合计", "￥28.00", tall)], &narrow);
    assert_eq!(small.body[..8], *b"\x1dv0\0\x30\0\x38\0", "what fits is large");

    let profile = profile("generic-58-gb18030");
    let coded = plain(&[Row::amount("合计", "￥123456795034.00", wide)], &profile).unwrap();
    assert_eq!(walker::lines(&coded.body, &profile)[0], "合计           ￥123456795034.00");
    assert!(!coded.body.windows(2).any(|bytes| bytes == b"\x1d!\x11"), "single size");
}

#[test]
fn later_lines_of_a_note_are_indented() {
    let profile = profile("generic-58");
    let note = "  * no onions, no garlic, sauce aside please";
    let sent = plain(&[Row::text(note)], &profile).unwrap();
    let lines = walker::lines(&sent.body, &profile);
    assert_eq!(lines[..2], ["  * no onions, no garlic, sauce", "    aside please"]);
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
