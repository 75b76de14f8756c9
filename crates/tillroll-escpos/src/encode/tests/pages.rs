//! Which page or mode text is sent in.

use super::*;
use crate::profile::{Cjk, CodePage};

fn with_pages(pages: &[(u8, CodePage)]) -> Profile {
    Profile { code_pages: pages.to_vec(), ..profile("generic-80") }
}

/// The sign is its own, and the line is one of the page selected for it (Klemen1337/node-thermal-printer#70).
#[test]
fn euro_is_sent_in_a_page_that_has_it_selected_first() {
    let profile = with_pages(&[(0, CodePage::Cp437), (19, CodePage::Cp858)]);
    let body = body(&[Row::text("Crème brûlée 4,50 €"), Row::Rule], &profile);
    let mut expected = b"\x1c.\x1bt\x13\x43\x72\x8a\x6d\x65 br\x96l\x82e 4,50 \xd5\n".to_vec();
    expected.extend([0xc4; 48]);
    expected.extend(b"\n\n");
    assert_eq!(body, expected, "the rule is drawn in the page selected before");
}

#[test]
fn both_texts_of_a_row_share_a_page_where_one_has_all() {
    let sent = body(&[amount_row("é", "4 €")], &profile("generic-80"));
    let expected = [b"\x1c.\x1bt\x13\x82".as_slice(), &[b' '; 44], b"4 \xd5\n\n"].concat();
    assert_eq!(sent, expected);
}

#[test]
fn rule_is_hyphens_in_a_page_without_lines() {
    let profile = with_pages(&[(16, CodePage::Windows1252)]);
    let body = body(&[Row::text("4,50 €"), Row::Rule], &profile);
    assert_eq!(body, [b"\x1c.\x1bt\x104,50 \x80\n".as_slice(), &[b'-'; 48], b"\n\n"].concat());
}

#[test]
fn every_rule_of_a_document_is_of_one_kind() {
    let profile = with_pages(&[(0, CodePage::Cp437), (16, CodePage::Windows1252)]);
    let sent = body(&[Row::text("€ ï"), Row::Rule, Row::text("é"), Row::Rule], &profile);
    let lines = walker::lines(&sent, &profile);
    let solid = "─".repeat(48);
    assert_eq!(lines[..4], ["€ ï", &solid, "é", &solid]);
}

#[test]
fn printer_that_starts_in_double_byte_mode_prints_accents_signs_and_rules() {
    let started = Profile { cjk_on_at_power_up: true, ..profile("generic-80") };
    let rows = [Row::text("Tea"), amount_row("Coffee", "4,50 €"), Row::Rule, Row::text("Crème")];
    let sent = body(&rows, &started);
    let solid = "─".repeat(48);
    let row = format!("Coffee{}4,50 €", " ".repeat(36));
    assert_eq!(walker::lines(&sent, &started)[..4], ["Tea", &row, &solid, "Crème"]);
    assert!(sent.starts_with(b"Tea\n\x1c.Coffee"), "at the beginning of a line");
    assert_eq!(body(&[Row::text("Tea")], &started), b"Tea\n\n", "letters need no mode");
}

#[test]
fn euro_without_a_page_is_drawn_or_spelled_and_never_a_question_mark() {
    let row = [amount_row("Crème brûlée", "4,50 €")];
    let profile = with_pages(&[(0, CodePage::Cp437)]);
    let drawn = encoded(&row, &profile);
    assert_eq!(drawn.notes, [Note::RasterFallback { row: 0 }]);
    assert!(drawn.body.starts_with(b"\x1dv0\0\x48\0"), "576 dots");

    let blind = Profile { raster: false, graphics: false, ..profile };
    let spelled = encoded(&row, &blind);
    assert_eq!(
        walker::lines(&spelled.body, &blind)[0].trim_end(),
        format!("Crème brûlée{}4,50 EUR", " ".repeat(28))
    );
    assert_eq!(spelled.notes, [Note::MappedSign { row: 0, from: '€', to: "EUR" }]);
}

#[test]
fn hanzi_are_sent_between_their_mode_commands() {
    let profile = profile("generic-58-gb18030");
    let sent = body(&[Row::text("红 2"), Row::text("é"), Row::text("面")], &profile);
    let expected: &[u8] = b"\x1c&\xba\xec 2\n\x1c.\x1bt\x00\x82\n\x1c&\xc3\xe6\n\x1bd\x03\n";
    assert_eq!(sent, expected);
}

#[test]
fn japanese_mode_also_selects_its_code() {
    let profile = Profile { cjk: Cjk::ShiftJis, ..profile("generic-80") };
    assert!(body(&[Row::text("ア")], &profile).starts_with(b"\x1c&\x1cC\x01\x83\x41\n"));
}

#[test]
fn large_hanzi_are_doubled_by_both_commands() {
    let profile = profile("generic-80-gb18030");
    let style = Style { wide: true, tall: true, ..Style::default() };
    let sent = body(&[Row::centered("退款", style)], &profile);
    let expected: &[u8] =
        b"\x1ba\x01\x1d!\x11\x1c!\x0c\x1c&\xcd\xcb\xbf\xee\n\x1ba\x00\x1d!\x00\x1c!\x00\n";
    assert_eq!(sent, expected);
}

#[test]
fn small_font_is_not_used_beside_hanzi() {
    let profile = profile("generic-80-gb18030");
    let small = Style { small: true, ..Style::default() };
    let long = "x".repeat(64);
    let sent = body(&[Row::centered(&long, small), Row::centered("红", small)], &profile);
    let lines = walker::lines(&sent, &profile);
    assert_eq!(lines[0], long, "64 columns in font B");
    assert!(sent.windows(5).any(|bytes| bytes == b"\x1bM\x00\x1c&"));
}
