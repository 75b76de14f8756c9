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
