use std::cell::RefCell;

use proptest::prelude::*;

use super::*;
use crate::test_fonts;

/// The picture as rows of `#` and `.`.
fn art(bitmap: &Bitmap) -> String {
    let row = |y| (0..bitmap.width).map(|x| if bitmap.get(x, y) { '#' } else { '.' }).collect();
    (0..bitmap.height).map(row).collect::<Vec<String>>().join("\n")
}

fn ink(bitmap: &Bitmap) -> u32 {
    bitmap.bytes().iter().map(|byte| byte.count_ones()).sum()
}

#[test]
fn letter_and_hanzi_fill_their_cells() {
    let mut typesetter = test_fonts::typesetter();
    let letter = typesetter.cell("A", 12, 24, false);
    let hanzi = typesetter.cell("红", 24, 24, false);
    assert_eq!((letter.width, letter.height, hanzi.width), (12, 24, 24));
    assert!(ink(&letter) > 30, "\n{}", art(&letter));
    assert!(ink(&hanzi) > 100, "\n{}", art(&hanzi));
    assert_eq!(typesetter.missing(), 0);
}

#[test]
fn letter_stands_on_the_baseline_inside_its_cell() {
    let bitmap = test_fonts::typesetter().cell("H", 12, 24, false);
    let inked: Vec<u32> = (0..24).filter(|&y| bitmap.row(y).iter().any(|&b| b != 0)).collect();
    assert_eq!(inked.last(), Some(&18), "\n{}", art(&bitmap));
    assert!((3..=6).contains(&inked[0]), "\n{}", art(&bitmap));
}

#[test]
fn bold_has_more_ink() {
    let mut typesetter = test_fonts::typesetter();
    let plain = ink(&typesetter.cell("8", 12, 24, false));
    assert!(ink(&typesetter.cell("8", 12, 24, true)) > plain + 10);
}

#[test]
fn missing_glyph_is_a_counted_box_also_from_the_cache() {
    let mut typesetter = test_fonts::typesetter();
    let first = typesetter.cell("\u{12345}", 24, 24, false);
    assert!(ink(&first) > 20, "\n{}", art(&first));
    assert_eq!(typesetter.missing(), 1);
    assert_eq!(typesetter.cell("\u{12345}", 24, 24, false), first);
    assert_eq!(typesetter.missing(), 2);
}

#[test]
fn without_fonts_every_character_is_missing_and_nothing_panics() {
    let mut typesetter = Typesetter::from_fonts(vec![b"no font".to_vec()]);
    typesetter.line("ab\n\u{0}红", 100, 24, Align::Left, false);
    assert!(typesetter.missing() >= 3, "{}", typesetter.missing());
    typesetter.line("", 0, 0, Align::Right, true);
}

#[test]
fn aligned_lines_are_the_same_dots_moved() {
    let mut typesetter = test_fonts::typesetter();
    let width = typesetter.measure("Total", 24);
    assert!((50..=70).contains(&width), "{width}");
    let left = typesetter.line("Total", 200, 24, Align::Left, false);
    let right = typesetter.line("Total", 200, 24, Align::Right, false);
    assert_eq!(ink(&left), ink(&right));
    let mut moved = Bitmap::new(200, 24);
    moved.draw(&left, 200 - width, 0);
    assert_eq!(moved, right);
}

#[test]
fn arabic_letters_join_and_run_from_the_right() {
    let mut typesetter = test_fonts::typesetter();
    let joined = typesetter.measure("شكرا", 30);
    let apart: u32 = ["ش", "ك", "ر", "ا"].iter().map(|c| typesetter.measure(c, 30)).sum();
    assert!(joined < apart, "{joined} of {apart} dots");
    assert_eq!(typesetter.missing(), 0);
    let line = typesetter.line("شكرا", 200, 30, Align::Left, false);
    assert!(ink(&line) > 60, "\n{}", art(&line));
}

#[test]
fn same_text_gives_same_dots() {
    let line = || test_fonts::typesetter().line("Café 红烧 4,50 €", 300, 30, Align::Center, false);
    assert_eq!(line(), line());
}

#[test]
fn digits_before_a_right_to_left_word_are_drawn() {
    let mut typesetter = test_fonts::typesetter();
    for (digits, rest) in
        [("3", " كوب"), ("500", " غرام كنافة"), ("12", " יח"), ("1234,56", " كوب")]
    {
        let line = format!("{digits}{rest}");
        let parts = typesetter.measure(digits, 30) + typesetter.measure(rest, 30);
        let whole = typesetter.measure(&line, 30);
        assert!(whole.abs_diff(parts) <= 2, "{line}: {whole} of {parts} dots");
        assert!(typesetter.missing_in(&line).is_empty(), "{line}");
    }
}

#[test]
fn what_the_layout_leaves_out_is_missing() {
    let lost = shape::left_out("3 كوب e\u{301}", [1..8, 9..10].into_iter());
    assert_eq!(lost, ["3", "e\u{301}"]);
}

#[test]
fn blank_that_no_font_has_is_room_and_not_missing() {
    let mut typesetter = test_fonts::typesetter();
    assert!(typesetter.missing_in("4\u{202f}500\u{a0}\u{205f}€").is_empty());
}

#[test]
fn nothing_a_font_has_is_left_out_of_a_line() {
    let typesetter = RefCell::new(test_fonts::typesetter());
    let texts = "([0-9.,%+€ a-zA-Zéא-ת红烧Жα()/-]|[ا-غف-ي][\u{64b}-\u{652}]?){0,24}";
    proptest!(ProptestConfig::with_cases(64), |(text in texts)| {
        prop_assert_eq!(typesetter.borrow_mut().missing_in(&text), Vec::<String>::new());
    });
}

#[test]
fn paragraph_is_broken_between_words_and_its_glyphs_point_into_the_text() {
    let text = "Count again, or keep the reason 多找了顾客一张五元";
    let lines = test_fonts::typesetter().paragraph(text, 9.0, Some(80.0));
    assert!(lines.len() > 2, "{} lines", lines.len());
    let spelt = |line: &GlyphLine| -> String {
        line.glyphs.iter().map(|glyph| &line.text[glyph.text.clone()]).collect()
    };
    let all: String = lines.iter().map(spelt).collect();
    assert_eq!(all.replace(' ', ""), text.replace(' ', ""));
    for line in &lines {
        let visible = line.glyphs.iter().rfind(|glyph| &line.text[glyph.text.clone()] != " ");
        assert!(visible.is_some_and(|last| last.x + last.advance <= 80.0));
    }
    assert_eq!(spelt(&lines[0]).trim_end(), "Count again,");
}

#[test]
fn what_no_font_has_keeps_its_text_and_room_in_a_paragraph() {
    let mut typesetter = test_fonts::typesetter();
    let lines = typesetter.paragraph("a\u{fffff}b", 9.0, None);
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    let told: Vec<_> = line.glyphs.iter().map(|glyph| &line.text[glyph.text.clone()]).collect();
    assert_eq!(told, ["a", "\u{fffff}", "b"]);
    assert_eq!(line.glyphs[1].id, 0);
    assert!(line.glyphs[1].advance > 0.0);
    assert!(typesetter.font_file(line.glyphs[0].face).is_some());
    assert!(Typesetter::from_fonts(Vec::new()).paragraph("a", 9.0, None).is_empty());
}
